#pragma once

#include <vector>

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// A chip described by its shape: columns of DRAM, rows of ethernet, and Tensix tiles elsewhere.
struct ChipPattern {
  unsigned columns = 0;
  unsigned rows = 0;
  std::vector<unsigned> dram_columns;  ///< the first also holds the ARC and PCIe tiles
  std::vector<unsigned> ethernet_rows;
  unsigned dram_channels = 0;
  unsigned dram_endpoints = 2;  ///< nodes of each channel; also its number of banks
  unsigned dram_bank_mib = 1024;
  unsigned ethernet_channels = 0;

  /// Gives `spec` the nodes of the pattern.
  /// - The last node of the first DRAM column is the PCIe tile, the one before it the ARC.
  /// - DRAM channels alternate between the columns and fill them from row 0 on.
  /// - Ethernet channels are spread evenly over their rows, outermost columns first.
  /// - Bit i of a harvest mask is the i-th Tensix row.
  ///
  /// Throws Fault(kDescription) at `spec.place_of("pattern.…")` for an impossible pattern.
  void place(ChipSpec& spec) const;

 private:
  void place_tensix(ChipSpec& spec) const;
  void place_ethernet(ChipSpec& spec) const;
  void place_dram(ChipSpec& spec) const;
};

}  // namespace tvp::foundation
