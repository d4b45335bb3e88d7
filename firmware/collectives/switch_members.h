#pragma once
// Sets of the members of a group in orders to the switch (foundation/regs/pim.h). A set has a bit
// for each member. PIM_SWITCH_RANGES=1, for groups of more members than bits: it is a range.

#include <cstdint>

#include "foundation/regs/pim.h"

#ifndef PIM_SWITCH_RANGES
#define PIM_SWITCH_RANGES 0
#endif

namespace tvp::firmware::collectives {

struct Members {
  static constexpr bool kRanges = PIM_SWITCH_RANGES != 0;
  static constexpr std::uint32_t kForm = kRanges ? regs::pim::stop::kOrderRanges : 0;

  static std::uint32_t first(std::uint32_t count) {
    return kRanges ? regs::pim::stop::chip_range(0, count) : (1U << count) - 1;
  }
  static std::uint32_t one(std::uint32_t member) {
    return kRanges ? regs::pim::stop::chip_range(member, 1) : 1U << member;
  }
  /// A multicast to a range leaves out its sender.
  static std::uint32_t without(std::uint32_t set, std::uint32_t sender) {
    return kRanges ? set : set & ~(1U << sender);
  }
  static bool has(std::uint32_t set, std::uint32_t member) {
    if constexpr (!kRanges) return (set >> member & 1) != 0;
    return member - (set & regs::pim::stop::kRangeMask) <
           (set >> regs::pim::stop::kRangeCountShift & regs::pim::stop::kRangeMask);
  }
};

}  // namespace tvp::firmware::collectives
