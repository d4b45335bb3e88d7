#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/mesh/external_router.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::rtl {

/// The routers of a mesh that are RTL, and their clock.
class RouterArray : public mesh::RouterClock {
 public:
  /// Edges that routers have had, all of them together.
  virtual std::uint64_t edges() const = 0;
  /// Attaches the pins of all routers to rows; `path_of` says where those of a node belong.
  virtual void watch(support::WaveRecorder& recorder,
                     const std::function<std::string(unsigned node)>& path_of) = 0;
  /// Throws what an edge has thrown, if nobody has heard of it yet.
  virtual void rethrow() = 0;
};

}  // namespace tvp::rtl
