#include "sw/report/sweep_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tvp::report {

namespace {

std::string field_of(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// The cell with the fewest digits that are read back as the same number.
std::string text_of(const SweepTable::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* value = std::get_if<double>(&cell);
  if (value == nullptr) return {};
  // Long counts have no exponent.
  constexpr double kExact = 1e15;
  if (std::abs(*value) < kExact && *value == std::floor(*value))
    return std::to_string(static_cast<std::int64_t>(*value));
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, *value).ptr};
}

template <typename Number>
bool is_a(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

SweepTable::Type SweepTable::Column::type() const {
  Type type = Type::kInteger;
  bool any = false;
  for (const Cell& cell : cells) {
    if (std::holds_alternative<std::monostate>(cell)) continue;
    any = true;
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) {
      type = Type::kReal;
    } else if (!is_a<double>(*text)) {
      return Type::kText;
    } else if (!is_a<std::int64_t>(*text)) {
      // Seeds may have 64 bits: a real number would lose the last ones.
      if (text->find_first_not_of("0123456789-") == std::string::npos) return Type::kText;
      type = Type::kReal;
    }
  }
  return any ? type : Type::kText;
}

void SweepTable::add_column(std::string name, const std::string& unit) {
  const auto known = [&](const std::string& other) {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const Column& column) { return column.name == other; });
  };
  std::string own = name;
  for (unsigned n = 2; known(own); ++n) own = name + " (" + std::to_string(n) + ")";
  columns_.push_back({std::move(own), unit, {}});
}

void SweepTable::add_row(std::vector<Cell> row) {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    columns_[c].cells.push_back(std::move(row.at(c)));
}

std::string SweepTable::to_csv() const {
  std::string csv;
  for (const Column& column : columns_) {
    const std::string unit = column.unit.empty() ? "" : ", " + column.unit;
    csv += (&column == columns_.data() ? "" : ",") + field_of(column.name + unit);
  }
  csv += "\n";
  for (std::size_t row = 0; row < rows(); ++row) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      csv += (c == 0 ? "" : ",") + field_of(text_of(columns_[c].cells[row]));
    csv += "\n";
  }
  return csv;
}

}  // namespace tvp::report
