#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// The commands on a channel's command bus.
enum class DramCommand : std::uint8_t {
  kActivate,
  kPrecharge,
  kPrechargeAll,
  kRead,
  kWrite,
  kReadAuto,     ///< RDA: with auto-precharge
  kWriteAuto,    ///< WRA
  kRefresh,      ///< REF: all banks of a rank
  kRefreshBank,  ///< REFsb of DDR5, REFpb of GDDR6
};
inline constexpr unsigned kCommands = 9;

constexpr unsigned index_of(DramCommand command) { return static_cast<unsigned>(command); }

const char* name_of(DramCommand command);

/// An entry of a channel's log, for checkers and traces.
struct IssuedCommand {
  MemCycle at;
  DramCommand command;
  unsigned bank;  ///< flat number; for commands to a rank, its first bank
  std::uint64_t row;
};
using CommandLog = std::vector<IssuedCommand>;

}  // namespace tvp::dram
