#pragma once

#include <cstdint>
#include <limits>

namespace tvp::support {

/// Number of an AICLK edge since power-on. Every block of a chip is stamped in these; the
/// conversion to sc_time happens once, at sockets.
using Cycle = std::uint64_t;

/// "Nothing is scheduled".
inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

}  // namespace tvp::support
