// Conditional branches, jumps, links, and code that is reached from both directions.
#include "test_program.h"

// Taken forward and backward: a5 counts the ways.
.macro taken number, op, a, b
  li gp, \number
  li a1, \a
  li a2, \b
  li a5, 0
  \op a1, a2, 2f
  j failed
1:
  addi a5, a5, 1
  j 3f
2:
  addi a5, a5, 2
  \op a1, a2, 1b
  j failed
3:
  expect a5, 3
.endm

.macro not_taken number, op, a, b
  li gp, \number
  li a1, \a
  li a2, \b
  li a5, 0
  \op a1, a2, 1f
  addi a5, a5, 1
  j 2f
1:
  j failed
2:
  \op a1, a2, 1b
  expect a5, 1
.endm

program_start
  taken 1, beq, 0, 0
  taken 2, beq, -1, 0xFFFFFFFF
  not_taken 3, beq, 0, 1
  not_taken 4, beq, 0x80000000, 0
  taken 5, bne, 0, 1
  taken 6, bne, 0x80000000, 0
  not_taken 7, bne, 0x12345678, 0x12345678
  taken 8, blt, -1, 0
  taken 9, blt, 0x80000000, 0x7FFFFFFF
  not_taken 10, blt, 0, 0
  not_taken 11, blt, 0x7FFFFFFF, 0x80000000
  taken 12, bge, 0, 0
  taken 13, bge, 0x7FFFFFFF, 0x80000000
  not_taken 14, bge, -1, 0
  not_taken 15, bge, 0x80000000, 0x7FFFFFFF
  taken 16, bltu, 0, 0xFFFFFFFF
  taken 17, bltu, 0x7FFFFFFF, 0x80000000
  not_taken 18, bltu, 0, 0
  not_taken 19, bltu, 0xFFFFFFFF, 0
  taken 20, bgeu, 0, 0
  taken 21, bgeu, 0x80000000, 0x7FFFFFFF
  not_taken 22, bgeu, 0, 0xFFFFFFFF
  not_taken 23, bgeu, 0x7FFFFFFF, 0x80000000

  // A branch that changes its mind at each turn, and a nest.
  li gp, 30
  li a1, 100
  li a2, 0
  li a3, 0
turn:
  andi a4, a1, 1
  beqz a4, even
  addi a2, a2, 1
  j joined
even:
  addi a3, a3, 1
joined:
  addi a1, a1, -1
  bnez a1, turn
  expect a2, 50
  expect a3, 50
  li gp, 31
  li a0, 0
  li a1, 12
outer:
  mv a2, a1
inner:
  addi a0, a0, 1
  addi a2, a2, -1
  bgtz a2, inner
  addi a1, a1, -1
  bgtz a1, outer
  expect a0, 78

  // Links.
  li gp, 40
  la a2, after_jal
  jal a0, after_jal_target
after_jal:
  j failed
after_jal_target:
  bne a0, a2, failed
  li gp, 41
  la a1, indirect
  la a2, after_jalr
  jalr a0, 0(a1)
after_jalr:
  j failed
indirect:
  bne a0, a2, failed
  li gp, 42
  // The link overwrites the register of the target; the offset is signed; bit 0 is dropped.
  la a1, own - 8 + 1
  la a2, after_own
  jalr a1, 8(a1)
after_own:
  j failed
own:
  bne a1, a2, failed
  li gp, 43
  la a1, minus + 2047
  jalr x0, -2047(a1)
  j failed
minus:
  expect x0, 0
  li gp, 44
  li a0, 0
  call leaf
  call leaf
  call leaf
  expect a0, 21
  // One indirect jump to two places in turn.
  li gp, 45
  li a0, 0
  li a1, 10
  la a2, add_one
  la a3, add_hundred
dispatch:
  jr a2
add_one:
  addi a0, a0, 1
  j swap
add_hundred:
  addi a0, a0, 100
swap:
  xor a2, a2, a3
  xor a3, a2, a3
  xor a2, a2, a3
  addi a1, a1, -1
  bnez a1, dispatch
  expect a0, 505
  // Far over a hole that is more than any page of decoded code.
  li gp, 46
  jal a0, far
back:
  li gp, 47
  j finish
leaf:
  addi a0, a0, 7
  ret
finish:
program_end
  .text
  .space 70000
far:
  la a1, back
  bne a0, a1, wrong
  jr a0
wrong:
  tail failed
