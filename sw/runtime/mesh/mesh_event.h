#pragma once

#include <cstdint>
#include <memory>

#include "sw/runtime/life.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/strong_type.h"

namespace tvp::runtime {

class Cluster;

using MeshTraceId = StrongType<std::uint32_t, struct MeshTraceIdTag>;

/// A point in a command queue, reached when all earlier commands of the queue have ended. Copies
/// are the same point (tt-metal's tt-metalium/mesh_event.hpp).
class MeshEvent {
 public:
  MeshEvent(MeshDevice& mesh, std::uint32_t id, std::uint32_t queue);

  std::uint32_t id() const { return id_; }
  std::uint32_t mesh_cq_id() const { return queue_; }
  MeshDevice* device() const { return mesh_; }
  /// Throws Fault(kDescription) if it is closed.
  Cluster& cluster() const;
  bool done() const { return *done_; }
  void record() const { *done_ = true; }

 private:
  MeshDevice* mesh_;
  Cluster* cluster_;
  Life::Watch cluster_life_;
  std::uint32_t id_;
  std::uint32_t queue_;
  std::shared_ptr<bool> done_;
};

}  // namespace tvp::runtime
