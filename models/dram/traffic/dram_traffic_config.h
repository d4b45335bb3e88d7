#pragma once

#include <memory>

#include "foundation/settings.h"
#include "models/dram/memory_system.h"
#include "models/dram/traffic/traffic_source.h"

namespace tvp::dram {

/// Settings of the requests to a memory without a chip.
struct DramTrafficConfig : foundation::SettingGroup {
  DramTrafficConfig();

  foundation::Choice pattern;
  foundation::Text trace;
  foundation::Choice trace_format;
  foundation::Setting<unsigned> trace_clock_mhz;
  foundation::Setting<double> instructions_per_ck;
  foundation::Setting<bool> trace_wraps;
  foundation::Text timing_file;
  foundation::Setting<std::uint64_t> requests;
  foundation::Setting<unsigned> outstanding;
  foundation::Setting<double> rate_per_ns;
  foundation::Setting<double> read_share;
  foundation::Setting<std::uint64_t> stride_bytes;
  foundation::Setting<std::uint64_t> working_set_bytes;
  foundation::Setting<std::uint64_t> seed;

  /// Throws Fault(kDescription) with the key or line that does not fit the memory.
  std::unique_ptr<TrafficSource> make_source(const MemorySystem& memory) const;
};

}  // namespace tvp::dram
