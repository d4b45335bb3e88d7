#include "sw/runtime/compiler/dependency_file.h"

#include <algorithm>

namespace tvp::runtime {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Reads one rule, character by character.
class RuleReader {
 public:
  RuleReader(const std::string& text, std::size_t at) : text_(text), at_(at) {}

  std::optional<std::vector<std::string>> words() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (is_blank(text_[at_])) {
        finish_word();
        ++at_;
      } else if (text_[at_] == '\\') {
        backslashes();
      } else {
        if (text_[at_] == '$' && next_is('$')) ++at_;
        word_ += text_[at_++];
      }
    }
    // A rule that was cut off has no end of line.
    if (at_ >= text_.size()) return std::nullopt;
    finish_word();
    if (text_.find_first_not_of(" \t\n", at_) != std::string::npos) return std::nullopt;
    return words_;
  }

 private:
  bool next_is(char c) const { return at_ + 1 < text_.size() && text_[at_ + 1] == c; }

  /// 2n backslashes before a blank at the end of a word are n backslashes; 2n + 1 are n and the
  /// blank. A backslash before '#' or ':' escapes it. One at the end of a line continues the line.
  /// Others stand for themselves.
  void backslashes() {
    const std::size_t end = std::min(text_.find_first_not_of('\\', at_), text_.size());
    const std::size_t count = end - at_;
    const char behind = end < text_.size() ? text_[end] : '\0';
    at_ = end;
    if (is_blank(behind)) {
      word_.append(count / 2, '\\');
      if (count % 2 == 1) word_ += text_[at_++];
    } else if (behind == '\n') {
      word_.append(count - 1, '\\');
      finish_word();
      ++at_;
    } else if (behind == '#' || behind == ':') {
      word_.append(count - 1, '\\');
      word_ += text_[at_++];
    } else {
      word_.append(count, '\\');
    }
  }

  void finish_word() {
    if (!word_.empty()) words_.push_back(word_);
    word_.clear();
  }

  const std::string& text_;
  std::size_t at_;
  std::string word_;
  std::vector<std::string> words_;
};

}  // namespace

std::optional<std::vector<std::string>> dependencies_of(const std::string& rule,
                                                        const std::string& target) {
  if (!rule.starts_with(target + ":")) return std::nullopt;
  auto words = RuleReader(rule, target.size() + 1).words();
  if (!words || words->empty()) return std::nullopt;
  return words;
}

}  // namespace tvp::runtime
