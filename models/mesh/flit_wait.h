#pragma once

#include <cstdint>

#include "models/mesh/port.h"

namespace tvp::mesh {

/// A packet that cannot move, in a mesh in which nothing moves.
struct FlitWait {
  std::uint32_t packet = 0;
  unsigned router = 0;        ///< holds the next flit; for an injection queue, the router behind it
  unsigned waits_for = 0;     ///< the router that does not take the flit, or does not send it
  Port input = Port::kLocal;  ///< of `waits_for`
  enum class Why : std::uint8_t {
    kNotTaken,  ///< the input is full
    kRefused,   ///< the input is empty and yet takes nothing
    kKept,      ///< the router could send the flit and does not
  };
  Why why = Why::kNotTaken;
  bool is_queued = false;  ///< in an injection queue
};

}  // namespace tvp::mesh
