#pragma once

#include <cstdint>
#include <limits>

namespace tvp::support {

/// Number of an AICLK edge since power-on. Every block of a chip uses it as time stamp; sockets
/// convert it to sc_time.
using Cycle = std::uint64_t;

/// "Nothing is scheduled".
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

}  // namespace tvp::support
