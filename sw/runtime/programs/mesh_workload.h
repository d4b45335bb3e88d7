#pragma once

#include <map>

#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// Programs for parts of a mesh that start together; devices of no part are left alone
/// (tt-metal's tt-metalium/mesh_workload.hpp).
class MeshWorkload {
 public:
  /// Throws Fault(kDescription) when a device of the range has a program already.
  void add_program(const MeshCoordinateRange& devices, Program&& program);

  std::map<MeshCoordinateRange, Program>& get_programs() { return programs_; }
  const std::map<MeshCoordinateRange, Program>& get_programs() const { return programs_; }

 private:
  std::map<MeshCoordinateRange, Program> programs_;
};

}  // namespace tvp::runtime
