#include "sw/runtime/vectors/lifetimes.h"

#include <algorithm>

namespace tvp::runtime::vectors {
namespace {

using Kind = Instruction::Kind;

bool is_copy(const Instruction& instruction) {
  return instruction.kind == Kind::kMove ||
         (instruction.kind == Kind::kAssign && instruction.operands[0].role == Role::kDefine);
}

}  // namespace

Lifetimes::Lifetimes(VectorCode& code) : code_(code) {
  do {
    find_live();
  } while (drop_dead());
  build();
}

bool Lifetimes::allocated(int web) const {
  return code_.webs[static_cast<std::size_t>(web)].reg < kVectorRegisters;
}

void Lifetimes::step(const Instruction& instruction, Set& live) const {
  for (const Operand& operand : instruction.operands)
    if (operand.role == Role::kDefine) live[static_cast<std::size_t>(operand.web)] = false;
  for (const Operand& operand : instruction.operands) {
    if (operand.role != Role::kDefine && allocated(operand.web))
      live[static_cast<std::size_t>(operand.web)] = true;
  }
}

void Lifetimes::find_live() {
  Set at_exit(code_.webs.size());
  for (std::size_t r = 0; r < kVectorRegisters; ++r) at_exit[r] = code_.keeps[r];
  live_out_.assign(code_.blocks.size(), Set(code_.webs.size()));
  std::vector<Set> live_in = live_out_;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = code_.blocks.size(); b-- > 0;) {
      const Block& block = code_.blocks[b];
      Set live = block.leaves ? at_exit : Set(code_.webs.size());
      for (const std::size_t next : block.next)
        for (std::size_t w = 0; w < live.size(); ++w) live[w] = live[w] || live_in[next][w];
      live_out_[b] = live;
      for (std::size_t i = block.instructions.size(); i-- > 0;) step(block.instructions[i], live);
      if (live == live_in[b]) continue;
      live_in[b] = std::move(live);
      changed = true;
    }
  }
}

bool Lifetimes::drop_dead() {
  bool dropped = false;
  for (std::size_t b = 0; b < code_.blocks.size(); ++b) {
    auto& instructions = code_.blocks[b].instructions;
    Set live = live_out_[b];
    for (std::size_t i = instructions.size(); i-- > 0;) {
      const Instruction& instruction = instructions[i];
      const bool pure = instruction.kind == Kind::kMove || instruction.kind == Kind::kAssign ||
                        instruction.kind == Kind::kConstant ||
                        (instruction.kind == Kind::kIssue && !has_effect(instruction.word) &&
                         !instruction.operands.empty());
      const bool used = std::any_of(
          instruction.operands.begin(), instruction.operands.end(), [&](const Operand& operand) {
            return operand.role != Role::kUse && live[static_cast<std::size_t>(operand.web)];
          });
      if (pure && !used) {
        instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(i));
        dropped = true;
        continue;
      }
      step(instruction, live);
    }
  }
  return dropped;
}

void Lifetimes::meet(int a, int b) {
  if (a == b || !allocated(a) || !allocated(b)) return;
  matrix_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
  matrix_[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = true;
}

void Lifetimes::build() {
  matrix_.assign(code_.webs.size(), Set(code_.webs.size()));
  exists_.assign(code_.webs.size(), false);
  for (std::size_t b = 0; b < code_.blocks.size(); ++b) {
    const auto& instructions = code_.blocks[b].instructions;
    Set live = live_out_[b];
    for (std::size_t i = instructions.size(); i-- > 0;) {
      const Instruction& instruction = instructions[i];
      // The source itself manages registers that it names.
      if (instruction.kind == Kind::kCall &&
          std::find(live.begin() + kVectorRegisters, live.end(), true) != live.end())
        interrupted_line_ = instruction.line;
      for (const Operand& operand : instruction.operands) {
        exists_[static_cast<std::size_t>(operand.web)] = true;
        if (operand.role == Role::kUse || instruction.kind == Kind::kUndefined) continue;
        const int copied = is_copy(instruction) ? instruction.operands[1].web : Operand::kNone;
        for (std::size_t w = 0; w < live.size(); ++w)
          if (live[w] && static_cast<int>(w) != copied) meet(operand.web, static_cast<int>(w));
        for (const Operand& other : instruction.operands)
          if (other.role != Role::kUse) meet(operand.web, other.web);
      }
      step(instruction, live);
      const auto count = static_cast<int>(std::count(live.begin(), live.end(), true));
      if (count > crowd_.count) crowd_ = {instruction.line, count};
    }
  }
}

}  // namespace tvp::runtime::vectors
