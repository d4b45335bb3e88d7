#pragma once
// Buffers of the collectives in working memory, and the channels of the stop that they use.

#include <cstdint>

#include "firmware/collectives/layout.h"

namespace tvp::firmware::collectives {

#ifndef PIM_SLICE_BYTES
#define PIM_SLICE_BYTES 2048
#endif
#ifndef PIM_SLOTS
#define PIM_SLOTS 4
#endif

/// Vectors go through working memory in slices of this size; a message is a slice.
inline constexpr std::uint32_t kSliceBytes = PIM_SLICE_BYTES;
/// Slices that a window holds, which is the number under way before the first credit arrives.
inline constexpr std::uint32_t kSlots = PIM_SLOTS;
inline constexpr std::uint32_t kStaging = 3;  ///< one being read, one reduced, one being sent

static_assert(kSliceBytes % kWordBytes == 0 && kSliceBytes > 0);
static_assert(kSlots >= 2, "a slice is forwarded before its slot is given back");

// A collective uses rings, a tree, or exchanges, so their channels overlap.
inline constexpr std::uint32_t ring_data_channel(std::uint32_t level) { return 2 * level; }
inline constexpr std::uint32_t ring_credit_channel(std::uint32_t level) { return 2 * level + 1; }
inline constexpr std::uint32_t kTreeData = 0;
inline constexpr std::uint32_t kTreeCredit = 1;    ///< and one more for each further child
inline constexpr std::uint32_t kMaxChildren = 12;  ///< children of a binomial tree of kMaxRanks
inline constexpr std::uint32_t kExchangeData = 0;  ///< and the next one
inline constexpr std::uint32_t kExchangeGrants = 2;
// A collective in the switch uses these channels beside rings or a tree.
inline constexpr std::uint32_t kSwitchData = 14;
inline constexpr std::uint32_t kSwitchReady = 15;

/// The slots of an exchange, which has no levels. Working memory has no room for a word for each
/// rank and 32 KiB of slots.
struct ExchangeMemory {
  alignas(8) std::uint8_t slots[kSlots][kSliceBytes];
  /// Other units write here the number of messages of each step that this unit may send.
  std::uint32_t grants[kMaxRanks + kMaxLevels];
};

struct Memory {
  alignas(8) std::uint8_t staging[kStaging][kSliceBytes];
  union {
    alignas(8) std::uint8_t slots[kMaxLevels][kSlots][kSliceBytes];
    ExchangeMemory exchange;
  };
  std::uint32_t grant_out[4];
};

static_assert((1U << kMaxChildren) >= kMaxRanks, "a binomial tree has a child for each bit");
static_assert(kTreeCredit + kMaxChildren <= kSwitchData, "children's credits have channels");

}  // namespace tvp::firmware::collectives
