#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

/// $TT_METAL_HOME: a tree of tt-metal. Kernels can be named by their paths in it and include its
/// files. Empty without one.
std::string metal_home();

/// Paths of that tree at which a kernel of that name can be. Its programming examples name kernels
/// from their own folder unless their build defines OVERRIDE_KERNEL_PREFIX.
std::vector<std::string> metal_home_paths(const std::string& kernel);

/// True if kernels of that tree find a tensor's page size in a word after its accessor's flags, as
/// since spring 2026. Some of them count the words of several accessors themselves.
bool metal_home_has_page_sizes();

/// True if a socket's `write_ptr` is an address in that tree's kernels, as through 2025, and not
/// counted from the beginning of the FIFO.
bool metal_home_has_socket_addresses();

/// Defines for names whose meaning in that tree differs from 2026 without a compile error: order of
/// arguments, values of names.
std::vector<std::string> metal_home_defines();

}  // namespace tvp::runtime
