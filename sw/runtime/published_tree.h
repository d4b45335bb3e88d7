#pragma once

#include <string>

namespace tvp::runtime {

/// $TT_METAL_HOME: a tree of tt-metal's whose kernels may be named by their path in it, and include
/// helpers by theirs. Empty without one.
std::string metal_home();

/// Whether kernels of that tree find a tensor's page size in a word behind its accessor's flags:
/// those of 2026, from spring on, do, and some count the words of several accessors by hand.
bool metal_home_has_page_sizes();

/// Whether `write_ptr` of a socket is an address in that tree's kernels, as it was through 2025,
/// and not counted from the beginning of the FIFO.
bool metal_home_has_socket_addresses();

/// Whether reduce_init_delta() of that tree names the buffer for results first, as it did in 2024,
/// and not last.
bool metal_home_reduces_out_first();

}  // namespace tvp::runtime
