#include "tests/prose/declaration.h"

#include <cctype>
#include <cstring>

namespace tvp::prose {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

DeclarationCheck::DeclarationCheck(const std::string& code) : code_(code) {
  unsigned round = 0;
  unsigned angle = 0;  // depth in `template <…>`
  char before = ';';   // the last character that is no space
  std::string word_before;
  for (std::size_t at = 0; at < code_.size();) {
    const char c = code_[at];
    if (is_word(c)) {
      auto end = at;
      while (end < code_.size() && is_word(code_[end])) ++end;
      const std::string word = code_.substr(at, end - at);
      const auto next = code_.find_first_not_of(" \n", end);
      const char after = next == std::string::npos ? ';' : code_[next];
      const bool typed =
          (is_word(before) && word_before != "return") || std::strchr("&*>.", before);
      if (typed && (round > 0 || angle > 0) && std::strchr(",)>=", after)) {
        last_parameter_[word] = at;
      } else if (typed && round == 0 && angle == 0 && std::strchr(";{(=[:,", after)) {
        declared_.insert(word);
      }
      word_before = word;
      before = code_[end - 1];
      at = end;
      continue;
    }
    if (c == '(') ++round;
    if (c == ')' && round > 0) --round;
    if (c == '<' && (angle > 0 || word_before == "template")) ++angle;
    if (c == '>' && angle > 0) --angle;
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      before = c;
      if (c != '<') word_before.clear();
    }
    ++at;
  }
}

std::size_t DeclarationCheck::end_of_declaration(std::size_t at) const {
  int depth = 0;
  bool began = false;
  for (; at < code_.size(); ++at) {
    const char c = code_[at];
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (depth < 0) return at;
    if (depth == 0 && (c == ';' || c == '}') && began) return at + 1;
    began |= is_word(c);
  }
  return at;
}

bool DeclarationCheck::occurs(const std::string& name, std::size_t from, std::size_t to) const {
  for (auto at = code_.find(name, from); at < to; at = code_.find(name, at + 1)) {
    if ((at == 0 || !is_word(code_[at - 1])) && !is_word(code_[at + name.size()])) return true;
  }
  return false;
}

bool DeclarationCheck::is_misplaced(const std::string& name, std::size_t at) const {
  const auto parameter = last_parameter_.find(name);
  if (parameter == last_parameter_.end() || declared_.contains(name)) return false;
  const auto end = end_of_declaration(at);
  return parameter->second > end && !occurs(name, at, end);
}

}  // namespace tvp::prose
