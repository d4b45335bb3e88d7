#pragma once

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// A workload on the chips of a system. It opens them and measures the compile time of its kernels.
class DeviceWorkload : public Workload {
 public:
  Result run(Context& context) final;

 protected:
  using Workload::Workload;

  /// Checks settings before devices are opened. Throws Fault(kDescription) if they do not fit
  /// together.
  virtual void check() const {}
  /// Changes how the devices are opened. The library describes its system but has built no chips.
  /// Throws Fault(kDescription) if the system does not have what the workload needs.
  virtual void adjust(const runtime::DeviceLibrary&, runtime::MeshDevice::Options&) const {}
  /// Fills `result`, which has passed by default.
  virtual void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) = 0;
};

}  // namespace tvp::workloads
