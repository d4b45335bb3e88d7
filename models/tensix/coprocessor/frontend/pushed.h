#pragma once

#include <cstdint>

namespace tvp::tensix::coprocessor {

/// An instruction on its way to the wait gate.
struct Pushed {
  std::uint32_t instruction = 0;
  /// Where the thread's core pushed it, or the MOP or REPLAY that it is an expansion of; 0 when B
  /// or the host did.
  std::uint32_t pc = 0;
};

}  // namespace tvp::tensix::coprocessor
