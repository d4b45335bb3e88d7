#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::test {

/// Integer expressions of launch descriptions, with C's operators and precedence. A name is an
/// identifier, a member (`c.rows`) or a call (`mask(c.rows)`), without blanks. `w(0.5)` is the bits
/// of a float. A list takes all words of a name.
class LaunchExpression {
 public:
  using Words = std::vector<std::uint32_t>;
  /// Returns the words of a name; throws if there is none.
  using Lookup = std::function<Words(std::string_view)>;

  LaunchExpression(std::string_view text, const Lookup& lookup) : rest_(text), lookup_(lookup) {}

  /// The words of a comma-separated list.
  Words list();
  /// The single number of the text.
  std::int64_t number();

 private:
  std::int64_t conditional();
  std::int64_t binary(int least);
  std::int64_t unary();
  std::int64_t literal();
  std::string_view name();
  Words words_of(std::string_view name) const;
  bool take(std::string_view token);
  void skip_blanks();
  [[noreturn]] void fail(const std::string& expected) const;

  std::string_view rest_;
  const Lookup& lookup_;
};

}  // namespace tvp::test
