#pragma once

#include <string>

namespace tvp::c_api {

/// Writes the waves of an FST file as VCD. Throws Fault(kDescription) or HostError for files that
/// cannot be read or written.
void write_vcd(const std::string& fst, const std::string& vcd);

}  // namespace tvp::c_api
