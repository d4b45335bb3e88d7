#include "foundation/chip/chip_pattern.h"

#include <string>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

constexpr unsigned kControlNodes = 2;  ///< ARC and PCIe, in the first DRAM column

[[noreturn]] void impossible(const ChipSpec& spec, const std::string& key,
                             const std::string& text) {
  throw Fault(FaultKind::kDescription, spec.place_of("pattern." + key),
              "pattern." + key + ": " + text);
}

/// The numbers 0 to size - 1 that are not in `taken`.
std::vector<unsigned> rest_of(const ChipSpec& spec, const std::string& key, unsigned size,
                              const std::vector<unsigned>& taken) {
  std::vector<bool> free(size, true);
  for (const unsigned i : taken) {
    if (i >= size) {
      impossible(
          spec, key,
          std::to_string(i) + " is outside of the grid, expected 0.." + std::to_string(size - 1));
    }
    if (!free[i]) impossible(spec, key, std::to_string(i) + " stands twice");
    free[i] = false;
  }
  std::vector<unsigned> rest;
  for (unsigned i = 0; i < size; ++i) {
    if (free[i]) rest.push_back(i);
  }
  return rest;
}

/// Order of the result: last, first, last but one, second, …
std::vector<unsigned> outermost_first(const std::vector<unsigned>& list) {
  std::vector<unsigned> order;
  for (std::size_t i = 0; i < list.size(); ++i) {
    order.push_back(i % 2 == 0 ? list[list.size() - 1 - i / 2] : list[i / 2]);
  }
  return order;
}

}  // namespace

void ChipPattern::place(ChipSpec& spec) const {
  if (columns < 2 || columns > ChipSpec::kMostColumns) {
    impossible(spec, "columns",
               std::to_string(columns) + ", expected 2.." + std::to_string(ChipSpec::kMostColumns));
  }
  if (rows < 2 || rows > ChipSpec::kMostRows) {
    impossible(spec, "rows",
               std::to_string(rows) + ", expected 2.." + std::to_string(ChipSpec::kMostRows));
  }
  spec.columns = columns;
  spec.rows = rows;
  place_tensix(spec);
  place_ethernet(spec);
  place_dram(spec);
}

void ChipPattern::place_tensix(ChipSpec& spec) const {
  if (dram_columns.empty()) {
    impossible(spec, "dram_columns", "expected at least one column, for DRAM, ARC and PCIe");
  }
  spec.tensix_columns = rest_of(spec, "dram_columns", columns, dram_columns);
  spec.tensix_rows = rest_of(spec, "ethernet_rows", rows, ethernet_rows);
  spec.harvest_rows = spec.tensix_rows;
  if (spec.tensix_columns.empty()) {
    impossible(spec, "dram_columns", "no column is left for Tensix tiles");
  }
  if (spec.tensix_rows.empty()) {
    impossible(spec, "ethernet_rows", "no row is left for Tensix tiles");
  }
}

void ChipPattern::place_ethernet(ChipSpec& spec) const {
  const auto rows_of = static_cast<unsigned>(ethernet_rows.size());
  const auto room = static_cast<unsigned>(spec.tensix_columns.size()) * rows_of;
  if (ethernet_channels > room) {
    impossible(spec, "ethernet_channels",
               std::to_string(ethernet_channels) + ", but there is room for " +
                   std::to_string(room) + ": " + std::to_string(rows_of) + " ethernet rows of " +
                   std::to_string(spec.tensix_columns.size()) + " columns");
  }
  const std::vector<unsigned> order = outermost_first(spec.tensix_columns);
  const unsigned a_row = rows_of == 0 ? 0 : (ethernet_channels + rows_of - 1) / rows_of;
  spec.ethernet.clear();
  for (unsigned channel = 0; channel < ethernet_channels; ++channel) {
    spec.ethernet.push_back({order[channel % a_row], ethernet_rows[channel / a_row]});
  }
}

void ChipPattern::place_dram(ChipSpec& spec) const {
  if (dram_channels == 0) impossible(spec, "dram_channels", "expected at least 1");
  if (dram_endpoints == 0) impossible(spec, "dram_endpoints", "expected at least 1");
  spec.pcie = {dram_columns[0], rows - 1};
  spec.arc = {dram_columns[0], rows - 2};
  const auto turns = static_cast<unsigned>(dram_columns.size());
  std::vector<unsigned> used(turns, 0);
  spec.dram.clear();
  for (unsigned number = 0; number < dram_channels; ++number) {
    const unsigned column = number % turns;
    const unsigned room = column == 0 ? rows - kControlNodes : rows;
    if (used[column] + dram_endpoints > room) {
      impossible(spec, "dram_channels",
                 std::to_string(dram_channels) + " channels of " + std::to_string(dram_endpoints) +
                     " endpoints do not fit into " + std::to_string(turns) + " DRAM columns of " +
                     std::to_string(rows) +
                     " rows, of which the first holds the ARC and PCIe tiles, too");
    }
    DramChannel channel;
    const std::uint64_t bytes = std::uint64_t{dram_bank_mib} << 20;
    for (unsigned i = 0; i < dram_endpoints; ++i) {
      channel.endpoints.push_back({dram_columns[column], used[column]++});
      channel.banks.push_back({i, i, i * bytes, bytes});
    }
    spec.dram.push_back(channel);
  }
}

}  // namespace tvp::foundation
