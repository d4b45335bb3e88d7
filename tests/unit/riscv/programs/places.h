#pragma once

#include <cstdint>

namespace tvp::programs {

// In L1: what a program is to do, what came out, and an odd number when it is done.
inline constexpr std::uint32_t kRounds = 0x1000;
inline constexpr std::uint32_t kResult = 0x1004;
inline constexpr std::uint32_t kDone = 0x1008;

}  // namespace tvp::programs
