#include "sw/runtime/programs/mesh_workload.h"

#include "sw/runtime/errors.h"

namespace tt::tt_metal::distributed {

using namespace tvp::runtime;

void MeshWorkload::add_program(const MeshCoordinateRange& devices, Program&& program) {
  for (const auto& [others, unused] : programs_)
    if (others.intersects(devices))
      bad_use("mesh workload",
              "a program for " + devices.str() + " beside one for " + others.str());
  programs_.emplace(devices, std::move(program));
}

}  // namespace tt::tt_metal::distributed
