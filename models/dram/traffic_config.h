#pragma once

#include <memory>

#include "models/dram/memory_system.h"
#include "models/dram/traffic_source.h"
#include "models/support/settings.h"

namespace tvp::dram {

/// Settings of the requests that a memory without a chip gets.
struct TrafficConfig : support::SettingGroup {
  TrafficConfig();

  support::Choice pattern;
  support::Text trace;
  support::Setting<std::uint64_t> requests;
  support::Setting<unsigned> outstanding;
  support::Setting<double> rate_per_ns;
  support::Setting<double> read_share;
  support::Setting<std::uint64_t> stride_bytes;
  support::Setting<std::uint64_t> working_set_bytes;
  support::Setting<std::uint64_t> seed;

  /// Throws Fault(kDescription) naming key or line of what does not fit the memory.
  std::unique_ptr<TrafficSource> make_source(const MemorySystem& memory) const;
  /// Bytes of memory that requests may reach.
  std::uint64_t reach(const MemorySystem& memory) const;
};

}  // namespace tvp::dram
