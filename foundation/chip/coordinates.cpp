#include "foundation/chip/coordinates.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

using Lines = std::vector<unsigned>;

/// Those of `lines` whose bit in `off` is clear, then the others.
Lines working_first(Lines lines, std::uint32_t off) {
  std::stable_partition(lines.begin(), lines.end(),
                        [off](unsigned line) { return (off >> line & 1U) == 0; });
  return lines;
}

/// Where the numbers behind the grid of a Blackhole chip begin (tt-umd
/// blackhole_coordinate_manager.cpp, blackhole_implementation.hpp).
constexpr unsigned kDramColumn = 17;
constexpr unsigned kDramRow = 12;
constexpr unsigned kPcieColumn = 19;
constexpr unsigned kPcieRow = 24;
constexpr unsigned kEthernetColumn = 20;
constexpr unsigned kEthernetRow = 25;

unsigned index_of(const Coordinates::Table& table, unsigned first, unsigned value) {
  return static_cast<unsigned>(std::find(table.begin() + first, table.end(), value) -
                               table.begin());
}

}  // namespace

Coordinates::Coordinates(const ChipSpec& spec, Harvested harvested) : spec_(spec) {
  columns_.fill(kUnused);
  rows_.fill(kUnused);
  if (spec.generation == Generation::kBlackhole) {
    place_blackhole(harvested);
  } else {
    place_wormhole(harvested);
  }
}

unsigned Coordinates::most_columns(Generation generation) {
  return generation == Generation::kBlackhole ? kDramColumn : 16;  // 4 bits
}

unsigned Coordinates::most_rows(Generation generation) {
  return generation == Generation::kBlackhole ? kDramRow : 16;
}

void Coordinates::place_wormhole(Harvested harvested) {
  const auto place = [&](Table& table, unsigned size, const Lines& tensix, std::uint32_t off) {
    for (unsigned i = 0; i < size; ++i) table[i] = static_cast<std::uint8_t>(i);
    if (spec_.first_translated >= kEntries) return;
    unsigned next = spec_.first_translated;
    for (unsigned i = 0; i < size; ++i) {
      if (std::find(tensix.begin(), tensix.end(), i) == tensix.end())
        table[next++] = static_cast<std::uint8_t>(i);
    }
    for (const unsigned i : working_first(tensix, off)) {
      table[next++] = static_cast<std::uint8_t>(i);
    }
  };
  place(columns_, spec_.columns, spec_.tensix_columns, harvested.columns);
  place(rows_, spec_.rows, spec_.tensix_rows, harvested.rows);
}

void Coordinates::place_blackhole(Harvested harvested) {
  const auto tensix = [](Table& table, unsigned size, const Lines& lines, const Lines& order) {
    for (unsigned i = 0; i < size; ++i) table[i] = static_cast<std::uint8_t>(i);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      table[lines[i]] = static_cast<std::uint8_t>(order[i]);
    }
  };
  // The column of ethernet channel 0 is the last of the harvested ones, that of channel 1 the one
  // before it.
  Lines columns = working_first(spec_.tensix_columns, harvested.columns);
  const auto channel_at = [&](unsigned x) {
    return std::find_if(spec_.ethernet.begin(), spec_.ethernet.end(),
                        [x](ChipNode node) { return node.x == x; });
  };
  const auto off = std::find_if(columns.begin(), columns.end(),
                                [&](unsigned x) { return (harvested.columns >> x & 1U) != 0; });
  std::stable_sort(off, columns.end(),
                   [&](unsigned a, unsigned b) { return channel_at(a) > channel_at(b); });
  tensix(columns_, spec_.columns, spec_.tensix_columns, columns);
  tensix(rows_, spec_.rows, spec_.tensix_rows, working_first(spec_.tensix_rows, harvested.rows));
  unsigned west = 0;
  Lines dram_columns;
  for (const DramChannel& channel : spec_.dram) {
    const unsigned x = channel.endpoints[0].x;
    if (dram_columns.empty() || dram_columns.back() != x) dram_columns.push_back(x);
    if (x != dram_columns[0]) continue;
    for (const ChipNode node : channel.endpoints) {
      rows_[kDramRow + west++] = static_cast<std::uint8_t>(node.y);
    }
  }
  for (std::size_t i = 0; i < dram_columns.size(); ++i) {
    columns_[kDramColumn + i] = static_cast<std::uint8_t>(dram_columns[i]);
  }
  columns_[kPcieColumn] = static_cast<std::uint8_t>(spec_.pcie.x);
  rows_[kPcieRow] = static_cast<std::uint8_t>(spec_.pcie.y);
  for (std::size_t i = 0; i < spec_.ethernet.size() && kEthernetColumn + i < kEntries; ++i) {
    columns_[kEthernetColumn + i] = static_cast<std::uint8_t>(spec_.ethernet[i].x);
    rows_[kEthernetRow] = static_cast<std::uint8_t>(spec_.ethernet[i].y);
  }
}

Coordinates::Table Coordinates::seen_from(const Table& table, unsigned noc, unsigned size) const {
  if (noc == 0) return table;
  Table mirrored = table;
  for (unsigned i = spec_.first_translated; i < kEntries; ++i) {
    if (table[i] != kUnused) mirrored[i] = static_cast<std::uint8_t>(size - 1 - table[i]);
  }
  return mirrored;
}

ChipNode Coordinates::translated(ChipNode noc0) const {
  const auto at = [&](unsigned first_column, unsigned first_row) -> ChipNode {
    return {index_of(columns_, first_column, noc0.x), index_of(rows_, first_row, noc0.y)};
  };
  if (spec_.first_translated != 0) return at(spec_.first_translated, spec_.first_translated);
  switch (spec_.kind_at(noc0)) {
    case TileKind::kDram:
      return at(kDramColumn, kDramRow);
    case TileKind::kPcie:
      return at(kPcieColumn, kPcieRow);
    case TileKind::kEthernet:
      return at(kEthernetColumn, kEthernetRow);
    default:
      return at(0, 0);
  }
}

ChipNode Coordinates::of_dram(ChipNode noc0, unsigned noc) const {
  if (spec_.first_translated == 0) return translated(noc0);
  return noc == 0 ? noc0 : spec_.mirrored(noc0);
}

void check_coordinates(const ChipSpec& spec) {
  const auto refuse = [&](const std::string& key, const std::string& text) {
    throw Fault(FaultKind::kDescription, spec.place_of(key), key + ": " + text);
  };
  const unsigned longest = std::max(spec.columns, spec.rows);
  if (spec.generation == Generation::kBlackhole) {
    if (spec.first_translated != 0) {
      refuse("coordinates.first_translated", "expected 0: a Blackhole chip translates all");
    }
    if (spec.ethernet.size() > Coordinates::kEntries - kEthernetColumn) {
      refuse("ethernet.nodes", "expected at most 12: the translation tables name no more");
    }
    return;
  }
  if (spec.first_translated < longest || spec.first_translated + longest > Coordinates::kEntries) {
    refuse("coordinates.first_translated",
           "expected behind the coordinates of the grid, which end at " + std::to_string(longest) +
               ", and room for as many below 32");
  }
}

}  // namespace tvp::foundation
