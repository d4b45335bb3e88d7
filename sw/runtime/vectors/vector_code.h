#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::runtime::vectors {

using regs::tensix::Word;

/// LReg 0 to 7 are assigned; higher numbers are constants that are only read (ISA LReg.md).
inline constexpr int kVectorRegisters = 8;

/// Use of an operand by an instruction.
enum class Role : std::uint8_t {
  kDefine,  ///< writes the enabled lanes; what was there before is lost
  kUse,
  kModify,  ///< reads and writes; lanes that are not enabled keep their value
};

/// A value in the place that the compiler gave it: an integer register or a slot of the stack,
/// which hold nothing but stand for it.
struct Operand {
  static constexpr int kNone = -1;
  Role role = Role::kUse;
  int bit = kNone;    ///< lowest bit of the register's number in the instruction
  int fixed = kNone;  ///< the only register that it can be in
  int place = kNone;
  int web = kNone;
};

/// Instruction made from one line of the compiler's text, or from a part of it.
struct Instruction {
  enum class Kind : std::uint8_t {
    kIssue,      ///< `word` with numbers of registers put in
    kStore,      ///< a word computed at run time, the numbers added to it
    kAssign,     ///< the first operand takes the second's enabled lanes
    kMove,       ///< the first operand takes all lanes of the second, enabled or not
    kUndefined,  ///< a vector without a value
    kConstant,   ///< the read-only register `number`
    kRaw,        ///< a word of the source's own, with registers of its own choice
    kCall,       ///< call of a function that uses vectors
  };
  Kind kind = Kind::kIssue;
  Word word = 0;
  int number = 0;
  std::string scalar;   ///< kStore: integer register with the word
  std::string scratch;  ///< kStore: integer register that may be overwritten
  std::string port;     ///< kStore: integer register with the address to store to
  std::vector<Operand> operands;
  std::size_t line = 0;
  bool predicated = false;  ///< some lanes may be disabled here
};

struct Block {
  std::size_t begin = 0;  ///< lines
  std::size_t end = 0;
  std::vector<std::size_t> next;
  bool leaves = false;  ///< the function
  std::vector<Instruction> instructions;
};

/// A set of values that have to be in one register, as they meet in one place.
struct Web {
  int reg = Operand::kNone;  ///< register fixed from the start: 0 to 7, or a constant's
};

/// The vector instructions of a function.
struct VectorCode {
  std::vector<Block> blocks;
  std::vector<Web> webs;
  std::vector<std::size_t> lines;     ///< that the instructions stand for
  bool keeps[kVectorRegisters] = {};  ///< registers whose value a later function may read
};

/// Effects of an instruction word apart from its operands.
bool changes_lanes(Word word);  ///< which ones are enabled
bool is_vector(Word word);      ///< true for instructions of the vector unit
bool has_effect(Word word);     ///< beside that on the registers that it writes
/// True if the next vector instruction must not read what it writes (ISA, each page's
/// "Instruction scheduling").
bool is_late(Word word);
/// True if the next vector instruction must not be of the simple sub-unit either: always a SFPNOP.
bool occupies(Word word);
/// Registers that a word of the source names.
std::vector<Operand> raw_operands(Word word);

inline regs::tensix::Opcode opcode_of(Word word) {
  return static_cast<regs::tensix::Opcode>(word >> 24);
}

}  // namespace tvp::runtime::vectors
