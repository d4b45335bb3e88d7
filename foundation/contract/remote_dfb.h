#pragma once
// Buffers with one sender core and several receiver cores, which kernels find by a number. Pipes
// live over many programs, cross-node buffers in one program (tt-metal PrefetcherPipe and
// CrossNodeDFB, api/dataflow/prefetcher_pipe.h and cross_node_dfb.h). Rings, credits and the unit
// of credits are those of global circular buffers.

#include <stdint.h>

#include "foundation/contract/global_circular_buffer.h"

namespace tvp::contract {

/// Words of the configuration in the L1 of each core. Coordinates and counters follow as for a
/// global circular buffer.
enum RemoteDfbWord : uint32_t {
  kRemoteDfbIsSender,
  kRemoteDfbReceivers,
  kRemoteDfbFifoStart,
  kRemoteDfbFifoSize,
  kRemoteDfbFifoPointer,  ///< position at which a receiver continues
  kRemoteDfbEntrySize,    ///< current entry size of this end; 0: none yet
  kRemoteDfbCoordinates,  ///< address of the coordinates
  kRemoteDfbCounters,     ///< address of a core's first counter
  kRemoteDfbWords,
};
static_assert(static_cast<uint32_t>(kRemoteDfbFifoSize) ==
              static_cast<uint32_t>(kRemoteCbFifoSize));
/// Word index behind the counter of sent bytes at the sender: position in that receiver's ring, in
/// bytes from its start.
constexpr uint32_t kRemoteDfbCursorWord = 1;

/// An entry of the launch's table, which begins with its number of entries.
struct RemoteDfbSlot {
  uint32_t config_address;  ///< 0: no buffer with this number on this core
  uint32_t entry_size;      ///< bytes, at the start of the program
  uint32_t relay;           ///< circular buffer over a receiver's ring, or kNoRelay
};
static_assert(sizeof(RemoteDfbSlot) == 12);
constexpr uint32_t kNoRelay = 0xFFFFFFFF;

}  // namespace tvp::contract
