#include "sw/collectives/tool/tool_arguments.h"

#include <charconv>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

template <typename Number>
std::optional<Number> parsed(const std::string& value) {
  Number made{};
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, made);
  if (error != std::errc() || rest != end || value.empty()) return {};
  return made;
}

}  // namespace

ToolArguments::ToolArguments(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::size_t sign = word.find('=');
    if (sign == 0 || sign == std::string::npos)
      runtime::bad_use("argument " + word, "expected key=value");
    if (!values_.try_emplace(word.substr(0, sign), word.substr(sign + 1)).second)
      runtime::bad_use("argument " + word, "has a key that is already given");
  }
}

std::optional<std::string> ToolArguments::text(const std::string& key) {
  read_.insert(key);
  const auto found = values_.find(key);
  if (found == values_.end()) return {};
  return found->second;
}

std::string ToolArguments::need(const std::string& key) {
  const std::optional<std::string> found = text(key);
  if (!found) runtime::bad_use("argument " + key, "is missing: expected " + key + "=…");
  return *found;
}

std::optional<std::uint32_t> ToolArguments::maybe_number(const std::string& key) {
  const std::optional<std::string> found = text(key);
  if (!found) return {};
  const std::optional<std::uint32_t> value = parsed<std::uint32_t>(*found);
  if (!value) runtime::bad_use("argument " + key, *found + ": expected a whole number from 0 on");
  return value;
}

std::uint32_t ToolArguments::number(const std::string& key, std::uint32_t otherwise) {
  return maybe_number(key).value_or(otherwise);
}

double ToolArguments::real(const std::string& key, double otherwise) {
  const std::optional<std::string> found = text(key);
  if (!found) return otherwise;
  const std::optional<double> value = parsed<double>(*found);
  if (!value || !(*value >= 0))
    runtime::bad_use("argument " + key, *found + ": expected a number from 0 on");
  return *value;
}

bool ToolArguments::flag(const std::string& key) {
  const std::optional<std::string> found = text(key);
  if (!found || *found == "false") return false;
  if (*found != "true") runtime::bad_use("argument " + key, *found + ": expected true or false");
  return true;
}

void ToolArguments::require_used() const {
  for (const auto& [key, value] : values_) {
    if (read_.contains(key)) continue;
    std::string names;
    for (const std::string& each : read_) names += (names.empty() ? "" : ", ") + each;
    runtime::bad_use("argument " + key, "is not used: expected one of " + names);
  }
}

}  // namespace tvp::collectives
