#pragma once

#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A schedule as JSON with one line for each step (files/README.md specifies the keys).
std::string to_json(const Schedule& schedule);

/// Reads a schedule. Throws Fault(kDescription) at FILE:LINE that names what was expected. The
/// checker decides whether the schedule is right.
Schedule from_json(const std::string& text, const std::string& file);

}  // namespace tvp::collectives
