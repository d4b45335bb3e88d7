#pragma once

#include <cstdint>

namespace tvp::tensix::coprocessor {

/// The instruction that a wait gate offers to a unit: what the unit does, it does for this one.
struct Offered {
  static constexpr std::uint32_t kNone = ~0U;

  std::uint32_t instruction = 0;
  std::uint32_t pc = 0;  ///< see Pushed
  std::uint32_t thread = kNone;
};

}  // namespace tvp::tensix::coprocessor
