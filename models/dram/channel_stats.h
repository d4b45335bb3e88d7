#pragma once

#include <array>
#include <cstdint>

#include "models/dram/timing/dram_command.h"
#include "models/support/latency_histogram.h"

namespace tvp::dram {

/// Activity of a channel. A read or write is a burst; its latency lasts from arrival to the last
/// data.
struct ChannelStats {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t forwarded = 0;  ///< reads served from the write queue
  std::uint64_t row_hits = 0;
  std::uint64_t row_misses = 0;     ///< the bank was closed
  std::uint64_t row_conflicts = 0;  ///< another row was open
  std::array<std::uint64_t, kCommands> commands{};
  /// Refreshes of an idle rank that were counted without being simulated.
  std::uint64_t skipped_refreshes = 0;
  MemCycle data_cycles = 0;          ///< cycles in which the data bus moves a burst
  MemCycle refresh_bank_cycles = 0;  ///< refresh time, summed over the banks
  support::LatencyHistogram read_latency;
  support::LatencyHistogram write_latency;

  std::uint64_t command(DramCommand c) const { return commands[index_of(c)]; }
};

}  // namespace tvp::dram
