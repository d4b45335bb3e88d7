#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::dram {

/// A line of a trace, in words, and the errors about it.
class TraceLine {
 public:
  static constexpr std::size_t kLongest = 4096;

  explicit TraceLine(std::string file) : file_(std::move(file)) {}

  /// Takes the next line of the file. Text after '#' has no words.
  void take(std::string text);
  /// Adds the form of a line to later errors.
  void set_form(const std::string& form) { form_ = " (" + form + ")"; }

  std::size_t number() const { return number_; }
  std::span<const std::string_view> words() const { return words_; }
  std::string_view word(std::size_t index) const { return words_[index]; }

  /// Throws Fault(kDescription) with file, line and form.
  [[noreturn]] void fail(const std::string& text) const;
  /// Fails unless the line has this number of words.
  void expect_words(std::size_t least, std::size_t most) const;
  /// A decimal number, or a hexadecimal one with 0x. `what` names it in the error.
  std::uint64_t number(std::string_view word, const char* what) const;
  std::uint64_t decimal(std::string_view word, const char* what) const;
  /// A hexadecimal number with 0x. Without it, 10 could mean ten or sixteen.
  std::uint64_t hexadecimal(std::string_view word, const char* what) const;

  /// True if the word is a number of any of these forms, or longer than 64 bits.
  static bool is_number(std::string_view word);

 private:
  std::string file_;
  std::string form_;
  std::string text_;
  std::vector<std::string_view> words_;  ///< parts of text_
  std::size_t number_ = 0;
};

}  // namespace tvp::dram
