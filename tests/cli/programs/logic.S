// and, or, xor, shifts, and their immediate forms.
#include "test_program.h"

program_start
  rr 1, and, 0x0F000F00, 0xFF00FF00, 0x0F0F0F0F
  rr 2, and, 0, 0xAAAAAAAA, 0x55555555
  rr 3, or, 0xFF0FFF0F, 0xFF00FF00, 0x0F0F0F0F
  rr 4, or, 0xFFFFFFFF, 0xAAAAAAAA, 0x55555555
  rr 5, xor, 0xF00FF00F, 0xFF00FF00, 0x0F0F0F0F
  rr 6, xor, 0, 0x80000001, 0x80000001
  same 7, and, 0x13579BDF, 0x13579BDF
  same 8, or, 0x13579BDF, 0x13579BDF
  same 9, xor, 0, 0x13579BDF
  zero_operand 10, and, 0, 0, 0xFFFFFFFF
  zero_operand 11, or, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF
  zero_operand 12, xor, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F
  chain 13, xor, 0xFFFFFFFF, 0xAAAAAAAA, 0x55555555

  ri 20, andi, 0xFFFFF800, 0xFFFFFFFF, -2048
  ri 21, andi, 0x7FF, 0xFFFFFFFF, 0x7FF
  ri 22, andi, 0x80000000, 0x800007FF, -2048
  ri 23, ori, 0xFFFFF800, 0, -2048
  ri 24, ori, 0x123457FF, 0x12345000, 0x7FF
  ri 25, xori, 0xFFFFFFFF, 0, -1
  ri 26, xori, 0x00FF0F00, 0xFF00F0FF, -1
  ri 27, xori, 0x80000000, 0x800007FF, 0x7FF

  // Amounts are modulo 32.
  rr 40, sll, 1, 1, 0
  rr 41, sll, 0x80000000, 1, 31
  rr 42, sll, 1, 1, 32
  rr 43, sll, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFF
  rr 44, sll, 0x2468ACE0, 0x12345670, 0x21
  rr 45, srl, 1, 0x80000000, 31
  rr 46, srl, 0x80000000, 0x80000000, 32
  rr 47, srl, 0x0FFFFFFF, 0xFFFFFFFF, 4
  rr 48, srl, 1, 0xFFFFFFFF, 0xFFFFFFFF
  rr 49, sra, 0xFFFFFFFF, 0x80000000, 31
  rr 50, sra, 0x80000000, 0x80000000, 0xFFFFFFE0
  rr 51, sra, 0, 0x7FFFFFFF, 31
  rr 52, sra, 0xF8000000, 0x80000000, 4
  rr 53, sra, 0x07FFFFFF, 0x7FFFFFFF, 4
  same 54, sll, 0x2800, 10
  same 55, srl, 0x03C00000, 0xF0000006
  same 56, sra, 0xFFC00000, 0xF0000006
  zero_operand 57, sll, 0, 0x12345, 0x12345
  zero_operand 58, srl, 0, 0xFFFFFFFF, 0xFFFFFFFF
  zero_operand 59, sra, 0, 0x80000000, 0x80000000
  ri 70, slli, 0xFFFFFFFF, 0xFFFFFFFF, 0
  ri 71, slli, 0x80000000, 0xFFFFFFFF, 31
  ri 72, srli, 0xFFFFFFFF, 0xFFFFFFFF, 0
  ri 73, srli, 1, 0xFFFFFFFF, 31
  ri 74, srai, 0x80000000, 0x80000000, 0
  ri 75, srai, 0xFFFFFFFF, 0x80000000, 31
  ri 76, srai, 0, 0x7FFFFFFF, 31
  ri 77, srai, 0xFFFFFFC0, 0xFFFFF000, 6
program_end
