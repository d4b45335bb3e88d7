#pragma once

#include <cstdint>

namespace tvp::tensix::coprocessor {

/// An instruction on its way to the wait gate.
struct Pushed {
  std::uint32_t instruction = 0;
  /// The pc at which the thread's core pushed it, or pushed the MOP or REPLAY that expands to it; 0
  /// if B or the host pushed it.
  std::uint32_t pc = 0;
};

}  // namespace tvp::tensix::coprocessor
