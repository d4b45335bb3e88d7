#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace tvp::test {

/// The words of a command line. Blanks separate them, and '…' and "…" quote. No other shell syntax
/// is supported.
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && (c == ' ' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) throw std::invalid_argument("a quotation mark too few: " + line);
  return words;
}

}  // namespace tvp::test
