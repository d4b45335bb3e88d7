#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sw/runtime/mesh/mesh_event.h"
#include "sw/runtime/programs/mesh_launch.h"

namespace tvp::runtime {

/// Sequences of launches that queues have captured and can replay any number of times.
class MeshTraces {
 public:
  using Launches = std::vector<std::shared_ptr<const MeshLaunch>>;

  /// One queue captures one trace at a time. These functions throw Fault(kDescription) for an
  /// unknown or unfinished trace.
  MeshTraceId begin(std::uint32_t queue);
  void end(std::uint32_t queue, MeshTraceId id);
  void release(MeshTraceId id);
  const Launches& launches(MeshTraceId id) const;

  bool capturing(std::uint32_t queue) const { return open_.count(queue) != 0; }
  void add(std::uint32_t queue, std::shared_ptr<const MeshLaunch> launch) {
    traces_.at(open_.at(queue)).push_back(std::move(launch));
  }

 private:
  std::map<MeshTraceId, Launches> traces_;
  std::map<std::uint32_t, MeshTraceId> open_;  ///< by queue
  std::uint32_t last_ = 0;
};

}  // namespace tvp::runtime
