#pragma once

// Code that reader and writer share.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/sdpa/arguments.h"
#include "firmware/kernels/sdpa/buffers.h"
#include "firmware/kernels/sdpa/exchange.h"
#include "risc_common.h"

namespace tvp::kernels::sdpa {

/// Writes the wall clock for the host.
FORCE_INLINE void stamp(uint32_t stamps, uint32_t event) {
  reinterpret_cast<volatile uint32_t*>(stamps)[event] = c_tensix_core::read_wall_clock_l();
}

/// Pushes the three buffers of a partial result, of which `first` is the numerator's.
template <uint32_t kTiles>
FORCE_INLINE void push_partial(uint32_t first) {
  // Sums and maxima first: the compute kernel begins with them.
  cb_push_back(static_cast<int32_t>(first + 2), 1);
  cb_push_back(static_cast<int32_t>(first + 1), 1);
  cb_push_back(static_cast<int32_t>(first), kTiles);
}
template <uint32_t kTiles>
FORCE_INLINE void wait_partial(uint32_t first) {
  cb_wait_front(static_cast<int32_t>(first + 2), 1);
  cb_wait_front(static_cast<int32_t>(first + 1), 1);
  cb_wait_front(static_cast<int32_t>(first), kTiles);
}
/// Waits for the result of a round, from the second on.
template <uint32_t kTiles, uint32_t kRound>
FORCE_INLINE void wait_result() {
  if constexpr (kRound == 2) {
    wait_partial<kTiles>(kResult2Numerator);
  } else {
    cb_wait_front(static_cast<int32_t>(later_result(kRound)), kTiles + kStatisticsTiles);
  }
}

}  // namespace tvp::kernels::sdpa
