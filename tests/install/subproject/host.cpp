// Includes the headers of the targets. It would not compile with the platform's compiler flags.

#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/open_library.h"
#include "sw/runtime/pim_system.h"
#include "sw/workloads/workload.h"
#include "tensix_vp/libttsim.h"

int number_of_devices(tvp::runtime::MeshDevice& mesh, int unused) {
  return mesh.num_devices() * 1u;
}
