#pragma once

#include <string>
#include <vector>

#include "models/dram/timing/dram_command.h"
#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// Judges a log of commands by all pairs, without the tables of TimingChecker: distances, what is
/// open, overlaps on the data and command buses, five activations, refreshes owed. Returns the
/// first violation, or an empty text.
std::string check_log(const CommandLog& log, const Preset& preset, unsigned postponed_refreshes);

}  // namespace tvp::dram
