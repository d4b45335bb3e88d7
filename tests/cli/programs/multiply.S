// The M extension: products and their high halves, quotients and remainders.
#include "test_program.h"

program_start
  rr 1, mul, 0, 0, 0xFFFFFFFF
  rr 2, mul, 1, 0xFFFFFFFF, 0xFFFFFFFF
  rr 3, mul, 0, 0x80000000, 2
  rr 4, mul, 0x80000000, 0x80000000, 0xFFFFFFFF
  rr 5, mul, 0x00000001, 0x7FFFFFFF, 0x7FFFFFFF
  rr 6, mul, 0xFFFE0001, 0xFFFF, 0xFFFF
  same 7, mul, 0xFFFE0001, 0xFFFF
  zero_operand 8, mul, 0, 0, 0xFFFFFFFF
  chain 9, mul, 600, 20, 30

  rr 20, mulh, 0, 0xFFFFFFFF, 0xFFFFFFFF
  rr 21, mulh, 0x40000000, 0x80000000, 0x80000000
  rr 22, mulh, 0xC0000000, 0x80000000, 0x7FFFFFFF
  rr 23, mulh, 0x3FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF
  rr 24, mulh, 0xFFFFFFFF, 1, 0xFFFFFFFF
  rr 25, mulh, 0, 0, 0x80000000
  same 26, mulh, 1, 0x10000
  rr 30, mulhu, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF
  rr 31, mulhu, 0x40000000, 0x80000000, 0x80000000
  rr 32, mulhu, 0, 1, 0xFFFFFFFF
  rr 33, mulhu, 1, 2, 0x80000000
  same 34, mulhu, 0xFFFE0001, 0xFFFF0000
  // The first operand has a sign, the second has none.
  rr 40, mulhsu, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF
  rr 41, mulhsu, 0xFFFFFFFF, 0xFFFFFFFF, 1
  rr 42, mulhsu, 0, 1, 0xFFFFFFFF
  rr 43, mulhsu, 0xC0000000, 0x80000000, 0x80000000
  rr 44, mulhsu, 0x80000000, 0x80000000, 0xFFFFFFFF
  rr 45, mulhsu, 0x7FFFFFFE, 0x7FFFFFFF, 0xFFFFFFFF

  rr 60, div, 3, 20, 6
  rr 61, div, -3, -20, 6
  rr 62, div, -3, 20, -6
  rr 63, div, 3, -20, -6
  rr 64, div, 0x80000000, 0x80000000, 1
  rr 65, div, 0x80000000, 0x80000000, -1
  rr 66, div, -1, 0x80000000, 0
  rr 67, div, -1, 0, 0
  rr 68, div, -1, 1, 0
  rr 69, div, 0, 0, 0x80000000
  rr 70, div, 1, 0x80000000, 0x80000000
  rr 71, div, 0, 0x7FFFFFFF, 0x80000000
  rr 72, div, 0x80000001, 0x7FFFFFFF, -1
  rr 73, div, 0xC0000000, 0x80000000, 2
  same 74, div, 1, -7
  rr 80, divu, 3, 20, 6
  rr 81, divu, 0x2AAAAAA7, -20, 6
  rr 82, divu, 0, 20, -6
  rr 83, divu, 0, 0x80000000, 0xFFFFFFFF
  rr 84, divu, 0xFFFFFFFF, 0x80000000, 0
  rr 85, divu, 0xFFFFFFFF, 0, 0
  rr 86, divu, 0xFFFFFFFF, 0xFFFFFFFF, 1
  rr 87, divu, 1, 0xFFFFFFFF, 0xFFFFFFFE
  same 88, divu, 1, 0x80000000

  rr 100, rem, 2, 20, 6
  rr 101, rem, -2, -20, 6
  rr 102, rem, 2, 20, -6
  rr 103, rem, -2, -20, -6
  rr 104, rem, 0, 0x80000000, 1
  rr 105, rem, 0, 0x80000000, -1
  rr 106, rem, 0x80000000, 0x80000000, 0
  rr 107, rem, 0, 0, 0
  rr 108, rem, 0x7FFFFFFF, 0x7FFFFFFF, 0x80000000
  rr 109, rem, -1, 0x80000000, 0x7FFFFFFF
  same 110, rem, 0, -7
  rr 120, remu, 2, 20, 6
  rr 121, remu, 2, -20, 6
  rr 122, remu, 20, 20, -6
  rr 123, remu, 0x80000000, 0x80000000, 0xFFFFFFFF
  rr 124, remu, 0x80000000, 0x80000000, 0
  rr 125, remu, 0, 0, 0
  rr 126, remu, 1, 0xFFFFFFFF, 0xFFFFFFFE
  same 127, remu, 0, 0x80000000
  zero_operand 128, rem, 0, 5, 5
  zero_operand 129, divu, 0, 0xFFFFFFFF, 5
program_end
