#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tvp::report {

/// Rows of a sweep for programs that analyze data.
class SweepTable {
 public:
  /// Nothing, a figure, or a text; a column of texts that are all numbers is one of numbers.
  using Cell = std::variant<std::monostate, double, std::string>;
  enum class Type { kInteger, kReal, kText };
  struct Column {
    std::string name;
    std::string unit;
    std::vector<Cell> cells;

    Type type() const;
  };

  explicit SweepTable(std::string name) : name_(std::move(name)) {}
  /// Call this for all columns before the first row. A name that is there already gets a number.
  void add_column(std::string name, const std::string& unit);
  void add_row(std::vector<Cell> row);

  const std::string& name() const { return name_; }
  const std::vector<Column>& columns() const { return columns_; }
  std::size_t rows() const { return columns_.empty() ? 0 : columns_[0].cells.size(); }

  /// A header with names and units, and one line for each row.
  std::string to_csv() const;

 private:
  std::string name_;
  std::vector<Column> columns_;
};

}  // namespace tvp::report
