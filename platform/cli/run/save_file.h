#pragma once

#include <string>

namespace tvp::cli {

/// Makes a save file of GTKWave for all signals of a wave file. It has a group for each worker,
/// tile and unit, colors by kind of signal, and kernel, source line and state of each core. The
/// first groups with zones and with cores are open. Throws
/// foundation::Fault(kDescription) if the wave file cannot be read.
std::string save_file_of(const std::string& wave_file);

}  // namespace tvp::cli
