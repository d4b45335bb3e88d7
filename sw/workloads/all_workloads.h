#pragma once

#include <memory>
#include <vector>

#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// One object of each workload.
std::vector<std::unique_ptr<Workload>> all_workloads();

}  // namespace tvp::workloads
