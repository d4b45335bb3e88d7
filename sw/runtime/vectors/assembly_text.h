#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::runtime::vectors {

/// The compiler's assembly for RV32, line by line, as far as the assignment of vector registers
/// has to understand it.
class AssemblyText {
 public:
  struct Line {
    std::string text;
    std::string label;     ///< without its colon; "" when the line has none
    std::string mnemonic;  ///< or directive; "" when there is none
    std::vector<std::string> operands;
  };
  /// Lines of one function, from its label on.
  struct Function {
    std::string name;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  explicit AssemblyText(std::string_view text);

  const std::vector<Line>& lines() const { return lines_; }
  const std::vector<Function>& functions() const { return functions_; }
  /// Labels of which the file holds the address, as tables of jumps do.
  const std::vector<std::string>& addressed_labels() const { return addressed_labels_; }
  /// "file:line" of the source that the line was made of, without the headers of vectors; the
  /// function's name when unknown.
  std::string source_of(std::size_t line) const;
  /// Replaces a line by any number of lines, "" by none.
  void replace(std::size_t line, std::string text) { lines_[line].text = std::move(text); }
  std::string str() const;

  /// 0 to 31; -1 when it is no register of RV32.
  static int integer_register(std::string_view name);

 private:
  void find_functions();

  std::vector<Line> lines_;
  std::vector<Function> functions_;
  std::vector<std::string> addressed_labels_;
};

}  // namespace tvp::runtime::vectors
