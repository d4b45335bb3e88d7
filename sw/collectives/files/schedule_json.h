#pragma once

#include <string>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A schedule as JSON, a line a step (files/README.md specifies the keys).
std::string to_json(const Schedule& schedule);

/// The way back. Throws Fault(kDescription) at FILE:LINE that says what was expected; whether the
/// schedule is right is the checker's.
Schedule from_json(const std::string& text, const std::string& file);

}  // namespace tvp::collectives
