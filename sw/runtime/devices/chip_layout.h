#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "foundation/chip/coordinates.h"
#include "foundation/contract/bank_tables.h"
#include "foundation/regs/noc.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// Places of the tiles of a chip, for host accesses (NoC 0 coordinates) and for kernels (translated
/// coordinates if the chip translates; ISA NoC/Coordinates.md).
class ChipLayout {
 public:
  using Spec = std::shared_ptr<const foundation::ChipSpec>;

  /// `harvest_mask`: in the telemetry's bit order. `translated`: NIUs translate coordinates.
  ChipLayout(Spec spec, std::uint32_t harvest_mask, bool translated);

  /// Kind of chip if the library does not describe it: Wormhole B0.
  static Spec usual_spec();

  const foundation::ChipSpec& spec() const { return *spec_; }
  const Spec& shared_spec() const { return spec_; }
  /// Workers, as columns and rows of logical coordinates.
  CoreCoord grid_size() const {
    return {static_cast<std::uint32_t>(worker_columns_.size()),
            static_cast<std::uint32_t>(worker_rows_.size())};
  }
  std::uint32_t workers() const { return grid_size().x * grid_size().y; }
  bool translated() const { return translated_; }
  foundation::Harvested harvested() const { return harvested_; }
  std::uint32_t ethernet_channels() const {
    return static_cast<std::uint32_t>(spec_->ethernet.size());
  }
  std::uint32_t dram_banks() const { return spec_->dram_banks(); }

  // These throw Fault(kDescription) for a core or bank that does not exist.
  CoreCoord worker_noc0(CoreCoord logical) const;
  CoreCoord worker_virtual(CoreCoord logical) const;
  CoreCoord ethernet_noc0(std::uint32_t channel) const;
  CoreCoord ethernet_virtual(std::uint32_t channel) const;

  /// The DRAM tile that gives access to bank `bank`, and the bank's offset there.
  CoreCoord dram_noc0(std::uint32_t bank) const;
  std::uint64_t dram_offset(std::uint32_t bank) const { return spec_->dram_bank(bank).offset; }
  /// Alignment of pages in DRAM, which reads of a NIU need.
  std::uint32_t dram_alignment() const { return regs::noc::map(spec_->generation).flit_bytes; }
  std::uint64_t dram_bank_bytes() const { return spec_->dram[0].banks[0].bytes; }

  /// Tables that the firmware copies at its start: contract::BankTables.
  std::vector<std::uint8_t> bank_tables() const;
  contract::BankTableLayout bank_table_layout() const;

 private:
  CoreCoord mirrored(CoreCoord core) const;
  /// Coordinates of a DRAM bank for programs that use NoC `noc`.
  CoreCoord dram_virtual(std::uint32_t bank, unsigned noc) const;
  CoreCoord translate(CoreCoord noc0) const;

  Spec spec_;
  std::vector<std::uint32_t> worker_columns_;  ///< NoC 0 x of logical column i
  std::vector<std::uint32_t> worker_rows_;     ///< NoC 0 y of logical row i
  foundation::Harvested harvested_;
  foundation::Coordinates coordinates_;
  bool translated_;
};

}  // namespace tvp::runtime
