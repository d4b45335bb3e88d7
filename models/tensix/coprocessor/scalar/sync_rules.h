#pragma once

#include <cstdint>

#include "foundation/regs/generation.h"

namespace tvp::tensix::coprocessor {

/// The sync unit's differences between generations (ISA WormholeB0 and BlackholeA0,
/// TensixCoprocessor: STALLWAIT.md, SyncUnit.md).
class SyncRules {
 public:
  explicit constexpr SyncRules(Generation generation)
      : is_blackhole_(generation == Generation::kBlackhole) {}

  /// The conditions of WaitGate, one bit each, for the condition mask of a STALLWAIT.
  std::uint32_t conditions(std::uint32_t mask) const {
    return is_blackhole_ ? conditions_of_blackhole(mask) : mask;
  }
  /// Otherwise a SEMWAIT replaces a wait that has not ended.
  bool keeps_latched_wait() const { return is_blackhole_; }
  bool has_mutex(std::uint32_t index) const {
    return index != 1 && index < (is_blackhole_ ? 5 : 8);
  }

 private:
  static std::uint32_t conditions_of_blackhole(std::uint32_t mask);

  bool is_blackhole_;
};

}  // namespace tvp::tensix::coprocessor
