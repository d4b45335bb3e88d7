#pragma once

#include <cstdint>

#include "models/noc/endpoint_type.h"

namespace tvp::platform {

/// Who is told where in DRAM the host reads and writes in no time.
class HostDramWatch {
 public:
  virtual ~HostDramWatch() = default;
  /// `noc0`: the tile, in coordinates of NoC 0. Before it happens.
  virtual void accessed(noc::Node noc0, std::uint64_t address, std::uint32_t bytes, bool write) = 0;
};

}  // namespace tvp::platform
