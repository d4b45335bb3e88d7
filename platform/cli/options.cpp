#include "platform/cli/options.h"

#include <cstdlib>
#include <limits>

#include "foundation/fault.h"
#include "foundation/settings.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Pairs of one argument, character by character.
class PairReader {
 public:
  explicit PairReader(const std::string& argument) : argument_(argument) {}

  std::vector<std::pair<std::string, std::string>> read() {
    for (std::size_t i = 0; i < argument_.size(); ++i) {
      const char c = argument_[i];
      if (c == '\n' || c == '\r') fail("expected no line break");
      if (c == '"' && quoted_ && i + 1 < argument_.size() && argument_[i + 1] == '"') {
        add(c);  // two quotes inside quotes are one character
        ++i;
      } else if (c == '"' && (in_value_ || key_.empty())) {
        quoted_ = !quoted_;
      } else if (c == ',' && !quoted_) {
        finish();
      } else if (c == '=' && !in_value_) {
        in_value_ = true;
      } else {
        add(c);
      }
    }
    if (quoted_) fail("quote not closed");
    finish();
    return std::move(pairs_);
  }

 private:
  [[noreturn]] void fail(const std::string& text) const {
    throw Fault(FaultKind::kDescription, "--set '" + argument_ + "'", text);
  }
  void add(char c) { (in_value_ ? value_ : key_) += c; }
  void finish() {
    if (!in_value_ || key_.empty()) {
      fail("expected key=value, a value with a comma as key=\"a,b\"");
    }
    pairs_.emplace_back(std::move(key_), std::move(value_));
    key_.clear();
    value_.clear();
    in_value_ = false;
  }

  const std::string& argument_;
  std::vector<std::pair<std::string, std::string>> pairs_;
  std::string key_;
  std::string value_;
  bool in_value_ = false;
  bool quoted_ = false;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_set(const std::string& argument) {
  return PairReader(argument).read();
}

void check_line(const std::string& option, const std::string& value) {
  if (value.find_first_of("\n\r") != std::string::npos) {
    throw Fault(FaultKind::kDescription, option + " '" + value + "'", "expected no line break");
  }
}

void check_line(const std::string& option, const std::optional<std::string>& value) {
  if (value) check_line(option, *value);
}

void check_named(const std::string& option, const std::optional<std::string>& file) {
  if (file && file->empty()) {
    throw Fault(FaultKind::kDescription, option, "is empty: expected a name");
  }
  if (file && file->starts_with("--")) {
    throw Fault(FaultKind::kDescription, option + " " + *file,
                "expected a name, not the next option (./" + *file + " is a file of that name)");
  }
}

std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"') text += c;
    text += c;
  }
  return text + "\"";
}

std::vector<std::pair<std::string, std::string>> parse_sets(
    const std::vector<std::string>& arguments) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& argument : arguments) {
    for (auto& pair : parse_set(argument)) pairs.push_back(std::move(pair));
  }
  return pairs;
}

double parse_time_ns(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  double scale = 0;
  if (unit.empty() || unit == "ns") scale = 1;
  if (unit == "ps") scale = 1e-3;
  if (unit == "us") scale = 1e3;
  if (unit == "ms") scale = 1e6;
  if (unit == "s") scale = 1e9;
  // Times are whole nanoseconds whose value in ps fits 64 bits.
  constexpr double kLongest_ns = 1.8e16;
  const double ns = value * scale;
  if (end == text.c_str() || scale == 0 || !(ns >= 1 && ns <= kLongest_ns)) {
    throw Fault(FaultKind::kDescription, option + " '" + text + "'",
                "expected a time from 1ns to 18000000s, a number with ps, ns, us, ms or s");
  }
  return ns;
}

std::optional<double> parse_optional_time_ns(const std::string& option,
                                             const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return parse_time_ns(option, *text);
}

std::uint64_t parse_seed(const std::string& text) {
  return foundation::parse_unsigned("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
}

}  // namespace tvp::cli
