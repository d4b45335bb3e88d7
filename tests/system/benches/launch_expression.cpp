#include "tests/system/benches/launch_expression.h"

#include <array>
#include <bit>
#include <cctype>
#include <stdexcept>

namespace tvp::test {
namespace {

struct Operator {
  std::string_view token;
  int precedence;
  std::int64_t (*apply)(std::int64_t, std::int64_t);
};

// Longer tokens come before their prefixes.
constexpr std::array kOperators{
    Operator{"||", 1, [](auto a, auto b) -> std::int64_t { return a != 0 || b != 0; }},
    Operator{"&&", 2, [](auto a, auto b) -> std::int64_t { return a != 0 && b != 0; }},
    Operator{"==", 6, [](auto a, auto b) -> std::int64_t { return a == b; }},
    Operator{"!=", 6, [](auto a, auto b) -> std::int64_t { return a != b; }},
    Operator{"<<", 8, [](auto a, auto b) -> std::int64_t { return a << b; }},
    Operator{">>", 8, [](auto a, auto b) -> std::int64_t { return a >> b; }},
    Operator{"<=", 7, [](auto a, auto b) -> std::int64_t { return a <= b; }},
    Operator{">=", 7, [](auto a, auto b) -> std::int64_t { return a >= b; }},
    Operator{"<", 7, [](auto a, auto b) -> std::int64_t { return a < b; }},
    Operator{">", 7, [](auto a, auto b) -> std::int64_t { return a > b; }},
    Operator{"|", 3, [](auto a, auto b) -> std::int64_t { return a | b; }},
    Operator{"^", 4, [](auto a, auto b) -> std::int64_t { return a ^ b; }},
    Operator{"&", 5, [](auto a, auto b) -> std::int64_t { return a & b; }},
    Operator{"+", 9, [](auto a, auto b) -> std::int64_t { return a + b; }},
    Operator{"-", 9, [](auto a, auto b) -> std::int64_t { return a - b; }},
    Operator{"*", 10, [](auto a, auto b) -> std::int64_t { return a * b; }},
    Operator{"/", 10, [](auto a, auto b) -> std::int64_t { return a / b; }},
    Operator{"%", 10, [](auto a, auto b) -> std::int64_t { return a % b; }}};

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

}  // namespace

LaunchExpression::Words LaunchExpression::list() {
  Words words;
  for (skip_blanks(); !rest_.empty(); skip_blanks()) {
    if (!words.empty() && !take(",")) fail("a comma");
    skip_blanks();
    // A name alone stands for all of its words.
    const std::string_view before = rest_;
    const std::string_view alone = name();
    if (!alone.empty() && (skip_blanks(), rest_.empty() || rest_.front() == ',')) {
      const Words more = words_of(alone);
      words.insert(words.end(), more.begin(), more.end());
    } else {
      rest_ = before;
      words.push_back(static_cast<std::uint32_t>(conditional()));
    }
  }
  return words;
}

std::int64_t LaunchExpression::number() {
  const std::int64_t value = conditional();
  if (skip_blanks(); !rest_.empty()) fail("an operator");
  return value;
}

std::int64_t LaunchExpression::conditional() {
  const std::int64_t condition = binary(1);
  if (!take("?")) return condition;
  const std::int64_t yes = conditional();
  if (!take(":")) fail("':'");
  const std::int64_t no = conditional();
  return condition != 0 ? yes : no;
}

std::int64_t LaunchExpression::binary(int least) {
  std::int64_t left = unary();
  for (;;) {
    skip_blanks();
    const Operator* found = nullptr;
    for (const Operator& each : kOperators)
      if (found == nullptr && rest_.starts_with(each.token)) found = &each;
    if (found == nullptr || found->precedence < least) return left;
    rest_.remove_prefix(found->token.size());
    left = found->apply(left, binary(found->precedence + 1));
  }
}

std::int64_t LaunchExpression::unary() {
  if (take("-")) return -unary();
  if (take("~")) return ~unary();
  if (take("!")) return unary() == 0;
  if (take("(")) {
    const std::int64_t inner = conditional();
    if (!take(")")) fail("')'");
    return inner;
  }
  skip_blanks();
  if (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front()))) return literal();
  const std::string_view called = name();
  if (called.empty()) fail("a number or a name");
  const Words words = words_of(called);
  if (words.size() != 1)
    throw std::invalid_argument(std::string(called) + ": expected one word, not " +
                                std::to_string(words.size()));
  return words.front();
}

LaunchExpression::Words LaunchExpression::words_of(std::string_view name) const {
  if (name.starts_with("w(") && name.find_first_not_of("-.0123456789", 2) == name.size() - 1)
    return {std::bit_cast<std::uint32_t>(std::stof(std::string(name.substr(2))))};
  return lookup_(name);
}

std::int64_t LaunchExpression::literal() {
  std::size_t used = 0;
  const std::int64_t value = std::stoll(std::string(rest_), &used, 0);
  rest_.remove_prefix(used);
  return value;
}

std::string_view LaunchExpression::name() {
  std::size_t length = 0;
  if (!rest_.empty() && !std::isdigit(static_cast<unsigned char>(rest_.front())))
    for (int depth = 0; length < rest_.size(); ++length) {
      if (rest_[length] == '(' && length > 0)
        ++depth;
      else if (rest_[length] == ')' && depth > 0)
        --depth;
      else if (depth == 0 && !in_name(rest_[length]))
        break;
    }
  const std::string_view made = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return made;
}

bool LaunchExpression::take(std::string_view token) {
  skip_blanks();
  if (!rest_.starts_with(token)) return false;
  rest_.remove_prefix(token.size());
  return true;
}

void LaunchExpression::skip_blanks() {
  while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
    rest_.remove_prefix(1);
}

void LaunchExpression::fail(const std::string& expected) const {
  throw std::invalid_argument("expected " + expected + " before \"" + std::string(rest_) + "\"");
}

}  // namespace tvp::test
