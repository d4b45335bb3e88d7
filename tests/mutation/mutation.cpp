#include "tests/mutation/mutation.h"

#include <algorithm>
#include <array>
#include <regex>
#include <stdexcept>

namespace tvp::mutation {
namespace {

struct Swap {
  const char* from;
  const char* to;
  const char* rule;
};
// The spaces that the formatter writes exclude template brackets.
constexpr std::array<Swap, 12> kSwaps{{{" < ", " <= ", "comparison"},
                                       {" <= ", " < ", "comparison"},
                                       {" > ", " >= ", "comparison"},
                                       {" >= ", " > ", "comparison"},
                                       {" == ", " != ", "comparison"},
                                       {" != ", " == ", "comparison"},
                                       {" && ", " || ", "logic"},
                                       {" || ", " && ", "logic"},
                                       {" + ", " - ", "sum"},
                                       {" - ", " + ", "sum"},
                                       {"return true;", "return false;", "truth"},
                                       {"return false;", "return true;", "truth"}}};

/// The changes of one line of code, which starts at `begin` in the file.
class Line {
 public:
  Line(const std::string& file, std::size_t number, std::size_t begin, std::string code,
       std::vector<Mutation>& into)
      : file_(file), number_(number), begin_(begin), code_(std::move(code)), into_(into) {}

  void collect() const {
    static const std::regex skip(
        R"(^\s*(#|static_assert|template|using|namespace|case .*:$|//).*|.*\)( const)? = 0;\s*$)");
    if (std::regex_match(code_, skip)) return;
    swaps();
    constants();
    dropped_call();
  }

 private:
  void add(std::size_t at, const std::string& from, const std::string& to,
           const std::string& rule) const {
    into_.push_back({file_, number_, begin_ + at, from, to, rule, at + 1});
  }
  void swaps() const {
    for (const Swap& swap : kSwaps)
      for (std::size_t at = 0; (at = code_.find(swap.from, at)) != std::string::npos; ++at)
        add(at, swap.from, swap.to, swap.rule);
  }
  /// Increments a number.
  void constants() const {
    static const std::regex number(
        R"((^|[^\w.'])((?:0x[0-9A-Fa-f]+|[0-9]+))(?=[UuLl]*($|[^\w.'])))");
    for (std::sregex_iterator it(code_.begin(), code_.end(), number), end; it != end; ++it) {
      const std::string from = (*it)[2];
      if (from.size() > 9) continue;
      const unsigned long value = std::stoul(from, nullptr, 0);
      add(static_cast<std::size_t>(it->position(2)), from, std::to_string(value + 1), "constant");
    }
  }
  /// Removes a statement that is a single call.
  void dropped_call() const {
    static const std::regex call(R"(^(\s*)((?:\w|::|\.|->|\[\w*\])+\(.*\);)\s*$)");
    static const std::regex no_call(R"(^\s*(return|if|for|while|switch|throw|delete|sizeof)\b.*)");
    std::smatch m;
    if (!std::regex_match(code_, m, call) || std::regex_match(code_, no_call)) return;
    const std::string text = m[2];
    if (std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')'))
      return;
    add(static_cast<std::size_t>(m.position(2)), text, ";", "dropped call");
  }

  const std::string& file_;
  std::size_t number_;
  std::size_t begin_;
  std::string code_;
  std::vector<Mutation>& into_;
};

}  // namespace

std::string Mutation::text() const {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + rule + ": '" +
         from + "' -> '" + to + "'";
}

std::string code_of(const std::string& source) {
  std::string code = source;
  enum class State { kCode, kLine, kBlock, kText, kCharacter } state = State::kCode;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = source[i];
    const char next = i + 1 < source.size() ? source[i + 1] : '\0';
    if (state == State::kCode) {
      const bool digit_separator = c == '\'' && i > 0 && std::isalnum(source[i - 1]) != 0;
      if (c == '/' && (next == '/' || next == '*'))
        state = next == '/' ? State::kLine : State::kBlock;
      else if (c == '"' || (c == '\'' && !digit_separator))
        state = c == '"' ? State::kText : State::kCharacter;
      if (state != State::kCode) code[i] = ' ';
      continue;
    }
    const bool ends_line = c == '\n';
    if (!ends_line) code[i] = ' ';
    if (c == '\\' && (state == State::kText || state == State::kCharacter)) {
      if (++i < code.size() && source[i] != '\n') code[i] = ' ';
    } else if ((state == State::kLine && ends_line) || (state == State::kText && c == '"') ||
               (state == State::kCharacter && c == '\'')) {
      state = State::kCode;
    } else if (state == State::kBlock && c == '*' && next == '/') {
      code[++i] = ' ';
      state = State::kCode;
    }
  }
  return code;
}

std::vector<Mutation> mutations_of(const std::string& file, const std::string& source) {
  std::vector<Mutation> all;
  const std::string code = code_of(source);
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < code.size(); ++number) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    Line(file, number, begin, code.substr(begin, end - begin), all).collect();
    begin = end + 1;
  }
  // A dropped call keeps its original texts.
  for (Mutation& mutation : all)
    mutation.from = source.substr(mutation.offset, mutation.from.size());
  return all;
}

std::string mutated(const std::string& source, const Mutation& mutation) {
  if (source.compare(mutation.offset, mutation.from.size(), mutation.from) != 0)
    throw std::invalid_argument(mutation.text() + ": the file has other text there");
  std::string changed = source;
  return changed.replace(mutation.offset, mutation.from.size(), mutation.to);
}

}  // namespace tvp::mutation
