#include "sw/runtime/compiler/unroll_hints.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace tvp::runtime {
namespace {

constexpr std::string_view kHint = "#pragma GCC unroll";

bool is_number(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t(");
  const std::size_t end = text.find_last_not_of(" \t)\r");
  if (begin == std::string_view::npos || end < begin) return false;
  const std::string_view number = text.substr(begin, end + 1 - begin);
  return std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool only_unroll_hints(const std::string& messages) {
  bool any = false;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" error: ") == std::string::npos) continue;
    if (line.find(kHint) == std::string::npos || line.find("requires") == std::string::npos)
      return false;
    any = true;
  }
  return any;
}

std::string without_unroll_hints(const std::string& preprocessed) {
  std::string text;
  std::istringstream lines(preprocessed);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const bool hint = line.compare(begin, kHint.size(), kHint) == 0;
    if (!hint || is_number(std::string_view(line).substr(begin + kHint.size()))) text += line;
    text += '\n';
  }
  return text;
}

std::vector<std::string> preprocessing(const std::vector<std::string>& command) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < command.size(); ++i) {
    // A preprocessor would read the files in linker options.
    if (command[i] == "-T" || command[i] == "-Xlinker") {
      ++i;
    } else if (!command[i].starts_with("-Wl,") && !command[i].starts_with("-l")) {
      words.push_back(command[i]);
    }
  }
  words.push_back("-E");
  return words;
}

std::vector<std::string> compiling_preprocessed(const std::vector<std::string>& command,
                                                const std::string& preprocessed) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "-include") {
      ++i;
    } else if (i > 0 && command[i].ends_with(".cpp")) {
      words.push_back(preprocessed);
    } else {
      words.push_back(command[i]);
    }
  }
  return words;
}

}  // namespace tvp::runtime
