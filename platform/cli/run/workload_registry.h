#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/workloads/workload.h"

namespace tvp::cli {

/// All workloads of `vp run`, sorted by name.
class WorkloadRegistry {
 public:
  WorkloadRegistry();
  const std::vector<std::unique_ptr<workloads::Workload>>& all() const { return workloads_; }
  /// Throws foundation::Fault(kDescription) that names the nearest one.
  workloads::Workload& find(const std::string& name) const;

 private:
  std::vector<std::unique_ptr<workloads::Workload>> workloads_;
};

}  // namespace tvp::cli
