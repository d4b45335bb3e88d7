#include "sw/runtime/vectors/emission.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace tvp::runtime::vectors {
namespace {

using Kind = Instruction::Kind;

/// Instructions for the coprocessor, in order.
struct Issued {
  std::size_t line = 0;
  std::string text;
  Word word = 0;
  unsigned reads = 0;    ///< bit n: LReg n
  unsigned writes = 0;   ///< bit n: LReg n
  bool in_text = false;  ///< from the source's own assembly
};

std::string hex(Word word) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%08X", word);
  return text.data();
}

/// `.ttinsn` (ISA BabyRISCV/PushTensixInstruction.md).
std::string issue_text(Word word) { return "\t.word\t" + hex(word << 2 | word >> 30) + "\n"; }

std::string nop_text() { return issue_text(regs::tensix::encode_sfpnop()); }

class Emitter {
 public:
  Emitter(const VectorCode& code, const Coloring& coloring) : code_(code), coloring_(coloring) {}

  std::vector<Issued> block(const Block& block) const {
    std::vector<Issued> all;
    for (const Instruction& instruction : block.instructions) {
      Issued issued;
      issued.line = instruction.line;
      if (issue(instruction, issued)) all.push_back(std::move(issued));
    }
    return all;
  }

 private:
  bool issue(const Instruction& instruction, Issued& issued) const {
    for (const Operand& operand : instruction.operands) {
      const int reg = coloring_.reg(operand.web);
      if (reg < 0) continue;
      if (operand.role != Role::kDefine) issued.reads |= 1U << reg;
      if (operand.role != Role::kUse) issued.writes |= 1U << reg;
    }
    issued.word = instruction.word;
    switch (instruction.kind) {
      case Kind::kIssue:
        issued.word |= fields(instruction);
        issued.text = issue_text(issued.word);
        return true;
      case Kind::kStore:
        issued.text = store_text(instruction);
        return true;
      case Kind::kRaw:
        issued.in_text = true;
        return true;
      case Kind::kAssign:
      case Kind::kMove: {
        const int to = coloring_.reg(instruction.operands[0].web);
        const int from = coloring_.reg(instruction.operands[1].web);
        if (to == from) return false;
        const bool all_lanes = instruction.kind == Kind::kMove && instruction.predicated;
        issued.word = regs::tensix::encode_sfpmov(static_cast<Word>(from), static_cast<Word>(to),
                                                  all_lanes ? 2 : 0);
        issued.text = issue_text(issued.word);
        return true;
      }
      case Kind::kConstant:
        issued.word = regs::tensix::encode_sfpmov(
            static_cast<Word>(instruction.number),
            static_cast<Word>(coloring_.reg(instruction.operands[0].web)), 0);
        issued.text = issue_text(issued.word);
        return true;
      case Kind::kUndefined:
      case Kind::kCall:
        break;
    }
    return false;
  }

  Word fields(const Instruction& instruction) const {
    Word word = 0;
    for (const Operand& operand : instruction.operands)
      if (operand.bit >= 0) word |= static_cast<Word>(coloring_.reg(operand.web)) << operand.bit;
    return word;
  }

  std::string store_text(const Instruction& instruction) const {
    const Word added = fields(instruction);
    const std::string& scratch = instruction.scratch;
    if (added == 0) return "\tsw\t" + instruction.scalar + ",0(" + instruction.port + ")\n";
    return "\tli\t" + scratch + "," + std::to_string(added) + "\n\tadd\t" + scratch + "," +
           scratch + "," + instruction.scalar + "\n\tsw\t" + scratch + ",0(" + instruction.port +
           ")\n";
  }

  const VectorCode& code_;
  const Coloring& coloring_;
};

bool needs_gap(const Issued& early, const Issued& next) {
  if (!is_vector(early.word) || early.in_text) return false;
  if (occupies(early.word)) return opcode_of(next.word) != regs::tensix::Opcode::kSfpnop;
  return is_late(early.word) && is_vector(next.word) && (early.writes & next.reads) != 0;
}

/// True if the instruction after a block may follow its last instruction too early.
bool gap_at_end(const Issued& last, const Block& block,
                const std::vector<std::vector<Issued>>& issued) {
  if (!is_vector(last.word) || last.in_text) return false;
  if (!is_late(last.word) && !occupies(last.word)) return false;
  if (block.leaves || occupies(last.word)) return true;
  return std::any_of(block.next.begin(), block.next.end(), [&](std::size_t next) {
    return issued[next].empty() || needs_gap(last, issued[next].front());
  });
}

}  // namespace

void emit(AssemblyText& text, const VectorCode& code, const Coloring& coloring) {
  const Emitter emitter(code, coloring);
  std::vector<std::vector<Issued>> issued;
  for (const Block& block : code.blocks) issued.push_back(emitter.block(block));

  std::map<std::size_t, std::string> by_line;
  for (const std::size_t line : code.lines) by_line[line];
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    for (std::size_t i = 0; i < issued[b].size(); ++i) {
      const Issued& each = issued[b][i];
      if (each.in_text) continue;
      const bool gap = i + 1 < issued[b].size() ? needs_gap(each, issued[b][i + 1])
                                                : gap_at_end(each, code.blocks[b], issued);
      by_line[each.line] += each.text + (gap ? nop_text() : "");
    }
  }
  for (auto& [line, lines] : by_line) {
    if (!lines.empty()) lines.pop_back();  // the line's own line break
    text.replace(line, lines);
  }
}

}  // namespace tvp::runtime::vectors
