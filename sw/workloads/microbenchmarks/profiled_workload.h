#pragma once

#include "sw/workloads/mesh_workload.h"

namespace tvp::workloads::microbenchmarks {

/// A workload that reads its figures from the zones of its kernels.
class ProfiledWorkload : public MeshWorkload {
 protected:
  using MeshWorkload::MeshWorkload;
  void adjust(runtime::MeshDevice::Options& options) const override { options.profile = true; }
};

}  // namespace tvp::workloads::microbenchmarks
