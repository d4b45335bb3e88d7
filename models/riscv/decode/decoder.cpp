#include "models/riscv/decode/decoder.h"

namespace tvp::riscv {

namespace {

constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1U << (high - low + 1)) - 1U);
}
constexpr std::int32_t sign_extend(std::uint32_t value, unsigned width) {
  const unsigned shift = 32 - width;
  return static_cast<std::int32_t>(value << shift) >> shift;
}
constexpr std::int32_t immediate_i(std::uint32_t w) { return sign_extend(bits(w, 31, 20), 12); }
constexpr std::int32_t immediate_s(std::uint32_t w) {
  return sign_extend(bits(w, 31, 25) << 5 | bits(w, 11, 7), 12);
}
constexpr std::int32_t immediate_b(std::uint32_t w) {
  return sign_extend(
      bits(w, 31, 31) << 12 | bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1, 13);
}
constexpr std::int32_t immediate_j(std::uint32_t w) {
  return sign_extend(
      bits(w, 31, 31) << 20 | bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1,
      21);
}

Code branch_code(std::uint32_t funct3) {
  constexpr Code kCodes[8] = {Code::kBeq, Code::kBne, Code::kInvalid, Code::kInvalid,
                              Code::kBlt, Code::kBge, Code::kBltu,    Code::kBgeu};
  return kCodes[funct3];
}

Code load_code(std::uint32_t funct3) {
  constexpr Code kCodes[8] = {Code::kLb,  Code::kLh,  Code::kLw,      Code::kInvalid,
                              Code::kLbu, Code::kLhu, Code::kInvalid, Code::kInvalid};
  return kCodes[funct3];
}

Code store_code(std::uint32_t funct3) {
  constexpr Code kCodes[8] = {Code::kSb,      Code::kSh,      Code::kSw,      Code::kInvalid,
                              Code::kInvalid, Code::kInvalid, Code::kInvalid, Code::kInvalid};
  return kCodes[funct3];
}

/// Zbb, left shift's column.
Code count_code(std::uint32_t rs2) {
  constexpr Code kCodes[8] = {Code::kClz,   Code::kCtz,   Code::kCpop,    Code::kInvalid,
                              Code::kSextb, Code::kSexth, Code::kInvalid, Code::kInvalid};
  return rs2 < 8 ? kCodes[rs2] : Code::kInvalid;
}

Code immediate_code(std::uint32_t funct3, std::uint32_t funct7, std::uint32_t rs2) {
  switch (funct3) {
    case 0:
      return Code::kAddi;
    case 1:
      if (funct7 == 0x30) return count_code(rs2);
      return funct7 == 0 ? Code::kSlli : Code::kInvalid;
    case 2:
      return Code::kSlti;
    case 3:
      return Code::kSltiu;
    case 4:
      return Code::kXori;
    case 5:
      if (funct7 == 0) return Code::kSrli;
      if (funct7 == 0x30) return Code::kRori;
      if (funct7 == 0x14 && rs2 == 7) return Code::kOrcb;
      if (funct7 == 0x34 && rs2 == 24) return Code::kRev8;
      return funct7 == 0x20 ? Code::kSrai : Code::kInvalid;
    case 6:
      return Code::kOri;
    default:
      return Code::kAndi;
  }
}

Code csr_code(std::uint32_t funct3) {
  constexpr Code kCodes[8] = {Code::kInvalid, Code::kCsrrw,  Code::kCsrrs,  Code::kCsrrc,
                              Code::kInvalid, Code::kCsrrwi, Code::kCsrrsi, Code::kCsrrci};
  return kCodes[funct3];
}

Code atomic_code(std::uint32_t funct3, std::uint32_t funct5) {
  if (funct3 != 2) return Code::kInvalid;
  switch (funct5) {
    case 0x00:
      return Code::kAmoadd;
    case 0x01:
      return Code::kAmoswap;
    case 0x04:
      return Code::kAmoxor;
    case 0x08:
      return Code::kAmoor;
    case 0x0C:
      return Code::kAmoand;
    case 0x10:
      return Code::kAmomin;
    case 0x14:
      return Code::kAmomax;
    case 0x18:
      return Code::kAmominu;
    case 0x1C:
      return Code::kAmomaxu;
    default:
      return Code::kInvalid;
  }
}

/// Zba and Zbb with two register operands.
Code bits_code(std::uint32_t funct3, std::uint32_t funct7, std::uint32_t rs2) {
  switch (funct7 << 4 | funct3) {
    case 0x044:
      return rs2 == 0 ? Code::kZexth : Code::kInvalid;
    case 0x054:
      return Code::kMin;
    case 0x055:
      return Code::kMinu;
    case 0x056:
      return Code::kMax;
    case 0x057:
      return Code::kMaxu;
    case 0x102:
      return Code::kSh1add;
    case 0x104:
      return Code::kSh2add;
    case 0x106:
      return Code::kSh3add;
    case 0x204:
      return Code::kXnor;
    case 0x206:
      return Code::kOrn;
    case 0x207:
      return Code::kAndn;
    case 0x301:
      return Code::kRol;
    case 0x305:
      return Code::kRor;
    default:
      return Code::kInvalid;
  }
}

Code register_code(std::uint32_t funct3, std::uint32_t funct7, std::uint32_t rs2) {
  constexpr Code kBase[8] = {Code::kAdd, Code::kSll, Code::kSlt, Code::kSltu,
                             Code::kXor, Code::kSrl, Code::kOr,  Code::kAnd};
  constexpr Code kMultiply[8] = {Code::kMul, Code::kMulh, Code::kMulhsu, Code::kMulhu,
                                 Code::kDiv, Code::kDivu, Code::kRem,    Code::kRemu};
  if (funct7 == 0) return kBase[funct3];
  if (funct7 == 1) return kMultiply[funct3];
  if (funct7 == 0x20 && funct3 == 0) return Code::kSub;
  if (funct7 == 0x20 && funct3 == 5) return Code::kSra;
  return bits_code(funct3, funct7, rs2);
}

Op make(Code code, std::uint32_t rd = 0, std::uint32_t rs1 = 0, std::uint32_t rs2 = 0,
        std::int32_t imm = 0) {
  Op op;
  op.code = static_cast<std::uint8_t>(code);
  op.rd = rd == 0 ? Op::kSink : static_cast<std::uint8_t>(rd);
  op.rs1 = static_cast<std::uint8_t>(rs1);
  op.rs2 = static_cast<std::uint8_t>(rs2);
  op.imm = imm;
  return op;
}

}  // namespace

unsigned access_bytes(Code c) {
  switch (c) {
    case Code::kLb:
    case Code::kLbu:
    case Code::kSb:
      return 1;
    case Code::kLh:
    case Code::kLhu:
    case Code::kSh:
      return 2;
    default:
      return 4;
  }
}

Op decode(std::uint32_t word, std::uint32_t pc) {
  // As a .ttinsn it would be Tensix opcode 0, which does not exist. The word means a jump to memory
  // without code.
  if (word == 0) return make(Code::kInvalid);
  if ((word & 3U) != 3U) {
    // ISA BabyRISCV/PushTensixInstruction.md: the word is the Tensix instruction rotated left by 2.
    return make(Code::kTtinsn, 0, 0, 0, static_cast<std::int32_t>(word >> 2 | word << 30));
  }
  const std::uint32_t rd = bits(word, 11, 7);
  const std::uint32_t rs1 = bits(word, 19, 15);
  const std::uint32_t rs2 = bits(word, 24, 20);
  const std::uint32_t funct3 = bits(word, 14, 12);
  const std::uint32_t funct7 = bits(word, 31, 25);
  const auto signed_pc = static_cast<std::int32_t>(pc);
  const auto add = [](std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  };
  switch (bits(word, 6, 0)) {
    case 0x37:
      return make(Code::kConstant, rd, 0, 0, static_cast<std::int32_t>(word & ~0xFFFU));
    case 0x17:
      return make(Code::kConstant, rd, 0, 0,
                  add(signed_pc, static_cast<std::int32_t>(word & ~0xFFFU)));
    case 0x6F:
      return make(Code::kJal, rd, 0, 0, add(signed_pc, immediate_j(word)));
    case 0x67:
      return make(funct3 == 0 ? Code::kJalr : Code::kInvalid, rd, rs1, 0, immediate_i(word));
    case 0x63: {
      const std::int32_t offset = immediate_b(word);
      Op op = make(branch_code(funct3), 0, rs1, rs2, add(signed_pc, offset));
      op.rd = 0;
      op.prediction = offset < 0 ? 2 : 1;
      return op;
    }
    case 0x03:
      return make(load_code(funct3), rd, rs1, 0, immediate_i(word));
    case 0x23:
      return make(store_code(funct3), 0, rs1, rs2, immediate_s(word));
    case 0x13: {
      const Code code = immediate_code(funct3, funct7, rs2);
      const bool shift = funct3 == 1 || funct3 == 5;
      return make(code, rd, rs1, 0, shift ? static_cast<std::int32_t>(rs2) : immediate_i(word));
    }
    case 0x33:
      return make(register_code(funct3, funct7, rs2), rd, rs1, rs2, 0);
    case 0x0F:
      return make(funct3 == 0 ? Code::kNop : Code::kInvalid);
    case 0x73:
      if (word == 0x00000073) return make(Code::kEcall);
      if (word == 0x00100073) return make(Code::kEbreak);
      if (funct3 >= 4) {
        return make(csr_code(funct3), rd, 0, rs1, static_cast<std::int32_t>(word >> 20));
      }
      return make(csr_code(funct3), rd, rs1, 0, static_cast<std::int32_t>(word >> 20));
    case 0x2F:
      return make(atomic_code(funct3, word >> 27), rd, rs1, rs2);
    default:
      return make(Code::kInvalid);
  }
}

}  // namespace tvp::riscv
