#pragma once

// Positions in rings of slots, under the names of tt-metal's edm_fabric_flow_control_helpers.hpp.

#include <stddef.h>
#include <stdint.h>

#include "api/fabric/stream_credits.h"

namespace tt::tt_fabric {

using BufferIndex = NamedType<uint8_t, struct BufferIndexType>;
/// Counts to twice the number of slots, so that full and empty differ.
using BufferPtr = NamedType<uint8_t, struct BufferPtrType>;

template <size_t kLimit = 0, typename T>
FORCE_INLINE auto wrap_increment(T place) -> T {
  const size_t next = static_cast<size_t>(place) + 1;
  return T(next == kLimit ? 0 : next);
}
template <size_t kLimit, typename T>
FORCE_INLINE auto wrap_increment_n(T place, uint8_t steps) -> T {
  const size_t next = static_cast<size_t>(place) + steps;
  return T(next >= kLimit ? next - kLimit : next);
}
template <uint8_t kSlots>
FORCE_INLINE auto normalize_ptr(BufferPtr place) -> BufferIndex {
  return BufferIndex(place.get() >= kSlots ? place.get() - kSlots : place.get());
}
template <uint8_t kSlots>
FORCE_INLINE uint8_t distance_behind(const BufferPtr& trailing, const BufferPtr& leading) {
  const int ahead = int(leading.get()) - int(trailing.get());
  return static_cast<uint8_t>(ahead < 0 ? ahead + 2 * kSlots : ahead);
}

}  // namespace tt::tt_fabric
