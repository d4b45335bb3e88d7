#pragma once
// Buffers of which one core is the sender and others the receivers, that kernels find by a number:
// pipes, which live over many programs, and those of one program (tt-metal PrefetcherPipe and
// CrossNodeDFB, api/dataflow/prefetcher_pipe.h and cross_node_dfb.h). Rings, credits and their unit
// are those of global circular buffers.

#include <stdint.h>

#include "foundation/contract/global_circular_buffer.h"

namespace tvp::contract {

/// Words of the configuration that each core has in its L1. Behind them are coordinates and
/// counters as of a global circular buffer.
enum RemoteDfbWord : uint32_t {
  kRemoteDfbIsSender,
  kRemoteDfbReceivers,
  kRemoteDfbFifoStart,
  kRemoteDfbFifoSize,
  kRemoteDfbFifoPointer,  ///< where a receiver goes on
  kRemoteDfbEntrySize,    ///< that this end stands at; 0: none yet
  kRemoteDfbCoordinates,  ///< address
  kRemoteDfbCounters,     ///< address of a core's first counter
  kRemoteDfbWords,
};
static_assert(static_cast<uint32_t>(kRemoteDfbFifoSize) ==
              static_cast<uint32_t>(kRemoteCbFifoSize));
/// Behind the counter of what was sent, at the sender: where that receiver's ring goes on, bytes
/// from its start.
constexpr uint32_t kRemoteDfbCursorWord = 1;

/// An entry of the launch's table. The table begins with its number of entries.
struct RemoteDfbSlot {
  uint32_t config_address;  ///< 0: none of this number on this core
  uint32_t entry_size;      ///< bytes, at the start
  uint32_t relay;           ///< circular buffer over a receiver's ring, or kNoRelay
};
static_assert(sizeof(RemoteDfbSlot) == 12);
constexpr uint32_t kNoRelay = 0xFFFFFFFF;

}  // namespace tvp::contract
