// Macros of a test program: numbered cases, and a word `tohost` that gets 1 if all passed and 2 *
// number + 1 if a case failed. Programs use RV32IM only, without CSRs and stack. gp holds the
// number of the case. Cases may use a4 and a5, and load everything else.

.macro program_start
  .text
  .globl _start
_start:
.endm

.macro program_end
  li a0, 1
  j report
failed:
  slli a0, gp, 1
  ori a0, a0, 1
report:
  la t0, tohost
  sw a0, 0(t0)
1:
  j 1b
  .data
  .balign 8
  .globl tohost
tohost:
  .word 0
.endm

// Fails the case unless the register holds the value.
.macro expect register, value
  li t6, \value
  bne \register, t6, failed
.endm

// Two operands; the result also goes to each operand's register.
.macro rr number, op, result, a, b
  li gp, \number
  li a1, \a
  li a2, \b
  \op a0, a1, a2
  expect a0, \result
  li a1, \a
  \op a1, a1, a2
  expect a1, \result
  li a1, \a
  \op a2, a1, a2
  expect a2, \result
.endm

// The same register as both operands and result.
.macro same number, op, result, a
  li gp, \number
  li a1, \a
  \op a0, a1, a1
  expect a0, \result
  \op a1, a1, a1
  expect a1, \result
.endm

// Register x0 as an operand, and as the result.
.macro zero_operand number, op, left, right, a
  li gp, \number
  li a1, \a
  \op a0, x0, a1
  expect a0, \left
  \op a0, a1, x0
  expect a0, \right
  \op x0, a1, a1
  expect x0, 0
.endm

// One operand and an immediate; the result also goes to the operand's register and to x0.
.macro ri number, op, result, a, imm
  li gp, \number
  li a1, \a
  \op a0, a1, \imm
  expect a0, \result
  \op x0, a1, \imm
  expect x0, 0
  \op a1, a1, \imm
  expect a1, \result
.endm

// Uses results one, two and three instructions later.
.macro chain number, op, result, a, b
  li gp, \number
  li a1, \a
  li a2, \b
  \op a0, a1, a2
  mv a3, a0
  expect a3, \result
  \op a0, a1, a2
  nop
  mv a3, a0
  expect a3, \result
  \op a0, a1, a2
  nop
  nop
  mv a3, a0
  expect a3, \result
.endm
