#pragma once
// Small types of the fabric that kernels and hosts pass to each other.

#include <stdint.h>

#include "foundation/contract/fabric/endpoint.h"

namespace tt::tt_fabric {

// Hosts pass these numbers. Until November 2025 there was no neighbor exchange.
#if defined(TVP_TOPOLOGIES_OF_2025)
enum class Topology { Ring = 0, Linear = 1, Mesh = 2, Torus = 3, NeighborExchange = 4 };
#else
enum class Topology { NeighborExchange = 0, Linear = 1, Ring = 2, Mesh = 3, Torus = 4 };
#endif

constexpr bool is_2D_topology(Topology topology) {
  return topology == Topology::Mesh || topology == Topology::Torus;
}
constexpr bool is_ring_or_torus(Topology topology) {
  return topology == Topology::Ring || topology == Topology::Torus;
}

using EDMChannelWorkerLocationInfo = tvp::contract::fabric::ConnectionInfo;

/// Coordinates of a core, packed into a word.
struct WorkerXY {
  uint16_t x = 0;
  uint16_t y = 0;
  constexpr WorkerXY() = default;
  constexpr WorkerXY(uint16_t x_, uint16_t y_) : x(x_), y(y_) {}
  constexpr uint32_t to_uint32() const { return uint32_t{y} << 16 | x; }
  static constexpr WorkerXY from_uint32(uint32_t word) {
    return {static_cast<uint16_t>(word), static_cast<uint16_t>(word >> 16)};
  }
  constexpr bool operator==(const WorkerXY&) const = default;
};

}  // namespace tt::tt_fabric
