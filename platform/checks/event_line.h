#pragma once

#include <string>

#include "models/support/probe.h"

namespace tvp::checks {

/// An event as one line of JSON, without the fields that have their defaults.
std::string to_line(const support::ProbeEvent& event);
/// Throws Fault(kDescription), which quotes the line, if the line is no event.
support::ProbeEvent from_line(const std::string& line);

}  // namespace tvp::checks
