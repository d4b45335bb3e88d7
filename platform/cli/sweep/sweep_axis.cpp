#include "platform/cli/sweep/sweep_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "foundation/random.h"

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

/// The parts of from:to:rest. Other values may contain colons, too.
struct Ends {
  std::string from, to, rest;
  bool whole() const { return (from + to).find_first_not_of("0123456789+-") == std::string::npos; }
};

std::optional<Ends> ends_of(const std::string& text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) return {};
  Ends ends{text.substr(0, first), text.substr(first + 1, second - first - 1),
            text.substr(second + 1)};
  if (!number(ends.from) || !number(ends.to)) return {};
  return ends;
}

std::optional<Range> range_of(const Ends& ends) {
  std::string step = ends.rest;
  Range range;
  if (!step.empty() && step[0] == '*') {
    range.multiplies = true;
    step.erase(0, 1);
  }
  const auto width = number(step);
  if (!width) return {};
  range.from = *number(ends.from);
  range.to = *number(ends.to);
  range.step = *width;
  range.decimals = std::max(decimals(ends.from), decimals(step));
  return range;
}

/// N of `rest` if it is the word and a number of values.
std::optional<std::size_t> count_of(const std::string& argument, const std::string& rest,
                                    const std::string& word) {
  if (!rest.starts_with(word)) return {};
  const auto count = number(rest.substr(word.size()));
  if (!count || *count < 2 || *count > kMostValues || *count != std::floor(*count)) {
    bad(argument, "expected a number of values from 2 to " + std::to_string(kMostValues) +
                      " after '" + word + "'");
  }
  return static_cast<std::size_t>(*count);
}

/// A value of a log range or of a sample.
std::string text_of(long double value, bool whole) {
  return Range{.decimals = whole ? 0 : 12}.text(whole ? std::round(value) : value);
}

/// `count` values at equal factors from one end to the other. Integers that round to the same value
/// stand there once.
std::vector<std::string> log_values(const std::string& argument, const Ends& ends,
                                    std::size_t count) {
  const long double from = *number(ends.from);
  const long double to = *number(ends.to);
  if (from <= 0 || to <= 0 || from == to)
    bad(argument, "expected from:to:logN with two different ends above 0");
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = static_cast<long double>(i) / static_cast<long double>(count - 1);
    const long double value = i == 0           ? from
                              : i == count - 1 ? to
                                               : from * std::pow(to / from, part);
    const std::string text = text_of(value, ends.whole());
    if (values.empty() || values.back() != text) values.push_back(text);
  }
  return values;
}

std::optional<SweepSample> sample_of(const std::string& argument, const Ends& ends) {
  const auto random = count_of(argument, ends.rest, "random");
  const auto stratified = count_of(argument, ends.rest, "lhs");
  if (!random && !stratified) return {};
  SweepSample sample{*number(ends.from), *number(ends.to), ends.whole(),
                     random ? *random : *stratified, stratified.has_value()};
  if (sample.from >= sample.to) bad(argument, "expected a first end below the second one");
  return sample;
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

std::vector<std::string> SweepSample::values(std::uint64_t seed, const std::string& key) const {
  const std::string hash =
      foundation::ContentHash().add(std::to_string(seed)).add(key).hex().substr(0, 16);
  foundation::Random random(std::stoull(hash, nullptr, 16));
  std::vector<std::size_t> parts(count);
  std::iota(parts.begin(), parts.end(), 0);
  if (stratified) {
    for (std::size_t i = count; i > 1; --i) std::swap(parts[i - 1], parts[random.below(i)]);
  }
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count; ++i) {
    long double place = random.fraction();
    if (stratified)
      place = (static_cast<long double>(parts[i]) + place) / static_cast<long double>(count);
    // An integer stands for the interval of width one above it.
    const long double value =
        whole ? std::floor(from + (to - from + 1) * place) : from + (to - from) * place;
    values.push_back(text_of(std::min(value, to), whole));
  }
  return values;
}

SweepAxis parse_axis(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    bad(argument,
        "expected key=a,b,c or key=from:to:step, with *factor, logN, randomN or lhsN in place of "
        "the step");
  }
  SweepAxis axis{argument.substr(0, equals), {}, {}};
  const std::vector<std::string> parts = split(argument, argument.substr(equals + 1));
  for (const std::string& part : parts) {
    if (part.empty()) bad(argument, "a value is missing");
    const auto ends = ends_of(part);
    std::vector<std::string> values{part};
    if (ends) {
      axis.sample = sample_of(argument, *ends);
      if (axis.sample) {
        if (parts.size() > 1) bad(argument, "expected nothing beside a random sample");
        return axis;
      }
      if (const auto count = count_of(argument, ends->rest, "log")) {
        values = log_values(argument, *ends, *count);
      } else if (const auto range = range_of(*ends)) {
        values = values_of(argument, *range);
      }
    }
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
