#pragma once

#include <array>
#include <cstdint>

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// The coordinates that software writes, and the translation tables with which the NIUs of a chip
/// turn them into nodes: one table for columns and one for rows.
///
/// Wormhole (ISA NoC/Coordinates.md): numbers below first_translated are those of the NoC itself.
/// From there on, columns and rows without Tensix tiles come first, then those with Tensix tiles,
/// then harvested ones. DRAM is addressed by the numbers of the NoC.
///
/// Blackhole (tt-umd blackhole_coordinate_manager.cpp): every number is translated. Tensix tiles
/// keep the columns and rows that have Tensix tiles, filled with working columns first. DRAM, PCIe
/// and ethernet tiles have numbers behind the grid. Other tiles have those of NoC 0.
class Coordinates {
 public:
  static constexpr unsigned kEntries = 32;
  static constexpr std::uint8_t kUnused = 0xFF;
  /// Lines by the number that software writes; entries without meaning are kUnused.
  using Table = std::array<std::uint8_t, kEntries>;

  Coordinates(const ChipSpec& spec, Harvested harvested);

  /// Columns and rows as NoC `noc` counts them.
  Table columns(unsigned noc) const { return seen_from(columns_, noc, spec_.columns); }
  Table rows(unsigned noc) const { return seen_from(rows_, noc, spec_.rows); }
  bool names_column(unsigned written) const {
    return written < kEntries && columns_[written] != kUnused;
  }
  bool names_row(unsigned written) const { return written < kEntries && rows_[written] != kUnused; }

  /// The translated coordinates of a tile, the same on both NoCs.
  ChipNode translated(ChipNode noc0) const;
  /// The coordinates of a DRAM endpoint for programs that use NoC `noc`.
  ChipNode of_dram(ChipNode noc0, unsigned noc) const;

  /// Size of a grid whose numbers fit into the tables of a generation.
  static unsigned most_columns(Generation generation);
  static unsigned most_rows(Generation generation);

 private:
  void place_wormhole(Harvested harvested);
  void place_blackhole(Harvested harvested);
  Table seen_from(const Table& table, unsigned noc, unsigned size) const;

  const ChipSpec& spec_;
  Table columns_;  ///< NoC 0
  Table rows_;
};

/// Throws Fault(kDescription) if the numbers of a chip do not fit into its tables.
void check_coordinates(const ChipSpec& spec);

}  // namespace tvp::foundation
