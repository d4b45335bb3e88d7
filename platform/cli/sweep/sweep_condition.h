#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tvp::cli {

/// A condition of `vp sweep --where`: two terms with one of < <= > >= = != between them. A term is
/// a number, a key, a text in quotes, or made of terms with + - * / % and parentheses.
class SweepCondition {
 public:
  /// The value of a key as text.
  using Lookup = std::function<std::string(const std::string& key)>;

  /// Throws foundation::Fault(kDescription) if the text is not a condition.
  explicit SweepCondition(const std::string& text);

  const std::string& text() const { return text_; }
  /// The keys that the condition names, as written.
  const std::vector<std::string>& keys() const { return keys_; }
  /// True if the values fulfil the condition. Texts can only be compared with = and !=. Throws
  /// foundation::Fault(kDescription) if a key that is calculated with is no number.
  bool holds(const Lookup& value_of) const;

 private:
  std::string text_;
  std::vector<std::string> keys_;
};

}  // namespace tvp::cli
