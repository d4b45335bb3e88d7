#pragma once

#include <array>
#include <cstdint>

#include "models/riscv/timing/instruction_cache.h"
#include "models/riscv/timing/line_fetches.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// Everything in a core's pipeline that can delay an instruction, relative to a cycle. Past times
/// are 0.
struct PollTiming {
  std::array<support::Cycle, 33> ready{};
  std::array<support::Cycle, 8> retire{};
  std::array<support::Cycle, 8> slots{};
  std::array<support::Cycle, 8> stores{};
  std::array<std::uint32_t, 8> store_addresses{};
  support::Cycle leave = 0, last_emitted = 0, next_l1_store = 0, next_bus_store = 0;
  support::Cycle forward_at = 0;
  unsigned forward_reg = 0;
  unsigned loads_waiting = 0, stores_waiting = 0;
  support::Cycle merge_until = 0;
  std::uint32_t merge_address = 0;
  support::Cycle ahead = 0;  ///< until the next jump is a place to stop
  InstructionCache::Tags cached{};
  LineFetches::Ahead fetches{};
  bool contended = false;  ///< other cores delayed it, or could have, since the last check
  bool operator==(const PollTiming&) const = default;
};

}  // namespace tvp::riscv
