#pragma once

#include "sw/workloads/device_workload.h"

namespace tvp::workloads::microbenchmarks {

/// A workload that reads its figures from the zones of its kernels.
class ProfiledWorkload : public DeviceWorkload {
 protected:
  using DeviceWorkload::DeviceWorkload;
  void adjust(const runtime::DeviceLibrary&, runtime::MeshDevice::Options& options) const override {
    options.profile = true;
  }
};

}  // namespace tvp::workloads::microbenchmarks
