#include "platform/cli/workload_registry.h"

#include <algorithm>

#include "foundation/fault.h"
#include "foundation/settings_registry.h"
#include "sw/workloads/all_workloads.h"

namespace tvp::cli {

WorkloadRegistry::WorkloadRegistry() : workloads_(workloads::all_workloads()) {
  std::sort(workloads_.begin(), workloads_.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
}

workloads::Workload& WorkloadRegistry::find(const std::string& name) const {
  const std::string* nearest = nullptr;
  unsigned nearest_distance = ~0U;
  std::vector<std::string> names;
  for (const auto& workload : workloads_) {
    if (workload->name() == name) return *workload;
    names.push_back(workload->name());
  }
  for (const std::string& known : names) {
    const unsigned distance = foundation::edit_distance(name, known);
    if (distance < nearest_distance) {
      nearest_distance = distance;
      nearest = &known;
    }
  }
  throw foundation::Fault(foundation::FaultKind::kDescription, "",
                          "unknown workload '" + name + "'" +
                              (nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?") +
                              " ('vp list' shows all)");
}

}  // namespace tvp::cli
