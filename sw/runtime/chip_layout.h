#pragma once

#include <cstdint>
#include <vector>

#include "firmware/contract/bank_tables.h"
#include "sw/runtime/core_coord.h"

namespace tvp::runtime {

/// Where the tiles of a Wormhole chip are, for host accesses (NoC 0 coordinates) and for kernels
/// (translated coordinates, where the chip translates).
/// tt-umd soc_descs/wormhole_b0_80_arch.yaml; ISA NoC/Coordinates.md.
class ChipLayout {
 public:
  static constexpr std::uint32_t kEthernetChannels = 16;

  /// `harvested_rows`: mask in the telemetry's bit order. `translated`: NIUs translate coordinates.
  ChipLayout(std::uint32_t harvested_rows, bool translated);

  /// Workers, as columns and rows of logical coordinates.
  CoreCoord grid_size() const { return {8, static_cast<std::uint32_t>(worker_rows_.size())}; }
  std::uint32_t workers() const { return grid_size().x * grid_size().y; }
  bool translated() const { return translated_; }

  // Throw Fault(kDescription) for a core that does not exist.
  CoreCoord worker_noc0(CoreCoord logical) const;
  CoreCoord worker_virtual(CoreCoord logical) const;
  CoreCoord ethernet_noc0(std::uint32_t channel) const;
  CoreCoord ethernet_virtual(std::uint32_t channel) const;

  /// The DRAM tile through which bank `bank` is reached, and the bank's offset there.
  static CoreCoord dram_noc0(std::uint32_t bank);
  static std::uint32_t dram_offset(std::uint32_t bank) { return bank % 2 * 0x40000000U; }

  /// What the firmware's start copies.
  contract::BankTables bank_tables() const;

 private:
  std::vector<std::uint32_t> worker_rows_;  ///< NoC 0 y of logical row i
  bool translated_;
};

}  // namespace tvp::runtime
