#pragma once

#include "platform/cli/workload_registry.h"

namespace tvp::cli {

/// `vp list`: workloads, systems, and every key with its unit, default and source.
int list_command(const WorkloadRegistry& workloads);

}  // namespace tvp::cli
