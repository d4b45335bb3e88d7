#pragma once
// Global circular buffers: a sender fills memory at the same address in the L1 of its receivers
// (kernel_api 1.6; tt-metal's Prefetcher report, "Initialization and Configuration").

#include <stdint.h>

namespace tvp::contract {

/// Words of the configuration of a global circular buffer in the L1 of each core. Coordinates
/// follow, one word each for x and y: those of all receivers at a sender, those of the sender at a
/// receiver.
enum RemoteCbWord : uint32_t {
  kRemoteCbIsSender,
  kRemoteCbReceivers,
  kRemoteCbFifoStart,
  kRemoteCbFifoSize,
  kRemoteCbFifoPointer,  ///< position at which the next program continues
  kRemoteCbCoordinates,  ///< address of the coordinates
  kRemoteCbPagesSent,    ///< address of a core's first counter
  kRemoteCbWords,
};

/// Unit of credits, in bytes.
constexpr uint32_t kRemoteCbUnit = 16;
/// Distance of counters in bytes. A sender has two for each receiver: sent, then acknowledged. A
/// receiver has its two at the same address as the sender.
constexpr uint32_t kRemoteCbCounterStride = 16;

/// Entry of the launch's table, which goes from index 31 down to the lowest index in use.
struct RemoteCbConfig {
  uint32_t config_address;  ///< 0: no buffer with this index
  uint32_t page_size;       ///< bytes, at the start of the program
};
static_assert(sizeof(RemoteCbConfig) == 8);

}  // namespace tvp::contract
