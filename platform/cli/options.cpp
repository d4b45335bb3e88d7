#include "platform/cli/options.h"

#include <cmath>
#include <cstdlib>

#include "foundation/fault.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;

std::vector<std::pair<std::string, std::string>> parse_set(const std::string& argument) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string key;
  std::string value;
  bool in_value = false;
  bool quoted = false;
  const auto finish = [&] {
    if (!in_value || key.empty()) {
      throw Fault(FaultKind::kDescription, "--set '" + argument + "'", "expected key=value");
    }
    pairs.emplace_back(key, value);
    key.clear();
    value.clear();
    in_value = false;
  };
  for (const char c : argument) {
    if (c == '"' && in_value) {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      finish();
    } else if (c == '=' && !in_value) {
      in_value = true;
    } else {
      (in_value ? value : key) += c;
    }
  }
  if (quoted) throw Fault(FaultKind::kDescription, "--set '" + argument + "'", "quote not closed");
  finish();
  return pairs;
}

std::vector<std::pair<std::string, std::string>> parse_sets(
    const std::vector<std::string>& arguments) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& argument : arguments) {
    for (auto& pair : parse_set(argument)) pairs.push_back(std::move(pair));
  }
  return pairs;
}

double parse_time_ns(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  double scale = 0;
  if (unit.empty() || unit == "ns") scale = 1;
  if (unit == "ps") scale = 1e-3;
  if (unit == "us") scale = 1e3;
  if (unit == "ms") scale = 1e6;
  if (unit == "s") scale = 1e9;
  if (end == text.c_str() || scale == 0 || !std::isfinite(value) || value <= 0) {
    throw Fault(FaultKind::kDescription, "",
                "time '" + text + "': expected a positive number with ps, ns, us, ms or s");
  }
  return value * scale;
}

}  // namespace tvp::cli
