#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// The banks that a same-bank or per-bank refresh command covers, if the standard has one.
enum class BankRefresh : std::uint8_t {
  kNone,
  kSameBankOfEveryGroup,  ///< DDR5 REFsb
  kOneBank,               ///< GDDR6 REFpb
};

/// Structure of a channel. A channel has its own command bus: for example a DDR5 sub-channel, or
/// one half of a GDDR6 device.
struct Organization {
  unsigned channels = 1;  ///< independent (sub-)channels of a module or device
  unsigned ranks = 1;
  unsigned bank_groups = 4;
  unsigned banks_per_group = 4;
  std::uint64_t rows = 65536;
  unsigned columns = 1024;    ///< columns of a row, each as wide as the channel
  unsigned bus_bits = 64;     ///< data pins of a channel
  unsigned burst_length = 8;  ///< transfers of a column command
  unsigned device_bits = 8;   ///< data pins of one chip
  BankRefresh bank_refresh = BankRefresh::kNone;

  unsigned banks_per_rank() const { return bank_groups * banks_per_group; }
  unsigned banks() const { return ranks * banks_per_rank(); }
  unsigned burst_bytes() const { return bus_bits / 8 * burst_length; }
  unsigned bursts_per_row() const { return columns / burst_length; }
  std::uint64_t row_bytes() const { return std::uint64_t{columns} * bus_bits / 8; }
  std::uint64_t channel_bytes() const { return rows * banks() * row_bytes(); }
  /// Bytes of a row in one chip of a rank, which is the row of a bank for a processor inside that
  /// chip.
  unsigned device_row_bytes() const { return columns * device_bits / 8; }
  unsigned device_burst_bytes() const { return device_bits * burst_length / 8; }
};

/// Distances between commands in cycles of CK, with the names of the JEDEC standards.
struct Timing {
  Period tck;
  unsigned cl = 0;   ///< RD to its first data
  unsigned cwl = 0;  ///< WR to its first data
  unsigned bl = 0;   ///< cycles that a burst holds the data bus
  unsigned trcd_rd = 0;
  unsigned trcd_wr = 0;
  unsigned trp = 0;
  unsigned tras = 0;
  unsigned trc = 0;
  unsigned tccd_s = 0;
  unsigned tccd_l = 0;
  unsigned tccd_l_wr = 0;  ///< write to write within a bank group
  unsigned trrd_s = 0;
  unsigned trrd_l = 0;
  unsigned tfaw = 0;
  unsigned twr = 0;
  unsigned trtp = 0;
  unsigned twtr_s = 0;
  unsigned twtr_l = 0;
  unsigned trtw_gap = 0;    ///< idle data bus between a read's data and a write's
  unsigned trtrs = 0;       ///< idle data bus when the rank changes
  unsigned tppd = 0;        ///< PRE to PRE
  unsigned trefi = 0;       ///< average interval of all-bank refresh commands
  unsigned trfc = 0;        ///< all-bank REF to the next command of the rank
  unsigned trefi_bank = 0;  ///< average interval of bank refresh commands
  unsigned trfc_bank = 0;   ///< bank refresh to the next command of the banks that it covers
  unsigned trrefd = 0;      ///< bank refresh to an ACT of another bank
  unsigned max_postponed_refreshes = 0;
  unsigned column_slots = 1;    ///< command bus cycles of RD and WR
  unsigned activate_slots = 1;  ///< command bus cycles of ACT
  unsigned other_slots = 1;     ///< command bus cycles of all other commands

  unsigned read_to_write() const { return cl + bl + trtw_gap - cwl; }
  unsigned write_to_read(bool same_group) const {
    return cwl + bl + (same_group ? twtr_l : twtr_s);
  }
  unsigned write_to_precharge() const { return cwl + bl + twr; }
};

/// A speed bin of a DRAM part.
struct Preset {
  std::string_view name;
  Organization organization;
  Timing timing;
};

/// All presets, ordered by name.
std::span<const Preset> presets();

/// Null if there is no preset with this name.
const Preset* find_preset(std::string_view name);

}  // namespace tvp::dram
