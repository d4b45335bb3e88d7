#include "models/riscv/decode/disassembler.h"

#include <cctype>
#include <cstdio>

#include "foundation/regs/tensix_disassembler.h"
#include "models/riscv/decode/decoder.h"

namespace tvp::riscv {

namespace {

/// The mnemonic of a Code, derived from its name.
std::string mnemonic(Code code) {
#define TVP_RISCV_NAME(name) #name,
  static constexpr const char* kNames[] = {TVP_RISCV_CODES(TVP_RISCV_NAME)};
#undef TVP_RISCV_NAME
  std::string name = kNames[static_cast<std::size_t>(code)];
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (code >= Code::kSextb && code <= Code::kOrcb) name.insert(name.size() - 1, ".");
  return name;
}

template <typename... T>
std::string format(const char* pattern, T... values) {
  char text[96];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// The letters i, o, r, w of a set.
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

/// The extension of an opcode that RISC-V defines but baby cores lack; null if there is none.
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

std::string disassemble(std::uint32_t word, std::uint32_t pc, Generation generation) {
  const Op op = decode(word, pc);
  const auto code = static_cast<Code>(op.code);
  std::string text = mnemonic(code);
  const char* const name = text.c_str();
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
      return format(".ttinsn 0x%08x  # ", imm) + regs::tensix::disassemble(imm, generation);
    case Code::kNop:
      return fence(word);
    case Code::kConstant:
      return format("%s %s,0x%x", (word & 0x7F) == 0x37 ? "lui" : "auipc", rd, word >> 12);
    case Code::kJal:
      return format("%s %s,0x%x", name, rd, imm);
    case Code::kEcall:
    case Code::kEbreak:
      return text;
    case Code::kSlli:
    case Code::kSrli:
    case Code::kSrai:
    case Code::kRori:
      return format("%s %s,%s,0x%x", name, rd, rs1, imm);
    default:
      if (is_csr_access(code)) {
        if (code >= Code::kCsrrwi) return format("%s %s,0x%x,%u", name, rd, imm, unsigned{op.rs2});
        return format("%s %s,0x%x,%s", name, rd, imm, rs1);
      }
      if (is_atomic(code)) {
        static constexpr const char* kOrders[] = {"", ".rl", ".aq", ".aqrl"};
        return format("%s.w%s %s,%s,(%s)", name, kOrders[word >> 25 & 3], rd, rs2, rs1);
      }
      if (is_immediate(code) && is_bit_manipulation(code)) return format("%s %s,%s", name, rd, rs1);
      if (code >= Code::kAddi && code <= Code::kAndi) {
        return format("%s %s,%s,%d", name, rd, rs1, op.imm);
      }
      return format("%s %s,%s,%s", name, rd, rs1, rs2);
  }
}

}  // namespace tvp::riscv
