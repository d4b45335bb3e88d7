#pragma once

#include <cstdint>
#include <limits>

#include "foundation/clock_ratio.h"

namespace tvp::dram {

/// Edge number of the DRAM's command clock CK since power-on. Channels and banks count in these.
/// ClockRatio converts AICLK and core clocks at the border.
using MemCycle = std::uint64_t;

inline constexpr MemCycle kNeverMem = std::numeric_limits<MemCycle>::max();

using foundation::ClockRatio;
using foundation::Period;

}  // namespace tvp::dram
