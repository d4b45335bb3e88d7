#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/runtime/vectors/assembly_text.h"
#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// A source requests an operation that vector registers do not support. The text names the source's
/// line.
class VectorError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Finds the vector instructions of a function, and which of their operands are one value.
///
/// The headers (firmware/api/sfpi) represent each vector by an integer, which the compiler assigns
/// to integer registers like any other. No instruction reads that integer. The compiler has thus
/// decided lifetimes, copies and joins of vectors. This class follows them from definitions to uses
/// through registers and stack slots.
class FunctionReader {
 public:
  /// `vector_functions` are the names of functions that use vectors.
  FunctionReader(const AssemblyText& text, const AssemblyText::Function& function,
                 const std::set<std::string>& vector_functions);

  VectorCode read();
  /// True if a line is a vector operation.
  static bool is_ours(const AssemblyText::Line& line) { return line.mnemonic.starts_with("sfpi."); }
  static bool uses_vectors(const AssemblyText& text, const AssemblyText::Function& function);

 private:
  using Line = AssemblyText::Line;
  using Bits = std::vector<bool>;
  /// One write of a vector to a place.
  struct Definition {
    int place = 0;
    std::size_t block = 0;
    std::size_t instruction = 0;
    std::size_t operand = 0;
    bool undefined = false;
  };
  /// Content of the places: definitions that may reach it, and if another value may.
  struct State {
    Bits definitions;
    Bits other;
    bool reached = false;
  };

  void find_blocks();
  void link_blocks();
  void read_line(std::size_t line, Block& block);
  bool read_ours(const Line& line, Instruction& instruction);
  Operand parse_operand(const std::string& text);
  int place_of_register(const std::string& name) const;
  /// Place of an operand such as "12(sp)", or Operand::kNone.
  int place_of_slot(const std::string& operand);

  void find_definitions();
  void flow();
  /// Applies a line of the compiler or a vector operation.
  void apply(const Instruction& instruction, std::size_t block, std::size_t index, State& state);
  void apply_scalar(const Line& line, State& state);
  void merge(const State& from, std::size_t into, std::vector<std::size_t>& work);
  void join_webs();
  void visit(std::size_t block, State state);
  bool holds_vector(const State& state, int place) const;
  [[noreturn]] void refuse(std::size_t line, const std::string& what) const;

  const AssemblyText& text_;
  const AssemblyText::Function& function_;
  const std::set<std::string>& vector_functions_;
  VectorCode code_;
  std::map<std::string, std::size_t> block_of_label_;
  std::map<std::string, int> slots_;
  std::vector<Definition> definitions_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> definitions_of_;
  std::vector<std::vector<std::size_t>> definitions_at_;  ///< index: place
  std::vector<State> entries_;
  std::vector<int> parents_;  ///< parents of definitions, to find webs
  int find(int definition);
};

}  // namespace tvp::runtime::vectors
