#pragma once

#include <cstdint>
#include <utility>

#include "sw/runtime/life.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

class Cluster;

/// A semaphore at one address of L1 of all devices, which outlives programs (tt-metal's
/// tt-metalium/global_semaphore.hpp). Its memory belongs to the mesh.
class GlobalSemaphore {
 public:
  GlobalSemaphore(MeshDevice& mesh, CoreRangeSet cores, std::uint32_t initial);

  std::uint32_t address() const { return address_; }
  operator std::uint32_t() const { return address_; }  // NOLINT: as an argument of a kernel
  /// Sets the value on all its cores immediately.
  void reset_semaphore_value(std::uint32_t value) const;

 private:
  Cluster* cluster_;
  Life::Watch cluster_life_;
  CoreRangeSet cores_;
  std::uint32_t address_;
};

}  // namespace tvp::runtime
