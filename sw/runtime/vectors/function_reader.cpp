#include "sw/runtime/vectors/function_reader.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tvp::runtime::vectors {
namespace {

using Kind = Instruction::Kind;

constexpr int kIntegerRegisters = 32;

template <typename Names>
bool one_of(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_branch(const std::string& mnemonic) {
  static constexpr std::string_view kBranches[] = {"beq",  "bne",  "blt",  "bge",  "bltu", "bgeu",
                                                   "bgt",  "ble",  "bgtu", "bleu", "beqz", "bnez",
                                                   "bltz", "bgez", "bgtz", "blez"};
  return one_of(kBranches, mnemonic);
}
bool is_jump(const std::string& mnemonic) {
  return mnemonic == "j" || mnemonic == "jr" || mnemonic == "ret" || mnemonic == "tail";
}
bool is_call(const std::string& mnemonic) {
  return mnemonic == "call" || mnemonic == "jal" || mnemonic == "jalr";
}
/// True if the first operand is not written.
bool writes_no_register(const std::string& mnemonic) {
  static constexpr std::string_view kNames[] = {
      "sb", "sh", "sw", "nop", "ecall", "csrw", "ebreak", "fence", "fence.i", "csrs", "csrc"};
  return mnemonic[0] == '.' || is_branch(mnemonic) || is_jump(mnemonic) || one_of(kNames, mnemonic);
}
/// Caller-saved registers of RV32's calling convention.
constexpr std::array<int, 16> kCallerSaved = {1,  5,  6,  7,  10, 11, 12, 13,
                                              14, 15, 16, 17, 28, 29, 30, 31};

constexpr const char* kNotFollowed =
    "a vector comes from memory, goes there, or passes a call. Vectors cannot be in an array that "
    "is indexed at run time. Functions that take or return them must be inlined (sfpi_inline)";

/// A constant word that the sources issue themselves. `.ttinsn` is rotated left by two (ISA
/// BabyRISCV/PushTensixInstruction.md).
bool parse_word(const AssemblyText::Line& line, Word& word) {
  if (line.mnemonic != ".word" || line.operands.size() != 1) return false;
  const std::string& text = line.operands[0];
  char* end = nullptr;
  const Word value = static_cast<Word>(std::strtoul(text.c_str(), &end, 0));
  if (end == text.c_str() || *end != 0 || (value & 3) == 3) return false;
  word = value >> 2 | value << 30;
  return true;
}

}  // namespace

FunctionReader::FunctionReader(const AssemblyText& text, const AssemblyText::Function& function,
                               const std::set<std::string>& vector_functions)
    : text_(text), function_(function), vector_functions_(vector_functions) {}

bool FunctionReader::uses_vectors(const AssemblyText& text,
                                  const AssemblyText::Function& function) {
  for (std::size_t i = function.begin; i < function.end; ++i)
    if (is_ours(text.lines()[i])) return true;
  return false;
}

void FunctionReader::refuse(std::size_t line, const std::string& what) const {
  throw VectorError(text_.source_of(line) + ": " + what);
}

VectorCode FunctionReader::read() {
  find_blocks();
  for (Block& block : code_.blocks)
    for (std::size_t i = block.begin; i < block.end; ++i) read_line(i, block);
  find_definitions();
  flow();
  join_webs();
  return std::move(code_);
}

void FunctionReader::find_blocks() {
  std::set<std::string> targets(text_.addressed_labels().begin(), text_.addressed_labels().end());
  for (std::size_t i = function_.begin; i < function_.end; ++i) {
    const Line& line = text_.lines()[i];
    if (is_branch(line.mnemonic) || is_jump(line.mnemonic))
      targets.insert(line.operands.begin(), line.operands.end());
  }
  bool fresh = true;
  for (std::size_t i = function_.begin; i < function_.end; ++i) {
    const Line& line = text_.lines()[i];
    if (targets.contains(line.label)) fresh = true;
    if (fresh) {
      if (!code_.blocks.empty()) code_.blocks.back().end = i;
      code_.blocks.push_back({i, function_.end, {}, false, {}});
    }
    if (!line.label.empty()) block_of_label_[line.label] = code_.blocks.size() - 1;
    fresh = is_branch(line.mnemonic) || is_jump(line.mnemonic);
  }
  link_blocks();
}

void FunctionReader::link_blocks() {
  for (std::size_t b = 0; b < code_.blocks.size(); ++b) {
    Block& block = code_.blocks[b];
    const Line& last = text_.lines()[block.end - 1];
    const auto go = [&](const std::string& label) {
      const auto found = block_of_label_.find(label);
      if (found == block_of_label_.end()) return false;
      block.next.push_back(found->second);
      return true;
    };
    bool falls = true;
    if (is_branch(last.mnemonic)) go(last.operands.back());
    if (is_jump(last.mnemonic)) {
      falls = false;
      if (last.mnemonic == "j") {
        block.leaves = !go(last.operands[0]);
      } else if (last.mnemonic == "jr" && last.operands[0] != "ra") {  // a jump table
        for (const std::string& label : text_.addressed_labels()) go(label);
      } else {
        block.leaves = true;
      }
    }
    if (falls && b + 1 < code_.blocks.size()) block.next.push_back(b + 1);
    if (falls && b + 1 == code_.blocks.size()) block.leaves = true;
  }
}

int FunctionReader::place_of_register(const std::string& name) const {
  return AssemblyText::integer_register(name);
}

int FunctionReader::place_of_slot(const std::string& operand) {
  if (!operand.ends_with("(sp)")) return Operand::kNone;
  const auto next = kIntegerRegisters + static_cast<int>(slots_.size());
  return slots_.emplace(operand, next).first->second;
}

/// "d20=a5": role, bit, place; "S0=a5": role, register, place; "X4": a register that is
/// overwritten.
Operand FunctionReader::parse_operand(const std::string& text) {
  Operand operand;
  switch (text[0]) {
    case 'd':
    case 'D':
    case 'X':
      operand.role = Role::kDefine;
      break;
    case 'm':
    case 'M':
      operand.role = Role::kModify;
      break;
    default:
      operand.role = Role::kUse;
  }
  const int number = std::atoi(text.c_str() + 1);
  (text[0] >= 'a' ? operand.bit : operand.fixed) = number;
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos) operand.place = place_of_register(text.substr(equals + 1));
  return operand;
}

bool FunctionReader::read_ours(const Line& line, Instruction& instruction) {
  const auto place = [&](std::size_t i, Role role) {
    return Operand{role, Operand::kNone, Operand::kNone, place_of_register(line.operands[i]), -1};
  };
  const auto fixed = [&](std::size_t i, Role role) {
    return Operand{role, Operand::kNone, std::atoi(line.operands[i].c_str()), -1, -1};
  };
  std::size_t first = line.operands.size();
  if (line.mnemonic == "sfpi.issue") {
    instruction.word = static_cast<Word>(std::strtoul(line.operands[0].c_str(), nullptr, 0));
    first = 1;
  } else if (line.mnemonic == "sfpi.store") {
    instruction.kind = Kind::kStore;
    instruction.word = static_cast<Word>(std::strtoul(line.operands[0].c_str(), nullptr, 0));
    instruction.scalar = line.operands[1];
    instruction.scratch = line.operands[2];
    instruction.port = line.operands[3];
    first = 4;
  } else if (line.mnemonic == "sfpi.assign") {
    instruction.kind = Kind::kAssign;
    instruction.operands = {place(0, Role::kModify), place(1, Role::kUse)};
  } else if (line.mnemonic == "sfpi.undefined") {
    instruction.kind = Kind::kUndefined;
    instruction.operands = {place(0, Role::kDefine)};
  } else if (line.mnemonic == "sfpi.constant") {
    instruction.kind = Kind::kConstant;
    instruction.number = std::atoi(line.operands[0].c_str());
    instruction.operands = {place(1, Role::kDefine)};
  } else if (line.mnemonic == "sfpi.get") {
    instruction.kind = Kind::kMove;
    instruction.operands = {place(1, Role::kDefine), fixed(0, Role::kUse)};
  } else if (line.mnemonic == "sfpi.set") {
    instruction.kind = Kind::kMove;
    instruction.operands = {fixed(0, Role::kDefine), place(1, Role::kUse)};
    code_.keeps[instruction.operands[0].fixed] = true;
  } else {
    return false;
  }
  for (std::size_t i = first; i < line.operands.size(); ++i)
    instruction.operands.push_back(parse_operand(line.operands[i]));
  return true;
}

void FunctionReader::read_line(std::size_t number, Block& block) {
  const Line& line = text_.lines()[number];
  Instruction instruction;
  instruction.line = number;
  if (is_ours(line)) {
    if (!read_ours(line, instruction)) refuse(number, "unknown vector operation " + line.mnemonic);
    block.instructions.push_back(std::move(instruction));
    return;
  }
  Word word = 0;
  if (parse_word(line, word)) {
    instruction.kind = Kind::kRaw;
    instruction.word = word;
    instruction.operands = raw_operands(word);
    block.instructions.push_back(std::move(instruction));
    return;
  }
  const bool tail = line.mnemonic == "tail" ||
                    (line.mnemonic == "j" && !block_of_label_.contains(line.operands[0]));
  if (is_call(line.mnemonic) || tail) {
    const std::string& callee = line.operands.back();
    if (place_of_register(callee) < 0 && !vector_functions_.contains(callee)) return;
    instruction.kind = Kind::kCall;
    block.instructions.push_back(std::move(instruction));
    return;
  }
  // A copy if its value is a vector.
  int to = Operand::kNone;
  int from = Operand::kNone;
  if (line.mnemonic == "mv") {
    to = place_of_register(line.operands[0]);
    from = place_of_register(line.operands[1]);
  } else if (line.mnemonic == "lw") {
    to = place_of_register(line.operands[0]);
    from = place_of_slot(line.operands[1]);
  } else if (line.mnemonic == "sw") {
    to = place_of_slot(line.operands[1]);
    from = place_of_register(line.operands[0]);
  }
  if (to < 0 || from < 0) return;
  instruction.kind = Kind::kMove;
  instruction.operands = {{Role::kDefine, -1, -1, to, -1}, {Role::kUse, -1, -1, from, -1}};
  block.instructions.push_back(std::move(instruction));
}

void FunctionReader::find_definitions() {
  definitions_at_.resize(static_cast<std::size_t>(kIntegerRegisters) + slots_.size());
  for (std::size_t b = 0; b < code_.blocks.size(); ++b) {
    const auto& instructions = code_.blocks[b].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const auto& operands = instructions[i].operands;
      for (std::size_t o = 0; o < operands.size(); ++o) {
        if (operands[o].place < 0 || operands[o].role == Role::kUse) continue;
        const auto place = static_cast<std::size_t>(operands[o].place);
        definitions_at_[place].push_back(definitions_.size());
        definitions_of_[{b, i}].push_back(definitions_.size());
        definitions_.push_back(
            {operands[o].place, b, i, o, instructions[i].kind == Kind::kUndefined});
      }
    }
  }
}

bool FunctionReader::holds_vector(const State& state, int place) const {
  const auto& at = definitions_at_[static_cast<std::size_t>(place)];
  return std::any_of(at.begin(), at.end(), [&](std::size_t d) { return state.definitions[d]; });
}

void FunctionReader::apply_scalar(const Line& line, State& state) {
  const auto lose = [&](int place) {
    for (const std::size_t d : definitions_at_[static_cast<std::size_t>(place)])
      state.definitions[d] = false;
    state.other[static_cast<std::size_t>(place)] = true;
  };
  if (line.mnemonic.empty()) return;
  if (is_call(line.mnemonic)) {
    for (const int place : kCallerSaved) lose(place);
    return;
  }
  if (line.mnemonic == "sw" && line.operands[1].ends_with("(sp)"))
    lose(slots_.at(line.operands[1]));
  if (writes_no_register(line.mnemonic) || line.operands.empty()) return;
  if (const int place = place_of_register(line.operands[0]); place > 0) lose(place);
}

void FunctionReader::apply(const Instruction& instruction, std::size_t block, std::size_t index,
                           State& state) {
  const bool copy = !is_ours(text_.lines()[instruction.line]) && instruction.kind == Kind::kMove;
  if ((copy && !holds_vector(state, instruction.operands[1].place)) ||
      instruction.kind == Kind::kCall) {
    apply_scalar(text_.lines()[instruction.line], state);
    return;
  }
  if (!instruction.scratch.empty()) {
    const auto place = static_cast<std::size_t>(place_of_register(instruction.scratch));
    for (const std::size_t d : definitions_at_[place]) state.definitions[d] = false;
  }
  const auto found = definitions_of_.find({block, index});
  if (found == definitions_of_.end()) return;
  for (const std::size_t d : found->second) {
    const auto place = static_cast<std::size_t>(definitions_[d].place);
    for (const std::size_t other : definitions_at_[place]) state.definitions[other] = false;
    state.definitions[d] = true;
    state.other[place] = false;
  }
}

void FunctionReader::merge(const State& from, std::size_t into, std::vector<std::size_t>& work) {
  State& state = entries_[into];
  bool grown = !state.reached;
  state.reached = true;
  const auto add = [&](const Bits& bits, Bits& to) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (!bits[i] || to[i]) continue;
      to[i] = true;
      grown = true;
    }
  };
  add(from.definitions, state.definitions);
  add(from.other, state.other);
  if (grown) work.push_back(into);
}

void FunctionReader::flow() {
  State empty;
  empty.definitions.resize(definitions_.size());
  empty.other.resize(definitions_at_.size());
  entries_.assign(code_.blocks.size(), empty);
  State start = empty;
  start.other.assign(start.other.size(), true);
  std::vector<std::size_t> work;
  merge(start, 0, work);
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    const Block& block = code_.blocks[b];
    State state = entries_[b];
    std::size_t index = 0;
    for (std::size_t line = block.begin; line < block.end; ++line) {
      if (index < block.instructions.size() && block.instructions[index].line == line) {
        apply(block.instructions[index], b, index, state);
        ++index;
      } else {
        apply_scalar(text_.lines()[line], state);
      }
    }
    for (const std::size_t next : block.next) merge(state, next, work);
  }
}

int FunctionReader::find(int definition) {
  auto& parent = parents_[static_cast<std::size_t>(definition)];
  return parent == definition ? definition : parent = find(parent);
}

void FunctionReader::join_webs() {
  parents_.resize(definitions_.size());
  for (std::size_t d = 0; d < parents_.size(); ++d) parents_[d] = static_cast<int>(d);
  for (std::size_t b = 0; b < code_.blocks.size(); ++b)
    if (entries_[b].reached) visit(b, entries_[b]);
  // Webs in the order of their first definition, then those without one.
  std::vector<int> number(parents_.size(), Operand::kNone);
  int count = kVectorRegisters;
  for (std::size_t d = 0; d < parents_.size(); ++d) {
    int& n = number[static_cast<std::size_t>(find(static_cast<int>(d)))];
    if (n < 0) n = count++;
  }
  for (std::size_t b = 0; b < code_.blocks.size(); ++b) {
    auto& instructions = code_.blocks[b].instructions;
    if (!entries_[b].reached) {
      for (const Instruction& instruction : instructions)
        if (is_ours(text_.lines()[instruction.line])) code_.lines.push_back(instruction.line);
      instructions.clear();
    }
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const auto found = definitions_of_.find({b, i});
      for (Operand& operand : instructions[i].operands) {
        if (operand.place < 0) {
          operand.web = operand.fixed;  // webs 0 to 7 are the registers themselves
        } else if (operand.role == Role::kUse) {
          operand.web =
              operand.web < 0 ? count++ : number[static_cast<std::size_t>(find(operand.web))];
        }
      }
      if (found == definitions_of_.end()) continue;
      for (const std::size_t d : found->second) {
        instructions[i].operands[definitions_[d].operand].web =
            number[static_cast<std::size_t>(find(static_cast<int>(d)))];
      }
    }
    std::erase_if(instructions, [&](const Instruction& instruction) {
      return instruction.kind == Kind::kMove && instruction.number != 0;
    });
    for (const Instruction& instruction : instructions)
      if (instruction.kind != Kind::kCall && instruction.kind != Kind::kRaw)
        code_.lines.push_back(instruction.line);
  }
  code_.webs.resize(static_cast<std::size_t>(count));
  for (int r = 0; r < kVectorRegisters; ++r) code_.webs[static_cast<std::size_t>(r)].reg = r;
}

/// Joins uses with the definitions that reach them. `Operand::web` becomes one of these
/// definitions, which represents their web. Copies of other values get a number as mark.
void FunctionReader::visit(std::size_t b, State state) {
  Block& block = code_.blocks[b];
  std::size_t index = 0;
  for (std::size_t line = block.begin; line < block.end; ++line) {
    const Line& text = text_.lines()[line];
    if (index >= block.instructions.size() || block.instructions[index].line != line) {
      if (text.mnemonic == "sw" && holds_vector(state, place_of_register(text.operands[0])) &&
          !state.other[static_cast<std::size_t>(place_of_register(text.operands[0]))]) {
        refuse(line, kNotFollowed);
      }
      apply_scalar(text, state);
      continue;
    }
    Instruction& instruction = block.instructions[index];
    const bool copy = !is_ours(text) && instruction.kind == Kind::kMove;
    if (copy && !holds_vector(state, instruction.operands[1].place)) instruction.number = 1;
    for (Operand& operand : instruction.operands) {
      if (operand.place < 0 || instruction.number == 1) continue;
      if (operand.role == Role::kDefine) continue;
      int first = Operand::kNone;
      bool undefined = true;
      for (const std::size_t d : definitions_at_[static_cast<std::size_t>(operand.place)]) {
        if (state.definitions[d]) undefined = undefined && definitions_[d].undefined;
      }
      if (operand.role == Role::kModify && undefined) {
        operand.role = Role::kDefine;  // no value to keep
        continue;
      }
      for (const std::size_t d : definitions_at_[static_cast<std::size_t>(operand.place)]) {
        if (!state.definitions[d]) continue;
        if (first < 0) first = static_cast<int>(d);
        parents_[static_cast<std::size_t>(find(static_cast<int>(d)))] = find(first);
      }
      if (first < 0 && state.other[static_cast<std::size_t>(operand.place)]) {
        refuse(line, kNotFollowed);
      }
      operand.web = first;
      if (operand.role != Role::kModify || first < 0) continue;
      for (const std::size_t d : definitions_of_.at({b, index})) {
        if (&instruction.operands[definitions_[d].operand] == &operand)
          parents_[static_cast<std::size_t>(find(static_cast<int>(d)))] = find(first);
      }
    }
    apply(instruction, b, index, state);
    ++index;
  }
}

}  // namespace tvp::runtime::vectors
