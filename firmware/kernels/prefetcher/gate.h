#pragma once

// The gate of a sender's kernels with kPausable, and the cycles for which it was closed.

#include "api/dataflow/prefetcher_pause.h"
#include "firmware/kernels/prefetcher/arguments.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

namespace tvp::kernels::prefetcher {

using tvp::prefetcher::PrefetcherGate;

/// Calls `quiet`, which ends the kernel's transactions in flight, and waits if a kernel pauses the
/// prefetcher.
template <typename Quiet>
inline void wait_while_paused(const PrefetcherGate& gate, uint32_t& paused, Quiet quiet) {
  if (!gate.requested()) return;
  quiet();
  timed(paused, [&] { gate.wait(); });
}

/// Waits until `ready()` and meanwhile for pauses. `total` gets the rest of the time.
template <typename Ready, typename Quiet>
inline void wait_with_pauses(const PrefetcherGate& gate, uint32_t& total, uint32_t& paused,
                             Ready ready, Quiet quiet) {
  const uint32_t before = paused;
  timed(total, [&] {
    while (!ready()) wait_while_paused(gate, paused, quiet);
  });
  total -= paused - before;
}

}  // namespace tvp::kernels::prefetcher
