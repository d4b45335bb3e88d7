#pragma once

#include <cstddef>
#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::pim {

/// Counts of the activity outside of the chips of a TieredNetwork.
struct TierStats {
  std::uint64_t packets_between_chips = 0;  ///< of one rank
  std::uint64_t packets_between_ranks = 0;
  std::uint64_t bytes_between_chips = 0;  ///< headers included
  std::uint64_t bytes_between_ranks = 0;
  std::uint64_t packets_between_channels = 0;
  std::uint64_t packets_as_commands = 0;  ///< between ranks, on the command/address bus alone
  std::size_t most_queued = 0;            ///< packets at a gateway on their way into a chip,
  std::size_t most_leaving = 0;           ///< out of it,
  std::size_t most_in_buffer = 0;         ///< in the buffer of a rank on their way to another one
  std::uint64_t multicasts = 0;           ///< packets that the switch gave to several chips,
  std::uint64_t reductions = 0;           ///< and those that it made of several
  std::size_t most_to_combine = 0;        ///< packets of a rank that wait for others to combine
  dram::MemCycle waited_to_leave = 0;     ///< at gateways for the chip's pins, all packets
  dram::MemCycle waited_in_buffer = 0;
};

}  // namespace tvp::pim
