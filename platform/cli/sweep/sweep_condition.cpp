#include "platform/cli/sweep/sweep_condition.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "foundation/fault.h"

namespace tvp::cli {

namespace {

/// The value of a term: a number, or a text that is none.
struct TermValue {
  std::optional<long double> number;
  std::string text;
};

TermValue term_value(const std::string& text) {
  char* end = nullptr;
  const long double value = std::strtold(text.c_str(), &end);
  const bool number = !text.empty() && *end == '\0' && std::isfinite(value) &&
                      std::isspace(static_cast<unsigned char>(text[0])) == 0;
  return {number ? std::optional(value) : std::nullopt, text};
}

/// Evaluates the text of a condition from left to right.
class ConditionReader {
 public:
  ConditionReader(const std::string& text, const SweepCondition::Lookup& value_of)
      : text_(text), value_of_(value_of) {}

  bool condition() {
    const TermValue left = sum();
    const std::string_view comparison = next({"<=", ">=", "!=", "==", "=", "<", ">"});
    if (comparison.empty()) bad("expected one of < <= > >= = !=");
    const TermValue right = sum();
    skip_spaces();
    if (at_ != text_.size()) bad("expected nothing after the second term");
    return compare(left, comparison, right);
  }

 private:
  [[noreturn]] void bad(const std::string& expected) const {
    throw foundation::Fault(foundation::FaultKind::kDescription, "--where '" + text_ + "'",
                            "at '" + text_.substr(at_) + "': " + expected);
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  /// The first of the words that the text goes on with; empty if none.
  std::string_view next(std::initializer_list<std::string_view> words) {
    skip_spaces();
    for (const std::string_view word : words) {
      if (std::string_view(text_).substr(at_).starts_with(word)) {
        at_ += word.size();
        return word;
      }
    }
    return {};
  }
  long double calculable(const TermValue& value) const {
    if (!value.number) bad("expected a number in place of the value '" + value.text + "'");
    return *value.number;
  }
  bool compare(const TermValue& left, std::string_view comparison, const TermValue& right) const {
    const bool numbers = left.number && right.number;
    const bool equal = numbers ? *left.number == *right.number : left.text == right.text;
    if (comparison == "=" || comparison == "==") return equal;
    if (comparison == "!=") return !equal;
    const long double a = calculable(left);
    const long double b = calculable(right);
    if (comparison == "<") return a < b;
    if (comparison == "<=") return a <= b;
    return comparison == ">" ? a > b : a >= b;
  }
  TermValue sum() {
    TermValue value = product();
    for (auto sign = next({"+", "-"}); !sign.empty(); sign = next({"+", "-"})) {
      const long double left = calculable(value);
      const long double right = calculable(product());
      value.number = sign == "+" ? left + right : left - right;
    }
    return value;
  }
  TermValue product() {
    TermValue value = factor();
    for (auto sign = next({"*", "/", "%"}); !sign.empty(); sign = next({"*", "/", "%"})) {
      const long double left = calculable(value);
      const long double right = calculable(factor());
      value.number = sign == "*"   ? left * right
                     : sign == "/" ? left / right
                                   : std::fmod(left, right);
    }
    return value;
  }
  TermValue factor() {
    if (!next({"("}).empty()) {
      const TermValue value = sum();
      if (next({")"}).empty()) bad("expected ')'");
      return value;
    }
    if (!next({"-"}).empty()) return {-calculable(factor()), {}};
    skip_spaces();
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string::npos) bad("quote not closed");
      const std::string word = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return term_value(word);
    }
    const std::size_t begin = at_;
    const auto part_of_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    while (at_ < text_.size() && part_of_word(text_[at_])) ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (word.empty()) bad("expected a key, a number or a text in quotes");
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return term_value(value_of_(word));
    const TermValue value = term_value(word);
    if (!value.number) {
      at_ = begin;
      bad("expected a number");
    }
    return value;
  }

  const std::string& text_;
  const SweepCondition::Lookup& value_of_;
  std::size_t at_ = 0;
};

}  // namespace

SweepCondition::SweepCondition(const std::string& text) : text_(text) {
  // The values of a run decide later whether terms can be calculated.
  ConditionReader(text_, [&](const std::string& key) {
    keys_.push_back(key);
    return std::string("1");
  }).condition();
}

bool SweepCondition::holds(const Lookup& value_of) const {
  return ConditionReader(text_, value_of).condition();
}

}  // namespace tvp::cli
