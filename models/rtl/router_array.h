#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/mesh/external_router.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::rtl {

/// The RTL routers of a mesh, and their clock.
class RouterArray : public mesh::RouterClock {
 public:
  /// Sum of the clock edges of all routers.
  virtual std::uint64_t edges() const = 0;
  /// Attaches the pins of all routers to rows. `path_of` returns the path of a node's rows.
  virtual void watch(support::WaveRecorder& recorder,
                     const std::function<std::string(unsigned node)>& path_of) = 0;
};

}  // namespace tvp::rtl
