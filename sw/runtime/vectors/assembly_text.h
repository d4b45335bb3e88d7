#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::runtime::vectors {

/// The compiler's assembly for RV32, line by line, as far as the assignment of vector registers
/// needs it.
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
  /// Labels whose address the file contains, as in jump tables.
  const std::vector<std::string>& addressed_labels() const { return addressed_labels_; }
  /// "file:line" of the line's source, without the headers of vectors, or the function's name if
  /// unknown.
  std::string source_of(std::size_t line) const;
  /// Replaces a line by any number of lines; "" deletes it.
  void replace(std::size_t line, std::string text) { lines_[line].text = std::move(text); }
  std::string str() const;

  /// Number 0 to 31, or -1 if it is no register of RV32.
  static int integer_register(std::string_view name);

 private:
  void find_functions();

  std::vector<Line> lines_;
  std::vector<Function> functions_;
  std::vector<std::string> addressed_labels_;
};

}  // namespace tvp::runtime::vectors
