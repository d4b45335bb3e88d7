#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {
namespace {

using regs::tensix::Opcode;

Word mod1(Word word) { return word & 0xF; }

/// True if an instruction has no result in an LReg.
bool only_reads(Opcode opcode) {
  return opcode == Opcode::kSfpstore || opcode == Opcode::kSfpsetcc || opcode == Opcode::kSfpconfig;
}

}  // namespace

bool is_vector(Word word) {
  return opcode_of(word) >= Opcode::kSfpload && opcode_of(word) <= Opcode::kSfplutfp32;
}

bool changes_lanes(Word word) {
  switch (opcode_of(word)) {
    case Opcode::kSfpsetcc:
    case Opcode::kSfpencc:
    case Opcode::kSfppushc:
    case Opcode::kSfppopc:
    case Opcode::kSfpcompc:
      return true;
    case Opcode::kSfpiadd:  // unless flags are disabled
      return (mod1(word) & 4) == 0 || (mod1(word) & 8) != 0;
    case Opcode::kSfpexexp:
    case Opcode::kSfplz:
      return (mod1(word) & (2 | 8)) != 0;
    default:
      return false;
  }
}

bool has_effect(Word word) {
  if (changes_lanes(word)) return true;
  switch (opcode_of(word)) {
    case Opcode::kSfpstore:
    case Opcode::kSfpconfig:
    case Opcode::kSfpload:  // moves the Dst counter by its address modifier
    case Opcode::kSfploadmacro:
    case Opcode::kSfpnop:
      return true;
    case Opcode::kSfpmov:  // uses the random number generator
    case Opcode::kSfpcast:
    case Opcode::kSfpstochrnd:
      return false;
    default:
      return !is_vector(word);
  }
}

bool is_late(Word word) {
  switch (opcode_of(word)) {
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
    case Opcode::kSfpaddi:
    case Opcode::kSfpmuli:
    case Opcode::kSfplut:
    case Opcode::kSfplutfp32:
      return true;
    default:
      return false;
  }
}

bool occupies(Word word) {
  const Opcode opcode = opcode_of(word);
  return opcode == Opcode::kSfpswap || opcode == Opcode::kSfpconfig ||
         (opcode == Opcode::kSfpshft2 && mod1(word) >= 2 && mod1(word) <= 4);
}

std::vector<Operand> raw_operands(Word word) {
  std::vector<Operand> operands;
  const auto add = [&](Role role, int number) {
    if (number < kVectorRegisters) operands.push_back({role, Operand::kNone, number, -1, -1});
  };
  const auto field = [&](Role role, int bit) { add(role, static_cast<int>(word >> bit & 0xF)); };
  const auto range = [&](Role role, int first, int last) {
    for (int i = first; i <= last; ++i) add(role, i);
  };
  switch (opcode_of(word)) {
    case Opcode::kSfpload:
    case Opcode::kSfploadmacro:
      field(Role::kDefine, 20);
      break;
    case Opcode::kSfploadi:
      field((word >> 16 & 0xF) >= 8 ? Role::kModify : Role::kDefine, 20);
      break;
    case Opcode::kSfpstore:
      field(Role::kUse, 20);
      break;
    case Opcode::kSfplut:
      range(Role::kUse, 0, 3);
      field(Role::kDefine, 20);
      break;
    case Opcode::kSfplutfp32:
      range(Role::kUse, 0, 7);
      field(Role::kDefine, 4);
      break;
    case Opcode::kSfpmuli:
    case Opcode::kSfpaddi:
      field(Role::kModify, 4);
      break;
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
      for (const int bit : {16, 12, 8}) field(Role::kUse, bit);
      field(Role::kDefine, 4);
      break;
    case Opcode::kSfpiadd:
    case Opcode::kSfpshft:
    case Opcode::kSfpand:
    case Opcode::kSfpor:
    case Opcode::kSfpxor:
    case Opcode::kSfpsetexp:
    case Opcode::kSfpsetman:
    case Opcode::kSfpsetsgn:
      field(Role::kUse, 8);
      field(Role::kModify, 4);
      break;
    case Opcode::kSfpswap:
      field(Role::kModify, 8);
      field(Role::kModify, 4);
      break;
    case Opcode::kSfptransp:
      range(Role::kModify, 0, 7);
      break;
    case Opcode::kSfpshft2:
      if (mod1(word) <= 2) range(Role::kModify, 0, 3);
      field(Role::kUse, 12);
      field(Role::kUse, 8);
      field(Role::kDefine, 4);
      break;
    case Opcode::kSfpconfig:
      add(Role::kUse, 0);
      break;
    case Opcode::kSfppushc:
    case Opcode::kSfppopc:
    case Opcode::kSfpcompc:
    case Opcode::kSfpencc:
    case Opcode::kSfpnop:
      break;
    case Opcode::kSfpstochrnd:
      field(Role::kUse, 12);
      [[fallthrough]];
    default:
      if (!is_vector(word)) break;
      field(Role::kUse, 8);
      if (!only_reads(opcode_of(word))) field(Role::kDefine, 4);
  }
  return operands;
}

}  // namespace tvp::runtime::vectors
