#include "platform/cli/sweep/sweep_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "foundation/fault.h"

namespace tvp::cli {

namespace {

/// Largest number of values of one key.
constexpr std::size_t kMostValues = 10'000;

[[noreturn]] void bad(const std::string& argument, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "--vary '" + argument + "'", text);
}

/// Splits at separators outside of quotes, and removes the quotes.
std::vector<std::string> split(const std::string& argument, const std::string& text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (quoted) bad(argument, "quote not closed");
  return parts;
}

/// A number with as many bits as the largest integer key.
std::optional<long double> number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return {};
  char* end = nullptr;
  const long double value = std::strtold(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value)) return {};
  return value;
}

/// Number of digits after the point of a number() with its exponent applied.
int decimals(const std::string& text) {
  const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), mantissa);
  const long behind = static_cast<long>(mantissa - std::min(point + 1, mantissa));
  const long exponent = mantissa < text.size() ? std::atol(text.c_str() + mantissa + 1) : 0;
  return static_cast<int>(std::clamp(behind - exponent, 0L, 30L));
}

struct Range {
  long double from = 0;
  long double to = 0;
  long double step = 0;
  int decimals = 0;  ///< decimals of all values
  bool multiplies = false;

  long double at(std::size_t i) const {
    const auto n = static_cast<long double>(i);
    return multiplies ? from * std::pow(step, n) : from + step * n;
  }
  /// The last value may exceed the end by this much, because sums of decimal fractions have a
  /// rounding error.
  long double slack() const { return 1e-9L * std::abs(multiplies ? to : step); }
  std::string text(long double value) const;
};

std::string Range::text(long double value) const {
  // Keys that are counts take no exponent.
  constexpr long double kCounts = 18446744073709551616.0L;
  const bool whole = value == std::floor(value);
  char digits[64];
  if (std::abs(value) >= kCounts || (multiplies && !whole)) {
    std::snprintf(digits, sizeof digits, "%.12Lg", value);
    return digits;
  }
  std::snprintf(digits, sizeof digits, "%.*Lf", multiplies ? 0 : decimals, value);
  std::string text = digits;
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

/// Three numbers between colons; other values may contain colons, too.
std::optional<Range> range_of(const std::string& text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) return {};
  std::string step = text.substr(second + 1);
  Range range;
  if (!step.empty() && step[0] == '*') {
    range.multiplies = true;
    step.erase(0, 1);
  }
  const auto from = number(text.substr(0, first));
  const auto to = number(text.substr(first + 1, second - first - 1));
  const auto width = number(step);
  if (!from || !to || !width) return {};
  range.from = *from;
  range.to = *to;
  range.step = *width;
  range.decimals = std::max(decimals(text.substr(0, first)), decimals(step));
  return range;
}

std::vector<std::string> values_of(const std::string& argument, const Range& range) {
  const bool up = range.to >= range.from;
  if (range.multiplies) {
    const bool right = range.from > 0 && range.to > 0 && range.step > 0 && range.step != 1 &&
                       (range.step > 1) == up;
    if (!right) bad(argument, "expected from:to:*factor that leads from one to the other");
  } else if (range.step == 0 || (range.step > 0) != up) {
    bad(argument, "expected from:to:step with a step that leads from one to the other");
  }
  std::vector<std::string> values;
  for (std::size_t i = 0;; ++i) {
    const long double value = range.at(i);
    if (up ? value > range.to + range.slack() : value < range.to - range.slack()) return values;
    if (values.size() == kMostValues) {
      bad(argument, "expected at most " + std::to_string(kMostValues) + " values");
    }
    values.push_back(range.text(value));
  }
}

}  // namespace

SweepAxis parse_axis(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    bad(argument, "expected key=a,b,c or key=from:to:step or key=from:to:*factor");
  }
  SweepAxis axis{argument.substr(0, equals), {}};
  for (const std::string& part : split(argument, argument.substr(equals + 1))) {
    if (part.empty()) bad(argument, "a value is missing");
    const auto range = range_of(part);
    const auto values = range ? values_of(argument, *range) : std::vector<std::string>{part};
    axis.values.insert(axis.values.end(), values.begin(), values.end());
  }
  for (const std::string& value : axis.values) {
    if (std::count(axis.values.begin(), axis.values.end(), value) > 1) {
      bad(argument, "the value " + value + " stands there twice");
    }
  }
  return axis;
}

}  // namespace tvp::cli
