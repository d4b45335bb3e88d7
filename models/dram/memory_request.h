#pragma once

#include <cstdint>

#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// One burst that a channel is asked for.
struct MemoryRequest {
  std::uint64_t tag = 0;  ///< the asker's name for it
  std::uint64_t row = 0;
  unsigned bank = 0;    ///< flat
  unsigned column = 0;  ///< burst within the row
  bool write = false;
  bool partial = false;  ///< a write that leaves bytes of the burst as they are
};

/// The answer. They come in the order in which bytes are to be moved: a read sees all writes
/// before it.
struct Completion {
  std::uint64_t tag = 0;
  MemCycle arrival = 0;
  MemCycle done = 0;
  bool write = false;
  bool forwarded = false;        ///< a read that was served from the write queue,
  std::uint64_t writer_tag = 0;  ///< by this write, which is still queued
};

}  // namespace tvp::dram
