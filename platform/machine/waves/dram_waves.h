#pragma once

#include <string>

#include "models/dram/timing/dram_command.h"
#include "models/dram/timing/timing.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::platform {

/// Adds rows of a DRAM channel from the log of its commands: `path`.command, `path`.data (bursts on
/// the data bus), and per bank `path`.bank_3.row, its open row.
void record_dram(support::WaveRecorder& recorder, const std::string& path,
                 const dram::Preset& preset, const dram::CommandLog& log);

}  // namespace tvp::platform
