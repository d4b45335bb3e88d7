#pragma once

#include <algorithm>
#include <bit>

#include "models/riscv/decode/bytes.h"

/// Results of instructions for all that execute them, grouped by form. Operands are a and imm, or a
/// and b. DIVIDE has the signedness, LOAD and STORE have the type in memory. Source: RISC-V ISA
/// manual, RV32I, M, Zba and Zbb.
// NOLINTBEGIN(bugprone-signed-char-misuse): Lb extends the sign
#define TVP_RISCV_MEANINGS(IMMEDIATE, REGISTERS, MULTIPLY, DIVIDE, BRANCH, LOAD, STORE) \
  IMMEDIATE(Addi, a + imm)                                                              \
  IMMEDIATE(Slti, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(imm))        \
  IMMEDIATE(Sltiu, a < imm)                                                             \
  IMMEDIATE(Xori, a ^ imm)                                                              \
  IMMEDIATE(Ori, a | imm)                                                               \
  IMMEDIATE(Andi, (a & imm))                                                            \
  IMMEDIATE(Slli, a << imm)                                                             \
  IMMEDIATE(Srli, a >> imm)                                                             \
  IMMEDIATE(Srai, static_cast<std::int32_t>(a) >> imm)                                  \
  IMMEDIATE(Clz, std::countl_zero(a))                                                   \
  IMMEDIATE(Ctz, std::countr_zero(a))                                                   \
  IMMEDIATE(Cpop, std::popcount(a))                                                     \
  IMMEDIATE(Sextb, static_cast<std::int8_t>(a))                                         \
  IMMEDIATE(Sexth, static_cast<std::int16_t>(a))                                        \
  IMMEDIATE(Zexth, a & 0xFFFFU)                                                         \
  IMMEDIATE(Orcb, riscv::bytes_with_bits(a))                                            \
  IMMEDIATE(Rev8, riscv::reversed_bytes(a))                                             \
  IMMEDIATE(Rori, std::rotr(a, static_cast<int>(imm & 31U)))                            \
  REGISTERS(Add, a + b)                                                                 \
  REGISTERS(Sub, a - b)                                                                 \
  REGISTERS(Sll, a << (b & 31U))                                                        \
  REGISTERS(Slt, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b))           \
  REGISTERS(Sltu, a < b)                                                                \
  REGISTERS(Xor, a ^ b)                                                                 \
  REGISTERS(Srl, a >> (b & 31U))                                                        \
  REGISTERS(Sra, static_cast<std::int32_t>(a) >> (b & 31U))                             \
  REGISTERS(Or, a | b)                                                                  \
  REGISTERS(And, (a & b))                                                               \
  REGISTERS(Sh1add, (a << 1) + b)                                                       \
  REGISTERS(Sh2add, (a << 2) + b)                                                       \
  REGISTERS(Sh3add, (a << 3) + b)                                                       \
  REGISTERS(Andn, (a & ~b))                                                             \
  REGISTERS(Orn, a | ~b)                                                                \
  REGISTERS(Xnor, ~(a ^ b))                                                             \
  REGISTERS(Max, std::max(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)))  \
  REGISTERS(Maxu, std::max(a, b))                                                       \
  REGISTERS(Min, std::min(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)))  \
  REGISTERS(Minu, std::min(a, b))                                                       \
  REGISTERS(Rol, std::rotl(a, static_cast<int>(b & 31U)))                               \
  REGISTERS(Ror, std::rotr(a, static_cast<int>(b & 31U)))                               \
  MULTIPLY(Mul, a* b)                                                                   \
  MULTIPLY(Mulh, high_signed(a, b))                                                     \
  MULTIPLY(Mulhsu, high_mixed(a, b))                                                    \
  MULTIPLY(Mulhu, high_unsigned(a, b))                                                  \
  DIVIDE(Div, true, divide_signed(a, b))                                                \
  DIVIDE(Divu, false, b == 0 ? ~0U : a / b)                                             \
  DIVIDE(Rem, true, remainder_signed(a, b))                                             \
  DIVIDE(Remu, false, b == 0 ? a : a % b)                                               \
  BRANCH(Beq, a == b)                                                                   \
  BRANCH(Bne, a != b)                                                                   \
  BRANCH(Blt, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b))              \
  BRANCH(Bge, static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b))             \
  BRANCH(Bltu, a < b)                                                                   \
  BRANCH(Bgeu, a >= b)                                                                  \
  LOAD(Lb, std::int8_t)                                                                 \
  LOAD(Lh, std::int16_t)                                                                \
  LOAD(Lw, std::int32_t)                                                                \
  LOAD(Lbu, std::uint8_t)                                                               \
  LOAD(Lhu, std::uint16_t)                                                              \
  STORE(Sb, std::uint8_t)                                                               \
  STORE(Sh, std::uint16_t)                                                              \
  STORE(Sw, std::uint32_t)
// NOLINTEND(bugprone-signed-char-misuse)
