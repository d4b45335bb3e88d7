#pragma once

#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::switching {

/// A crossbar that replaces the state of Crossbar, for example RTL. A set has bit p for port p.
class ExternalCrossbar {
 public:
  virtual ~ExternalCrossbar() = default;
  /// The first cycle from `earliest` on at which all these ports are free.
  virtual dram::MemCycle ready(std::uint32_t inputs, std::uint32_t outputs,
                               dram::MemCycle earliest) = 0;
  /// Connects ports that are ready at `begin`, until `end`.
  virtual void connect(std::uint32_t inputs, std::uint32_t outputs, dram::MemCycle begin,
                       dram::MemCycle end) = 0;
};

}  // namespace tvp::switching
