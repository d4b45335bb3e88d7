#pragma once

#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// A request for one burst.
struct MemoryRequest {
  std::uint64_t tag = 0;  ///< the requester's number for it
  std::uint64_t row = 0;
  unsigned bank = 0;    ///< flat
  unsigned column = 0;  ///< burst within the row
  bool write = false;
  bool partial = false;  ///< a write that does not cover the whole burst
};

/// The end of a request. Completions come in the order in which bytes must be moved: a read sees
/// all writes before it.
struct Completion {
  std::uint64_t tag = 0;
  MemCycle arrival = 0;
  MemCycle done = 0;
  bool write = false;
  bool forwarded = false;        ///< a read that was served from the write queue,
  std::uint64_t writer_tag = 0;  ///< tag of that write, which is still queued
};

}  // namespace tvp::dram
