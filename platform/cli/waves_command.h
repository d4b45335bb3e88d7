#pragma once

#include <string>

#include "platform/cli/workload_registry.h"

namespace tvp::cli {

/// `vp run` leaves here where it has written the waves of a workload.
void remember_waves(const std::string& workload, const std::string& wave_file);

/// `vp waves`: GTKWave on the last run's wave file, with the workload's save file when there is
/// one. Returns only when that is not possible: throws foundation::Fault(kDescription).
int waves_command(const WorkloadRegistry& workloads, const std::string& workload);

}  // namespace tvp::cli
