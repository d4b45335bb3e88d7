#pragma once

#include <map>

#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/programs/program.h"

namespace tt::tt_metal::distributed {

/// Programs for parts of a mesh that start together. Devices outside of all parts are not used
/// (tt-metal's tt-metalium/mesh_workload.hpp).
class MeshWorkload {
 public:
  using MeshCoordinateRange = tvp::runtime::MeshCoordinateRange;

  /// Throws Fault(kDescription) if a device of the range already has a program.
  void add_program(const MeshCoordinateRange& devices, Program&& program);

  std::map<MeshCoordinateRange, Program>& get_programs() { return programs_; }
  const std::map<MeshCoordinateRange, Program>& get_programs() const { return programs_; }

 private:
  std::map<MeshCoordinateRange, Program> programs_;
};

}  // namespace tt::tt_metal::distributed
