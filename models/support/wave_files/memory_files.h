#pragma once

#include <string>

#include "foundation/host_error.h"

namespace tvp::support {

/// Takes the content of a file that the FST library has written under this name and closed. The
/// library's files are in memory, so that it can map them and never meets a full disk; it checks
/// none of its writes. Throws HostError.
std::string take_memory_file(const std::string& name);

/// The exception for a file that the FST library could not create.
foundation::HostError no_memory_file(const std::string& name);

}  // namespace tvp::support
