#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// The scalar unit's access to the registers at 0xFFB_____.
class MmioPort {
 public:
  virtual ~MmioPort() = default;
  struct Result {
    bool blocked = false;
    std::uint32_t data = 0;
    std::uint32_t latency = 0;
  };
  virtual Result load(std::uint32_t address, Cycle now) = 0;
  virtual Result store(std::uint32_t address, std::uint32_t data, Cycle now) = 0;
};

}  // namespace tvp::tensix::coprocessor
