#pragma once

#include <cstddef>
#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::pim {

/// Activity outside of the chips of a TieredNetwork.
struct TierStats {
  std::uint64_t packets_between_chips = 0;  ///< within one rank
  std::uint64_t packets_between_ranks = 0;
  std::uint64_t bytes_between_chips = 0;  ///< including headers
  std::uint64_t bytes_between_ranks = 0;
  std::uint64_t packets_between_channels = 0;
  std::uint64_t packets_as_commands = 0;  ///< packets between ranks on the command/address bus only
  std::size_t most_queued = 0;      ///< maximum of packets at a gateway on their way into a chip,
  std::size_t most_leaving = 0;     ///< out of a chip,
  std::size_t most_in_buffer = 0;   ///< and in the buffer of a rank on their way to another one
  std::uint64_t multicasts = 0;     ///< packets that the switch copied to several chips,
  std::uint64_t reductions = 0;     ///< and packets that it combined from several
  std::size_t most_to_combine = 0;  ///< maximum of packets of a rank that wait for partners
  dram::MemCycle waited_to_leave = 0;  ///< sum of the waits at gateways for the chip's pins
  dram::MemCycle waited_in_buffer = 0;
};

}  // namespace tvp::pim
