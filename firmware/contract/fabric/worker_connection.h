#pragma once
// A worker's own connection to a router.

#include <stdint.h>

namespace tvp::contract::fabric {

/// Run-time arguments that WorkerToFabricEdmSender::build_from_args takes, in this order.
enum ConnectionRuntimeArg : uint32_t {
  kConnectionArgX,
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

}  // namespace tvp::contract::fabric
