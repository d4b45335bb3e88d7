#pragma once

#include <string>

#include "foundation/host_error.h"

namespace tvp::support {

/// The files that the FST library writes are in memory, so that it can map them and never meets a
/// disk that is full; it checks none of its writes. Takes the content of a file that it has written
/// under this name and closed, and forgets it. Throws HostError.
std::string take_memory_file(const std::string& name);

/// The exception for a file that the FST library could not create.
foundation::HostError no_memory_file(const std::string& name);

}  // namespace tvp::support
