#pragma once

#include <string>
#include <vector>

namespace tvp::runtime {

/// $TT_METAL_HOME: a tree of tt-metal's whose kernels may be named by their path in it, and include
/// helpers by theirs. Empty without one.
std::string metal_home();

/// True if kernels of that tree find a tensor's page size in a word behind its accessor's flags:
/// those of 2026, from spring on, do, and some count the words of several accessors by hand.
bool metal_home_has_page_sizes();

/// True if `write_ptr` of a socket is an address in that tree's kernels, as it was through 2025,
/// and not counted from the beginning of the FIFO.
bool metal_home_has_socket_addresses();

/// Defines by which the kernel API gives names the meaning that they have in that tree where that
/// differs from the one of 2026 without an error of the compiler: the order of arguments, numbers
/// of names.
std::vector<std::string> metal_home_defines();

}  // namespace tvp::runtime
