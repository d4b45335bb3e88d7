#pragma once
// The idle iteration of routers, muxes and relays.

#include <stdint.h>

#include <utility>

#include "risc_common.h"

namespace tvp::fabric {

/// Moves rare work out of the idle iteration. The iteration then has one backward jump, and the
/// platform can recognize it as a poll.
FORCE_INLINE bool work(bool there_is) { return __builtin_expect(there_is, false); }

/// Calls f.operator()<i>() for i from 0 to kCount - 1, unrolled.
template <uint32_t kCount, typename F>
FORCE_INLINE void each(F&& f) {
  [&]<uint32_t... kIndex>(std::integer_sequence<uint32_t, kIndex...>)
      __attribute__((always_inline)) {
    (f.template operator()<kIndex>(), ...);
  }
  (std::make_integer_sequence<uint32_t, kCount>{});
}

}  // namespace tvp::fabric
