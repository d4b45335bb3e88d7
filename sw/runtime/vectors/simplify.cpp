#include "sw/runtime/vectors/simplify.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tvp::runtime::vectors {
namespace {

using regs::tensix::Opcode;
using Kind = Instruction::Kind;

/// Where a web is written and read.
struct Occurrence {
  std::size_t block = 0;
  std::size_t index = 0;
  Role role = Role::kUse;
};

std::vector<std::vector<Occurrence>> occurrences(const VectorCode& code) {
  std::vector<std::vector<Occurrence>> all(code.webs.size());
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    const auto& instructions = code.blocks[b].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i)
      for (const Operand& operand : instructions[i].operands)
        all[static_cast<std::size_t>(operand.web)].push_back({b, i, operand.role});
  }
  return all;
}

bool is_operation(const Instruction& instruction, Opcode opcode) {
  return instruction.kind == Kind::kIssue && opcode_of(instruction.word) == opcode;
}

Operand* operand_at(Instruction& instruction, int bit) {
  for (Operand& operand : instruction.operands)
    if (operand.bit == bit) return &operand;
  return nullptr;
}

bool writes(const Instruction& instruction, int web) {
  return std::any_of(
      instruction.operands.begin(), instruction.operands.end(),
      [&](const Operand& operand) { return operand.web == web && operand.role != Role::kUse; });
}
bool mentions(const Instruction& instruction, int web) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [&](const Operand& operand) { return operand.web == web; });
}

/// True if one of the instructions in [begin, end) may enable or disable lanes.
bool lanes_change(const Block& block, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Instruction& instruction = block.instructions[i];
    if (instruction.kind == Kind::kCall) return true;
    const bool word = instruction.kind == Kind::kIssue || instruction.kind == Kind::kRaw ||
                      instruction.kind == Kind::kStore;
    if (word && changes_lanes(instruction.word)) return true;
  }
  return false;
}

/// The instruction before `index` in the same block that produces a value used only at `index`.
std::optional<std::size_t> sole_maker(const std::vector<Occurrence>& of_web, std::size_t block,
                                      std::size_t index) {
  if (of_web.size() != 2 || of_web[0].role != Role::kDefine || of_web[1].role != Role::kUse)
    return std::nullopt;
  if (of_web[0].block != block || of_web[1].block != block) return std::nullopt;
  if (of_web[1].index != index || of_web[0].index >= index) return std::nullopt;
  return of_web[0].index;
}

void erase_marked(Block& block, const std::vector<bool>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < block.instructions.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) block.instructions[kept] = std::move(block.instructions[i]);
    ++kept;
  }
  block.instructions.resize(kept);
}

/// Depth of the stack of flags, and if its lowest level has all lanes enabled.
struct Lanes {
  int depth = 0;
  bool narrowed = false;
  bool predicated() const { return depth > 0 || narrowed; }
  bool operator==(const Lanes&) const = default;
};

void follow(const Instruction& instruction, Lanes& lanes) {
  if (instruction.kind != Kind::kIssue && instruction.kind != Kind::kRaw) return;
  switch (opcode_of(instruction.word)) {
    case Opcode::kSfppushc:
      ++lanes.depth;
      break;
    case Opcode::kSfppopc:
      if ((instruction.word & 0xF) == 0 && lanes.depth > 0) --lanes.depth;
      break;
    case Opcode::kSfpencc:
      if (lanes.depth == 0) lanes.narrowed = false;
      break;
    default:
      if (lanes.depth == 0 && changes_lanes(instruction.word)) lanes.narrowed = true;
  }
}

}  // namespace

void mark_predicated(VectorCode& code, bool at_entry) {
  std::vector<std::optional<Lanes>> entries(code.blocks.size());
  if (code.blocks.empty()) return;
  std::vector<std::size_t> work = {0};
  entries[0] = Lanes{0, at_entry};
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    Lanes lanes = *entries[b];
    for (Instruction& instruction : code.blocks[b].instructions) {
      instruction.predicated = lanes.predicated();
      follow(instruction, lanes);
    }
    for (const std::size_t next : code.blocks[b].next) {
      if (!entries[next]) {
        entries[next] = lanes;
      } else {
        const Lanes joined = {std::max(entries[next]->depth, lanes.depth),
                              entries[next]->narrowed || lanes.narrowed};
        // Stacks of different depths do not occur in our programs. They count as predicated from
        // here on.
        const Lanes bounded = joined.depth > 8 ? Lanes{8, true} : joined;
        if (bounded == *entries[next]) continue;
        entries[next] = bounded;
      }
      work.push_back(next);
    }
  }
}

void read_constants_in_place(VectorCode& code) {
  std::vector<int> number(code.webs.size(), Operand::kNone);
  std::vector<bool> possible(code.webs.size(), true);
  for (const Block& block : code.blocks) {
    for (const Instruction& instruction : block.instructions) {
      for (const Operand& operand : instruction.operands) {
        const auto web = static_cast<std::size_t>(operand.web);
        if (operand.role == Role::kUse) continue;
        const bool constant = instruction.kind == Kind::kConstant &&
                              (number[web] < 0 || number[web] == instruction.number);
        if (!constant) possible[web] = false;
        number[web] = instruction.number;
      }
    }
  }
  for (std::size_t web = kVectorRegisters; web < code.webs.size(); ++web)
    if (possible[web] && number[web] >= 0) code.webs[web].reg = number[web];
  for (Block& block : code.blocks) {
    std::erase_if(block.instructions, [&](const Instruction& instruction) {
      return instruction.kind == Kind::kConstant &&
             code.webs[static_cast<std::size_t>(instruction.operands[0].web)].reg >= 0;
    });
  }
}

void fuse_products(VectorCode& code) {
  const auto at = occurrences(code);
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    Block& block = code.blocks[b];
    std::vector<bool> gone(block.instructions.size());
    for (std::size_t i = 0; i < block.instructions.size(); ++i) {
      Instruction& sum = block.instructions[i];
      if (!is_operation(sum, Opcode::kSfpadd)) continue;
      for (const int bit : {12, 8}) {
        const Operand* addend = operand_at(sum, bit);
        if (addend == nullptr) continue;
        const auto maker = sole_maker(at[static_cast<std::size_t>(addend->web)], b, i);
        if (!maker || gone[*maker]) continue;
        Instruction& product = block.instructions[*maker];
        if (!is_operation(product, Opcode::kSfpmul) || lanes_change(block, *maker, i)) continue;
        Operand first = *operand_at(product, 16);
        Operand second = *operand_at(product, 12);
        bool same = true;
        for (std::size_t k = *maker + 1; k < i; ++k) {
          same = same && !writes(block.instructions[k], first.web) &&
                 !writes(block.instructions[k], second.web);
        }
        if (!same) continue;
        Operand third = *operand_at(sum, bit == 12 ? 8 : 12);
        third.bit = 8;
        sum.operands = {*operand_at(sum, 4), first, second, third};
        sum.word = regs::tensix::encode_sfpmad(0, 0, 0, 0, 0);
        gone[*maker] = true;
        break;
      }
    }
    erase_marked(block, gone);
  }
}

void fold_immediates(VectorCode& code) {
  const auto at = occurrences(code);
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    Block& block = code.blocks[b];
    std::vector<Instruction> out;
    std::vector<bool> gone(block.instructions.size());
    std::vector<std::optional<Instruction>> before(block.instructions.size());
    for (std::size_t i = 0; i < block.instructions.size(); ++i) {
      Instruction& operation = block.instructions[i];
      const bool sum = is_operation(operation, Opcode::kSfpadd);
      if (!sum && !is_operation(operation, Opcode::kSfpmul)) continue;
      const std::pair<int, int> fields = sum ? std::pair{12, 8} : std::pair{16, 12};
      for (const auto& [bit, other_bit] : {fields, std::pair{fields.second, fields.first}}) {
        const Operand* immediate = operand_at(operation, bit);
        const Operand* other = operand_at(operation, other_bit);
        if (immediate == nullptr || other == nullptr) continue;
        if (code.webs[static_cast<std::size_t>(other->web)].reg >= kVectorRegisters) continue;
        const auto maker = sole_maker(at[static_cast<std::size_t>(immediate->web)], b, i);
        if (!maker) continue;
        const Instruction& load = block.instructions[*maker];
        if (!is_operation(load, Opcode::kSfploadi) ||
            regs::tensix::Sfploadi::kMod0.of(load.word) != 0 || lanes_change(block, *maker, i))
          continue;
        const Word value = regs::tensix::Sfploadi::kImm16.of(load.word);
        Operand result = *operand_at(operation, 4);
        Instruction copy;
        copy.kind = Kind::kMove;
        copy.line = operation.line;
        copy.predicated = operation.predicated;
        copy.operands = {result, *other};
        copy.operands[0].bit = copy.operands[1].bit = Operand::kNone;
        before[i] = copy;
        result.role = Role::kModify;
        operation.operands = {result};
        operation.word = sum ? regs::tensix::encode_sfpaddi(value, 0, 0)
                             : regs::tensix::encode_sfpmuli(value, 0, 0);
        gone[*maker] = true;
        break;
      }
    }
    for (std::size_t i = 0; i < block.instructions.size(); ++i) {
      if (before[i]) out.push_back(std::move(*before[i]));
      if (!gone[i]) out.push_back(std::move(block.instructions[i]));
    }
    block.instructions = std::move(out);
  }
}

namespace {

/// If a variable's old value is needed after its assignment, the compiler copies it right before.
/// This moves the copy before `first`, if no instruction in between depends on it.
void copy_variable_earlier(Block& block, std::size_t first, std::size_t index, int variable) {
  const auto begin = block.instructions.begin();
  std::size_t copy = first + 1;
  while (copy < index && !mentions(block.instructions[copy], variable)) ++copy;
  if (copy == index || block.instructions[copy].kind != Kind::kMove) return;
  if (block.instructions[copy].operands[0].web != variable) return;
  const int source = block.instructions[copy].operands[1].web;
  for (std::size_t i = first; i < copy; ++i) {
    if (writes(block.instructions[i], source) || mentions(block.instructions[i], variable)) return;
  }
  block.instructions[copy].line = block.instructions[first].line;
  const auto at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
  std::rotate(at(first), at(copy), at(copy + 1));
}

/// Renames the value of the assignment at `index` to its variable, if no instruction during the
/// value's life changes the variable or the lanes.
bool write_directly(VectorCode& code, Block& block, std::size_t index,
                    const std::vector<Occurrence>& of_value) {
  const int variable = block.instructions[index].operands[0].web;
  const int value = block.instructions[index].operands[1].web;
  if (code.webs[static_cast<std::size_t>(value)].reg >= 0 || value == variable) return false;
  const std::size_t first = of_value.front().index;
  for (const Occurrence& each : of_value)
    if (&code.blocks[each.block] != &block || each.index > index || each.index < first)
      return false;
  if (of_value.front().role != Role::kDefine || first == index) return false;
  if (lanes_change(block, first + 1, index)) return false;
  copy_variable_earlier(block, first, index, variable);
  const std::size_t begin = mentions(block.instructions[first], value) ? first : first + 1;
  for (std::size_t i = begin + 1; i < index; ++i)
    if (mentions(block.instructions[i], variable)) return false;
  Instruction& maker = block.instructions[begin];
  if (writes(maker, variable) || maker.kind == Kind::kUndefined) return false;
  // An instruction that sets flags by its result does so in the lanes that were enabled before.
  for (std::size_t i = begin; i < index; ++i) {
    for (Operand& operand : block.instructions[i].operands) {
      if (operand.web != value) continue;
      operand.web = variable;
      if (i == begin && operand.role == Role::kDefine) operand.role = Role::kModify;
    }
  }
  if (maker.kind == Kind::kMove) maker.kind = Kind::kAssign;  // only enabled lanes
  return true;
}

}  // namespace

void write_variables_directly(VectorCode& code) {
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    Block& block = code.blocks[b];
    std::vector<bool> gone(block.instructions.size());
    for (std::size_t i = 0; i < block.instructions.size(); ++i) {
      Instruction& assignment = block.instructions[i];
      if (assignment.kind != Kind::kAssign) continue;
      if (!assignment.predicated || assignment.operands[0].role == Role::kDefine) {
        assignment.kind = Kind::kMove;  // all lanes, or no other lanes to keep
        assignment.operands[0].role = Role::kDefine;
        continue;
      }
      const auto at = occurrences(code);
      const auto value = static_cast<std::size_t>(assignment.operands[1].web);
      gone[i] = write_directly(code, block, i, at[value]);
      if (gone[i]) assignment.operands.clear();
    }
    erase_marked(block, gone);
    std::erase_if(block.instructions, [](const Instruction& instruction) {
      return (instruction.kind == Kind::kAssign || instruction.kind == Kind::kMove) &&
             instruction.operands[0].web == instruction.operands[1].web;
    });
  }
}

namespace {

constexpr Word kUpperHalf = 8, kLowerHalf = 10;  // modes of SFPLOADI

/// Half of its register that a word of the source loads; 0 for other instructions.
Word loaded_half(const Instruction& instruction) {
  if (instruction.kind != Kind::kRaw || opcode_of(instruction.word) != Opcode::kSfploadi) return 0;
  const Word mode = instruction.word >> 16 & 0xF;
  return mode == kUpperHalf || mode == kLowerHalf ? mode : 0;
}

}  // namespace

void join_half_loads(VectorCode& code) {
  for (Block& block : code.blocks) {
    for (std::size_t i = 0; i < block.instructions.size(); ++i) {
      const Word half = loaded_half(block.instructions[i]);
      if (half == 0) continue;
      Operand& loaded = block.instructions[i].operands.front();
      // Finds the next instruction that uses the register with the same lanes enabled.
      for (std::size_t j = i + 1; j < block.instructions.size(); ++j) {
        const Instruction& next = block.instructions[j];
        if (next.kind == Kind::kCall || changes_lanes(next.word)) break;
        const auto same = [&](const Operand& operand) { return operand.web == loaded.web; };
        if (std::none_of(next.operands.begin(), next.operands.end(), same)) continue;
        const Word other = loaded_half(next);
        if (other != 0 && other != half) loaded.role = Role::kDefine;
        break;
      }
    }
  }
}

void copy_to_fixed_registers(VectorCode& code) {
  for (Block& block : code.blocks) {
    std::vector<Instruction> out;
    for (Instruction& instruction : block.instructions) {
      std::vector<Instruction> after;
      for (Operand& operand : instruction.operands) {
        if (operand.fixed < 0 || operand.place < 0) continue;
        Instruction copy;
        copy.kind = Kind::kMove;
        copy.line = instruction.line;
        copy.predicated = instruction.predicated;
        const Operand value = {Role::kUse, -1, -1, -1, operand.web};
        const Operand reg = {Role::kUse, -1, -1, -1, operand.fixed};
        if (operand.role != Role::kDefine) {
          copy.operands = {reg, value};
          copy.operands[0].role = Role::kDefine;
          out.push_back(copy);
        }
        if (operand.role != Role::kUse) {
          copy.operands = {value, reg};
          copy.operands[0].role = Role::kDefine;
          after.push_back(copy);
        }
        operand.web = operand.fixed;
      }
      out.push_back(std::move(instruction));
      out.insert(out.end(), after.begin(), after.end());
    }
    block.instructions = std::move(out);
  }
}

}  // namespace tvp::runtime::vectors
