#include "sw/runtime/vectors/rematerialization.h"

#include <algorithm>
#include <vector>

namespace tvp::runtime::vectors {
namespace {

using regs::tensix::Opcode;
using Kind = Instruction::Kind;

bool is_load(const Instruction& instruction) {
  return instruction.kind == Kind::kIssue && opcode_of(instruction.word) == Opcode::kSfploadi;
}

const Operand* find_web(const Instruction& instruction, int web) {
  for (const Operand& operand : instruction.operands)
    if (operand.web == web) return &operand;
  return nullptr;
}

/// True if the instruction reads lanes that are not enabled. Its operands must then be loaded with
/// all lanes enabled.
bool reads_disabled_lanes(const Instruction& instruction) {
  if (!instruction.predicated) return false;
  if (instruction.kind == Kind::kMove) return true;
  return instruction.kind == Kind::kIssue && (opcode_of(instruction.word) == Opcode::kSfpshft2 ||
                                              opcode_of(instruction.word) == Opcode::kSfptransp);
}

}  // namespace

bool Rematerialization::possible(int web) const {
  int loads = 0;
  std::size_t others = 0;
  for (const Block& block : code_.blocks) {
    for (const Instruction& instruction : block.instructions) {
      const Operand* operand = find_web(instruction, web);
      if (operand == nullptr) continue;
      if (operand->role == Role::kUse) {
        if (reads_disabled_lanes(instruction)) return false;
        ++others;
        continue;
      }
      if (!is_load(instruction)) return false;
      if (operand->role == Role::kDefine && ++loads > 1) return false;
      if (operand->role == Role::kModify && (loads != 1 || others != 0)) return false;
    }
  }
  return loads == 1 && others > 0;
}

void Rematerialization::split(int web) {
  std::vector<Instruction> loads;
  for (Block& block : code_.blocks) {
    std::erase_if(block.instructions, [&](const Instruction& instruction) {
      const Operand* operand = find_web(instruction, web);
      if (operand == nullptr || operand->role == Role::kUse) return false;
      loads.push_back(instruction);
      return true;
    });
  }
  for (Block& block : code_.blocks) {
    std::vector<Instruction> out;
    for (Instruction& instruction : block.instructions) {
      if (find_web(instruction, web) != nullptr) {
        const auto fresh = static_cast<int>(code_.webs.size());
        code_.webs.emplace_back();
        done_.insert(fresh);
        for (Instruction load : loads) {
          load.line = instruction.line;
          load.predicated = instruction.predicated;
          for (Operand& operand : load.operands) operand.web = fresh;
          out.push_back(std::move(load));
        }
        for (Operand& operand : instruction.operands)
          if (operand.web == web) operand.web = fresh;
      }
      out.push_back(std::move(instruction));
    }
    block.instructions = std::move(out);
  }
}

bool Rematerialization::split_one(const Lifetimes& lifetimes) {
  int best = Operand::kNone;
  std::ptrdiff_t most = 0;
  for (int web = kVectorRegisters; web < static_cast<int>(code_.webs.size()); ++web) {
    if (done_.contains(web) || !lifetimes.exists(web) || !possible(web)) continue;
    const auto& neighbors = lifetimes.neighbors(web);
    const auto count = std::count(neighbors.begin(), neighbors.end(), true);
    if (count <= most) continue;
    most = count;
    best = web;
  }
  if (best < 0) return false;
  done_.insert(best);
  split(best);
  return true;
}

}  // namespace tvp::runtime::vectors
