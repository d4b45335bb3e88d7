#pragma once

#include "models/support/bus_access.h"
#include "models/support/probe.h"
#include "models/support/time.h"

namespace tvp::checks {

using support::BusMaster;
using support::Cycle;
using support::kNever;
using support::Probe;
using support::ProbeEvent;

}  // namespace tvp::checks
