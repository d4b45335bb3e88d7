#pragma once

#include <string>

namespace tvp::cli {

/// A save file of GTKWave for all signals of a wave file: a closed group for each tile, colors by
/// kind of signal, and for each core its state, kernel and source line. Throws
/// foundation::Fault(kDescription) if the wave file cannot be read.
std::string save_file_of(const std::string& wave_file);

}  // namespace tvp::cli
