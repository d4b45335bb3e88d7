#pragma once

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// A workload on the chips of a system: opens them, and accounts for the compiling of its kernels.
class DeviceWorkload : public Workload {
 public:
  Result run(Context& context) final;

 protected:
  using Workload::Workload;

  /// Before there is a device: throws Fault(kDescription) at settings that do not fit together.
  virtual void check() const {}
  /// Changes how the devices are opened.
  virtual void adjust(runtime::MeshDevice::Options&) const {}
  /// Fills `result`, which has passed unless this says otherwise.
  virtual void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) = 0;
};

}  // namespace tvp::workloads
