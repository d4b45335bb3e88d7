#pragma once

#include <cstdint>

#include "models/riscv/timing/timed_block.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// The core's position, which BlockRunner and translated code exchange.
struct TranslatedRun {
  /// Value of `at`: the node has not begun.
  static constexpr std::uint32_t kEnter = ~0U;

  support::Cycle t = 0;
  BlockNode::Offset limit = 0;
  std::uint64_t executed = 0;
  std::uint64_t evictions = 0;
  BlockNode* node = nullptr;
  /// With kEnter: the edge that led to the node.
  BlockEdge* edge = nullptr;
  std::uint32_t* regs = nullptr;
  std::uint8_t* l1 = nullptr;
  std::uint8_t* local = nullptr;
  std::uint32_t activity = 0;
  /// After translated code returns: the first operation of the node that was not executed.
  std::uint32_t at = kEnter;
  std::uint32_t local_bytes = 0;
  bool any_watched = false;  ///< in L1
};

}  // namespace tvp::riscv
