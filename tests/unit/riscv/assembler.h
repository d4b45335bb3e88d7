#pragma once

#include <cstdint>

/// Encodes RV32IM instructions for tests by the fields of the RISC-V specification.
namespace tvp::riscv::assembler {

using Word = std::uint32_t;

inline Word r_type(Word funct7, Word rs2, Word rs1, Word funct3, Word rd, Word opcode) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
inline Word i_type(std::int32_t imm, Word rs1, Word funct3, Word rd, Word opcode) {
  return static_cast<Word>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
inline Word s_type(std::int32_t imm, Word rs2, Word rs1, Word funct3) {
  const Word u = static_cast<Word>(imm);
  return (u >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (u & 0x1F) << 7 | 0x23;
}
inline Word b_type(std::int32_t imm, Word rs2, Word rs1, Word funct3) {
  const Word u = static_cast<Word>(imm);
  return (u >> 12 & 1) << 31 | (u >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
         (u >> 1 & 0xF) << 8 | (u >> 11 & 1) << 7 | 0x63;
}

inline Word lui(Word rd, Word value) { return (value & 0xFFFFF000U) | rd << 7 | 0x37; }
inline Word auipc(Word rd, Word value) { return (value & 0xFFFFF000U) | rd << 7 | 0x17; }
inline Word jal(Word rd, std::int32_t imm) {
  const Word u = static_cast<Word>(imm);
  return (u >> 20 & 1) << 31 | (u >> 1 & 0x3FF) << 21 | (u >> 11 & 1) << 20 |
         (u >> 12 & 0xFF) << 12 | rd << 7 | 0x6F;
}
inline Word jalr(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 0, rd, 0x67); }

inline Word beq(Word a, Word b, std::int32_t imm) { return b_type(imm, b, a, 0); }
inline Word bne(Word a, Word b, std::int32_t imm) { return b_type(imm, b, a, 1); }
inline Word blt(Word a, Word b, std::int32_t imm) { return b_type(imm, b, a, 4); }
inline Word bge(Word a, Word b, std::int32_t imm) { return b_type(imm, b, a, 5); }
inline Word bltu(Word a, Word b, std::int32_t imm) { return b_type(imm, b, a, 6); }
inline Word bgeu(Word a, Word b, std::int32_t imm) { return b_type(imm, b, a, 7); }

inline Word lb(Word rd, std::int32_t imm, Word rs1) { return i_type(imm, rs1, 0, rd, 0x03); }
inline Word lh(Word rd, std::int32_t imm, Word rs1) { return i_type(imm, rs1, 1, rd, 0x03); }
inline Word lw(Word rd, std::int32_t imm, Word rs1) { return i_type(imm, rs1, 2, rd, 0x03); }
inline Word lbu(Word rd, std::int32_t imm, Word rs1) { return i_type(imm, rs1, 4, rd, 0x03); }
inline Word lhu(Word rd, std::int32_t imm, Word rs1) { return i_type(imm, rs1, 5, rd, 0x03); }
inline Word sb(Word rs2, std::int32_t imm, Word rs1) { return s_type(imm, rs2, rs1, 0); }
inline Word sh(Word rs2, std::int32_t imm, Word rs1) { return s_type(imm, rs2, rs1, 1); }
inline Word sw(Word rs2, std::int32_t imm, Word rs1) { return s_type(imm, rs2, rs1, 2); }

inline Word addi(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 0, rd, 0x13); }
inline Word slti(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 2, rd, 0x13); }
inline Word sltiu(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 3, rd, 0x13); }
inline Word xori(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 4, rd, 0x13); }
inline Word ori(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 6, rd, 0x13); }
inline Word andi(Word rd, Word rs1, std::int32_t imm) { return i_type(imm, rs1, 7, rd, 0x13); }
inline Word slli(Word rd, Word rs1, Word n) { return r_type(0, n, rs1, 1, rd, 0x13); }
inline Word srli(Word rd, Word rs1, Word n) { return r_type(0, n, rs1, 5, rd, 0x13); }
inline Word srai(Word rd, Word rs1, Word n) { return r_type(0x20, n, rs1, 5, rd, 0x13); }

inline Word add(Word rd, Word a, Word b) { return r_type(0, b, a, 0, rd, 0x33); }
inline Word sub(Word rd, Word a, Word b) { return r_type(0x20, b, a, 0, rd, 0x33); }
inline Word sll(Word rd, Word a, Word b) { return r_type(0, b, a, 1, rd, 0x33); }
inline Word slt(Word rd, Word a, Word b) { return r_type(0, b, a, 2, rd, 0x33); }
inline Word sltu(Word rd, Word a, Word b) { return r_type(0, b, a, 3, rd, 0x33); }
inline Word xor_(Word rd, Word a, Word b) { return r_type(0, b, a, 4, rd, 0x33); }
inline Word srl(Word rd, Word a, Word b) { return r_type(0, b, a, 5, rd, 0x33); }
inline Word sra(Word rd, Word a, Word b) { return r_type(0x20, b, a, 5, rd, 0x33); }
inline Word or_(Word rd, Word a, Word b) { return r_type(0, b, a, 6, rd, 0x33); }
inline Word and_(Word rd, Word a, Word b) { return r_type(0, b, a, 7, rd, 0x33); }
inline Word mul(Word rd, Word a, Word b) { return r_type(1, b, a, 0, rd, 0x33); }
inline Word mulh(Word rd, Word a, Word b) { return r_type(1, b, a, 1, rd, 0x33); }
inline Word mulhsu(Word rd, Word a, Word b) { return r_type(1, b, a, 2, rd, 0x33); }
inline Word mulhu(Word rd, Word a, Word b) { return r_type(1, b, a, 3, rd, 0x33); }
inline Word div(Word rd, Word a, Word b) { return r_type(1, b, a, 4, rd, 0x33); }
inline Word divu(Word rd, Word a, Word b) { return r_type(1, b, a, 5, rd, 0x33); }
inline Word rem(Word rd, Word a, Word b) { return r_type(1, b, a, 6, rd, 0x33); }
inline Word remu(Word rd, Word a, Word b) { return r_type(1, b, a, 7, rd, 0x33); }

inline Word nop() { return 0x00000013; }
inline Word fence() { return 0x0FF0000F; }
inline Word ecall() { return 0x00000073; }
inline Word ebreak() { return 0x00100073; }
inline Word ttinsn(Word instruction) { return instruction << 2 | instruction >> 30; }

}  // namespace tvp::riscv::assembler
