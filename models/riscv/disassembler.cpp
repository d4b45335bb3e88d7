#include "models/riscv/disassembler.h"

#include <cstdio>

#include "models/riscv/decoder.h"

namespace tvp::riscv {

namespace {

const char* mnemonic(Code code) {
  switch (code) {
    case Code::kJal:
      return "jal";
    case Code::kJalr:
      return "jalr";
    case Code::kBeq:
      return "beq";
    case Code::kBne:
      return "bne";
    case Code::kBlt:
      return "blt";
    case Code::kBge:
      return "bge";
    case Code::kBltu:
      return "bltu";
    case Code::kBgeu:
      return "bgeu";
    case Code::kLb:
      return "lb";
    case Code::kLh:
      return "lh";
    case Code::kLw:
      return "lw";
    case Code::kLbu:
      return "lbu";
    case Code::kLhu:
      return "lhu";
    case Code::kSb:
      return "sb";
    case Code::kSh:
      return "sh";
    case Code::kSw:
      return "sw";
    case Code::kAddi:
      return "addi";
    case Code::kSlti:
      return "slti";
    case Code::kSltiu:
      return "sltiu";
    case Code::kXori:
      return "xori";
    case Code::kOri:
      return "ori";
    case Code::kAndi:
      return "andi";
    case Code::kSlli:
      return "slli";
    case Code::kSrli:
      return "srli";
    case Code::kSrai:
      return "srai";
    case Code::kAdd:
      return "add";
    case Code::kSub:
      return "sub";
    case Code::kSll:
      return "sll";
    case Code::kSlt:
      return "slt";
    case Code::kSltu:
      return "sltu";
    case Code::kXor:
      return "xor";
    case Code::kSrl:
      return "srl";
    case Code::kSra:
      return "sra";
    case Code::kOr:
      return "or";
    case Code::kAnd:
      return "and";
    case Code::kMul:
      return "mul";
    case Code::kMulh:
      return "mulh";
    case Code::kMulhsu:
      return "mulhsu";
    case Code::kMulhu:
      return "mulhu";
    case Code::kDiv:
      return "div";
    case Code::kDivu:
      return "divu";
    case Code::kRem:
      return "rem";
    case Code::kRemu:
      return "remu";
    case Code::kEcall:
      return "ecall";
    case Code::kEbreak:
      return "ebreak";
    default:
      return "";
  }
}

template <typename... T>
std::string format(const char* pattern, T... values) {
  char text[96];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// Sets of the letters i, o, r, w.
std::string fence_set(std::uint32_t bits) {
  std::string set;
  for (unsigned i = 0; i < 4; ++i) {
    if ((bits >> (3 - i)) & 1U) set += "iorw"[i];
  }
  return set.empty() ? "unknown" : set;
}

std::string fence(std::uint32_t word) {
  if (word >> 28 == 8 && ((word >> 20) & 0xFF) == 0x33) return "fence.tso";
  return "fence " + fence_set(word >> 24 & 0xF) + "," + fence_set(word >> 20 & 0xF);
}

/// What RISC-V defines and baby cores do not have, by opcode; null if none of these.
const char* missing_extension(std::uint32_t word) {
  const std::uint32_t function = word >> 12 & 7;
  switch (word & 0x7F) {
    case 0x07:
    case 0x27:
    case 0x43:
    case 0x47:
    case 0x4B:
    case 0x4F:
    case 0x53:
      return "floating point";
    case 0x0F:
      return function == 1 ? "fence.i" : nullptr;
    case 0x2F:
      return "atomic memory operation";
    case 0x57:
      return "vector operation";
    case 0x73:
      if (function == 4) return nullptr;
      return function == 0 ? "privileged instruction" : "access of a CSR";
    default:
      return nullptr;
  }
}

}  // namespace

std::string why_invalid(std::uint32_t word) {
  if (word == 0) return ": code memory is zero there, nothing is loaded";
  const char* const what = missing_extension(word);
  return what == nullptr ? "" : std::string(": ") + what + ", which no baby core has";
}

const char* register_name(unsigned index) {
  static constexpr const char* kNames[33] = {
      "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
      "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
      "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "zero"};
  return index < 33 ? kNames[index] : "";
}

std::string disassemble(std::uint32_t word, std::uint32_t pc) {
  const Op op = decode(word, pc);
  const auto code = static_cast<Code>(op.code);
  const char* name = mnemonic(code);
  const char* rd = register_name(op.rd);
  const char* rs1 = register_name(op.rs1);
  const char* rs2 = register_name(op.rs2);
  const auto imm = static_cast<std::uint32_t>(op.imm);
  if (is_branch(code)) return format("%s %s,%s,0x%x", name, rs1, rs2, imm);
  if (is_load(code) || code == Code::kJalr) return format("%s %s,%d(%s)", name, rd, op.imm, rs1);
  if (is_store(code)) return format("%s %s,%d(%s)", name, rs2, op.imm, rs1);
  switch (code) {
    case Code::kInvalid:
      return format(".word 0x%08x", word);
    case Code::kTtinsn:
      return format(".ttinsn 0x%08x", imm);
    case Code::kNop:
      return fence(word);
    case Code::kConstant:
      return format("%s %s,0x%x", (word & 0x7F) == 0x37 ? "lui" : "auipc", rd, word >> 12);
    case Code::kJal:
      return format("%s %s,0x%x", name, rd, imm);
    case Code::kEcall:
    case Code::kEbreak:
      return name;
    case Code::kSlli:
    case Code::kSrli:
    case Code::kSrai:
      return format("%s %s,%s,0x%x", name, rd, rs1, imm);
    default:
      if (code >= Code::kAddi && code <= Code::kAndi) {
        return format("%s %s,%s,%d", name, rd, rs1, op.imm);
      }
      return format("%s %s,%s,%s", name, rd, rs1, rs2);
  }
}

}  // namespace tvp::riscv
