#pragma once

#include <string>
#include <vector>

#include "models/dram/timing/dram_command.h"
#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// Checks a log of commands by all pairs, without the tables of TimingChecker. Covers distances,
/// open rows, overlaps on the data and command buses, five activations, and due refreshes. Returns
/// the first violation or "".
std::string check_log(const CommandLog& log, const Preset& preset, unsigned postponed_refreshes);

}  // namespace tvp::dram
