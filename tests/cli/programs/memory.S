// Loads and stores of all widths, at all offsets that are aligned, in whatever memory .data lies.
#include "test_program.h"

.macro load number, op, result, offset, base
  li gp, \number
  la a1, \base
  \op a0, \offset(a1)
  expect a0, \result
  \op x0, \offset(a1)
  expect x0, 0
  \op a1, \offset(a1)
  expect a1, \result
.endm

// Stores in the middle of three words of a pattern: neighbors must stay as they are.
.macro store number, op, offset, value, before, at, after
  li gp, \number
  la a1, scratch + 4
  li a2, 0xA5A5A5A5
  sw a2, -4(a1)
  sw a2, 0(a1)
  sw a2, 4(a1)
  li a2, \value
  \op a2, \offset(a1)
  lw a0, -4(a1)
  expect a0, \before
  lw a0, 0(a1)
  expect a0, \at
  lw a0, 4(a1)
  expect a0, \after
.endm

program_start
  load 1, lw, 0x80FF7F01, 0, words
  load 2, lw, 0xFFFFFFFF, 4, words
  load 3, lw, 0x80FF7F01, -8, words_end
  load 4, lh, 0x7F01, 0, words
  load 5, lh, 0xFFFF80FF, 2, words
  load 6, lh, -1, -2, words_end
  load 7, lhu, 0x7F01, 0, words
  load 8, lhu, 0x80FF, 2, words
  load 9, lhu, 0xFFFF, -4, words_end
  load 10, lb, 0x01, 0, words
  load 11, lb, 0x7F, 1, words
  load 12, lb, -1, 2, words
  load 13, lb, -128, 3, words
  load 14, lbu, 0x01, -8, words_end
  load 15, lbu, 0x7F, -7, words_end
  load 16, lbu, 0xFF, -6, words_end
  load 17, lbu, 0x80, -5, words_end

  li gp, 20
  la a1, words + 2048
  lw a0, -2048(a1)
  expect a0, 0x80FF7F01
  la a1, words - 2047
  lb a0, 2047(a1)
  expect a0, 1

  store 30, sw, 0, 0x01234567, 0xA5A5A5A5, 0x01234567, 0xA5A5A5A5
  store 31, sw, -4, 0x89ABCDEF, 0x89ABCDEF, 0xA5A5A5A5, 0xA5A5A5A5
  store 32, sh, 0, 0x12345678, 0xA5A5A5A5, 0xA5A55678, 0xA5A5A5A5
  store 33, sh, 2, 0x12345678, 0xA5A5A5A5, 0x5678A5A5, 0xA5A5A5A5
  store 34, sh, -2, 0xFFFF0000, 0x0000A5A5, 0xA5A5A5A5, 0xA5A5A5A5
  store 35, sb, 0, 0x12345678, 0xA5A5A5A5, 0xA5A5A578, 0xA5A5A5A5
  store 36, sb, 1, 0x12345678, 0xA5A5A5A5, 0xA5A578A5, 0xA5A5A5A5
  store 37, sb, 2, 0x12345678, 0xA5A5A5A5, 0xA578A5A5, 0xA5A5A5A5
  store 38, sb, 3, 0x12345678, 0xA5A5A5A5, 0x78A5A5A5, 0xA5A5A5A5
  store 39, sb, 4, 0, 0xA5A5A5A5, 0xA5A5A5A5, 0xA5A5A500
  store 40, sb, -1, 0xFFFFFF00, 0x00A5A5A5, 0xA5A5A5A5, 0xA5A5A5A5

  // A load right behind a store of the same bytes, a narrower and a wider one.
  li gp, 50
  la a1, scratch
  li a2, 0x11223344
  sw a2, 0(a1)
  lw a0, 0(a1)
  expect a0, 0x11223344
  li a2, 0x55667788
  sw a2, 0(a1)
  lbu a0, 2(a1)
  expect a0, 0x66
  li a2, 0x99
  sb a2, 1(a1)
  lw a0, 0(a1)
  expect a0, 0x55669988
  // x0 as the value.
  sw x0, 0(a1)
  lw a0, 0(a1)
  expect a0, 0

  // A value that is loaded is an address at once; the base is overwritten by its own load.
  li gp, 60
  la a1, pointer
  lw a1, 0(a1)
  lw a1, 4(a1)
  expect a1, 0xFFFFFFFF

  // Sum of a copy, word by word forward and byte by byte backward.
  li gp, 70
  la a1, table
  la a2, scratch
  li a3, 8
copy:
  lw a4, 0(a1)
  sw a4, 0(a2)
  addi a1, a1, 4
  addi a2, a2, 4
  addi a3, a3, -1
  bnez a3, copy
  la a1, scratch
  li a3, 31
  li a0, 0
sum:
  add a4, a1, a3
  lbu a4, 0(a4)
  slli a5, a0, 5
  sub a0, a5, a0
  add a0, a0, a4
  addi a3, a3, -1
  bgez a3, sum
  // 31 * h + byte over 01 02 .. 20, highest address first.
  la a1, hash
  lw a2, 0(a1)
  bne a0, a2, failed
  fence
  fence.tso
program_end

  .balign 4
words:
  .word 0x80FF7F01
  .word 0xFFFFFFFF
words_end:
pointer:
  .word words
table:
  .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
  .byte 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32
hash:
  .word 0x4b365ff0
scratch:
  .space 32
