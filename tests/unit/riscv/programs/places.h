#pragma once

#include <cstdint>

namespace tvp::programs {

// L1 addresses: the number of rounds, the result, and an odd number at the end.
inline constexpr std::uint32_t kRounds = 0x1000;
inline constexpr std::uint32_t kResult = 0x1004;
inline constexpr std::uint32_t kDone = 0x1008;

}  // namespace tvp::programs
