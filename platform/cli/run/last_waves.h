#pragma once

#include <string>

namespace tvp::cli {

/// `vp run` leaves here where it has written the waves of a workload.
void remember_waves(const std::string& workload, const std::string& wave_file);

/// The wave file of the last run of a workload. Throws foundation::Fault(kDescription) when there
/// is none.
std::string last_waves(const std::string& workload);

}  // namespace tvp::cli
