#pragma once

#include <cstdint>
#include <limits>

#include "foundation/clock_ratio.h"

namespace tvp::dram {

/// Number of an edge of the DRAM's command clock CK since power-on. Everything inside a channel or
/// a bank is counted in these; AICLK and core clocks are converted at the border by ClockRatio.
using MemCycle = std::uint64_t;

inline constexpr MemCycle kNeverMem = std::numeric_limits<MemCycle>::max();

using foundation::ClockRatio;
using foundation::Period;

}  // namespace tvp::dram
