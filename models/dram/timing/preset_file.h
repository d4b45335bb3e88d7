#pragma once

#include <string>

#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// Organization and timing of a part from a file of another simulator: DRAMsim3 (*.ini), Ramulator
/// 1
/// (*.cfg), Ramulator 2 (*.yaml, as `python -m ramulator export` writes it, or with names of
/// presets) or DRAMSys (memspec, *.json). Parts are DDR3 and DDR4. The clock is rounded to whole
/// megahertz. Policies, queues and the address mapping of the file are not used.
///
/// Throws Fault(kDescription) with file, line and what was expected.
Preset read_preset(const std::string& file);

}  // namespace tvp::dram
