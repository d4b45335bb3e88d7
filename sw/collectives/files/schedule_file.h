#pragma once

#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// Reads NAME.json (files/README.md) or NAME.xml (MSCCL). Throws Fault(kDescription) at FILE:LINE.
Schedule read_schedule(const std::string& path);
/// Writes the form that the name ends with. Throws Fault(kDescription) when that fails.
void write_schedule(const Schedule& schedule, const std::string& path);

}  // namespace tvp::collectives
