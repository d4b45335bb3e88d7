#pragma once

#include <string>

namespace tvp::cli {

/// Stores where the waves of a workload have been written.
void remember_waves(const std::string& workload, const std::string& wave_file);

/// Makes a save file of GTKWave for that file and returns its name.
std::string make_save_file(const std::string& workload, const std::string& wave_file);

/// The wave file of the last run of a workload. Throws foundation::Fault(kDescription) if there is
/// none.
std::string last_waves(const std::string& workload);

}  // namespace tvp::cli
