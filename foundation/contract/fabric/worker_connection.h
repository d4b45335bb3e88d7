#pragma once
// The connection of a worker to a router, without a mux.

#include <stdint.h>

#include "foundation/contract/fabric/routing.h"

namespace tvp::contract::fabric {

/// Run-time arguments in the order that WorkerToFabricEdmSender::build_from_args expects.
enum ConnectionRuntimeArg : uint32_t {
  kConnectionArgX,  ///< connection_x()
  kConnectionArgY,
  kConnectionArgChannelBase,
  kConnectionArgSlots,
  kConnectionArgHandshake,
  kConnectionArgInfo,
  kConnectionArgSlotBytes,
  kConnectionArgBufferIndex,
  kConnectionArgStream,
  kConnectionArgCounterSemaphore,  ///< three semaphore ids of the worker's program
  kConnectionArgTeardownSemaphore,
  kConnectionArgBufferIndexSemaphore,
  kConnectionRuntimeArgs,
};

/// x of the router in the low byte, and above it the direction of its link.
constexpr uint32_t connection_x(uint32_t x, Direction direction) { return x | direction << 8; }
/// Direction in the word of connection_x(), for kernels.
constexpr uint8_t connection_direction(uint32_t word) { return static_cast<uint8_t>(word >> 8); }

}  // namespace tvp::contract::fabric
