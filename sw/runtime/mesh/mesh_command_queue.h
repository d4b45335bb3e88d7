#pragma once

#include <cstdint>

#include "sw/runtime/mesh/command_queue.h"

namespace tt::tt_metal::distributed {

/// A queue of a mesh (tt-metal's tt-metalium/mesh_command_queue.hpp). All queues are of this class.
class MeshCommandQueue : public CommandQueue {
 public:
  MeshCommandQueue(MeshDevice& mesh, std::uint32_t id) : CommandQueue(mesh, id) {}
};

}  // namespace tt::tt_metal::distributed
