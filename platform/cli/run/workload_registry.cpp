#include "platform/cli/run/workload_registry.h"

#include <algorithm>

#include "foundation/fault.h"
#include "foundation/nearest_name.h"
#include "foundation/source_root.h"
#include "sw/workloads/all_workloads.h"

namespace tvp::cli {

WorkloadRegistry::WorkloadRegistry() : workloads_(workloads::all_workloads()) {
  std::sort(workloads_.begin(), workloads_.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
}

workloads::Workload& WorkloadRegistry::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& workload : workloads_) {
    if (workload->name() == name) return *workload;
    names.push_back(workload->name());
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "",
                          "unknown workload '" + name + "'" +
                              foundation::did_you_mean(name, names) + " ('" +
                              foundation::program_name() + " list' shows all)");
}

}  // namespace tvp::cli
