#pragma once
// Global circular buffers: a sender fills memory of the same address in the L1 of its receivers
// (kernel_api 1.6; tt-metal's Prefetcher report, "Initialization and Configuration").

#include <stdint.h>

namespace tvp::contract {

/// Words of the configuration that each core of a global circular buffer has in its L1. Behind them
/// are coordinates, x and y each a word: of all receivers at a sender, of the sender at a receiver.
enum RemoteCbWord : uint32_t {
  kRemoteCbIsSender,
  kRemoteCbReceivers,
  kRemoteCbFifoStart,
  kRemoteCbFifoSize,
  kRemoteCbFifoPointer,  ///< where the next program goes on
  kRemoteCbCoordinates,  ///< address
  kRemoteCbPagesSent,    ///< address of a core's first counter
  kRemoteCbWords,
};

/// Credits count in this many bytes.
constexpr uint32_t kRemoteCbUnit = 16;
/// A sender has two counters for each receiver, sent before acknowledged, each in as many bytes; a
/// receiver has its two at the address at which the sender has them.
constexpr uint32_t kRemoteCbCounterStride = 16;

/// Entry of the launch's table, index 31 first, down to the lowest that is used.
struct RemoteCbConfig {
  uint32_t config_address;  ///< 0: none of this index
  uint32_t page_size;       ///< bytes, at the start
};
static_assert(sizeof(RemoteCbConfig) == 8);

}  // namespace tvp::contract
