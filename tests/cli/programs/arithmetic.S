// add, sub, slt, sltu and their immediate forms, lui, auipc.
#include "test_program.h"

program_start
  rr 1, add, 0, 0, 0
  rr 2, add, 3, 1, 2
  rr 3, add, 0x80000000, 0x7FFFFFFF, 1
  rr 4, add, 0, 0xFFFFFFFF, 1
  rr 5, add, 0xFFFFFFFE, 0x7FFFFFFF, 0x7FFFFFFF
  rr 6, add, 0, 0x80000000, 0x80000000
  rr 7, add, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF
  same 8, add, 0x2468ACE0, 0x12345670
  zero_operand 9, add, 0x89ABCDEF, 0x89ABCDEF, 0x89ABCDEF
  chain 10, add, 0x11111110, 0x0FFFFFFF, 0x01111111

  rr 20, sub, 0, 0, 0
  rr 21, sub, 0xFFFFFFFF, 1, 2
  rr 22, sub, 0x7FFFFFFF, 0x80000000, 1
  rr 23, sub, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF
  rr 24, sub, 0x80000000, 0, 0x80000000
  rr 25, sub, 1, 0, 0xFFFFFFFF
  same 26, sub, 0, 0xDEADBEEF
  zero_operand 27, sub, 0xFFFF8000, 0x00008000, 0x8000
  chain 28, sub, 0xFFFF0001, 1, 0x10000

  rr 40, slt, 0, 0, 0
  rr 41, slt, 1, 0xFFFFFFFF, 0
  rr 42, slt, 0, 0, 0xFFFFFFFF
  rr 43, slt, 1, 0x80000000, 0x7FFFFFFF
  rr 44, slt, 0, 0x7FFFFFFF, 0x80000000
  rr 45, slt, 1, 0x80000000, 0x80000001
  same 46, slt, 0, 0x80000000
  zero_operand 47, slt, 0, 1, 0xFFFFFFFF
  rr 50, sltu, 0, 0, 0
  rr 51, sltu, 0, 0xFFFFFFFF, 0
  rr 52, sltu, 1, 0, 0xFFFFFFFF
  rr 53, sltu, 0, 0x80000000, 0x7FFFFFFF
  rr 54, sltu, 1, 0x7FFFFFFF, 0x80000000
  same 55, sltu, 0, 0xFFFFFFFF
  zero_operand 56, sltu, 1, 0, 1

  ri 60, addi, 0, 0, 0
  ri 61, addi, 2047, 0, 2047
  ri 62, addi, 0xFFFFF800, 0, -2048
  ri 63, addi, 0x7FFFF800, 0x80000000, -2048
  ri 64, addi, 0x800007FE, 0x7FFFFFFF, 2047
  ri 65, addi, 0, 0xFFFFFFFF, 1
  ri 66, addi, 0xFFFFFFFE, 0xFFFFFFFF, -1

  ri 70, slti, 1, 0x80000000, -2048
  ri 71, slti, 0, 0x7FFFFFFF, 2047
  ri 72, slti, 1, 0xFFFFF7FF, -2048
  ri 73, slti, 0, 0xFFFFF800, -2048
  ri 74, slti, 0, 0, -1
  ri 75, slti, 1, -1, 0
  // The immediate is sign-extended first, then compared without sign.
  ri 80, sltiu, 1, 0, -1
  ri 81, sltiu, 0, 0xFFFFFFFF, -1
  ri 82, sltiu, 1, 0xFFFFF7FF, -2048
  ri 83, sltiu, 0, 0xFFFFF800, -2048
  ri 84, sltiu, 1, 0, 1
  ri 85, sltiu, 0, 1, 1
  ri 86, sltiu, 0, 0x80000000, 2047

  li gp, 90
  lui a0, 0
  expect a0, 0
  lui a0, 0xFFFFF
  expect a0, 0xFFFFF000
  lui a0, 0x80000
  expect a0, 0x80000000
  lui a0, 0x7FFFF
  srai a0, a0, 12
  expect a0, 0x7FFFF
  lui x0, 0x12345
  expect x0, 0
  li gp, 91
here:
  auipc a0, 0
  la a1, here
  bne a0, a1, failed
  li gp, 92
there:
  auipc a0, 0xFFFFF
  la a1, there
  li a2, 0x1000
  sub a1, a1, a2
  bne a0, a1, failed
program_end
