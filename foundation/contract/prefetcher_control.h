#pragma once
// The words in the L1 of a prefetcher's sender through which kernels of other cores pause it
// (firmware/api/dataflow/prefetcher_pause.h).

#include <stdint.h>

namespace tvp::contract {

struct PrefetcherControl {
  uint32_t pauses;          ///< pauses that have not ended; other cores increment and decrement it
  uint32_t reader_stopped;  ///< 1: no read of DRAM is in flight, and none begins
  uint32_t writer_stopped;  ///< 1: all writes have left the sender, and none begins
  uint32_t reserved;
};

/// A kernel pauses a prefetcher that it has already paused; AssertStatus::line is the NoC place of
/// the sender, y * 64 + x.
constexpr uint8_t kAssertPausedTwice = 35;
/// A kernel resumes a prefetcher that it has not paused.
constexpr uint8_t kAssertResumedWithoutPause = 36;

}  // namespace tvp::contract
