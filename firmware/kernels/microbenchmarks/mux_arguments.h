#pragma once

// Run-time arguments of the kernels that measure a mux. Freestanding.

#include <stdint.h>

namespace tvp::kernels::microbenchmarks {

/// Semaphores of the program: words of a client.
enum MuxSemaphore : uint32_t {
  kMuxCounter,
  kMuxTeardown,
  kMuxBufferIndex,
  kMuxStatus,
  kMuxDone,  ///< counter of the first client: others that have finished
  kMuxSemaphores,
};

/// Arguments of mux_client.cpp: addresses in the mux's tile, then the traffic that it sends.
enum MuxClientArg : uint32_t {
  kMuxClientX,
  kMuxClientY,
  kMuxClientChannel,
  kMuxClientSlots,
  kMuxClientSlotBytes,
  kMuxClientChannelBase,
  kMuxClientInfo,
  kMuxClientHandshake,
  kMuxClientBufferIndex,
  kMuxClientStatusAddress,
  kMuxClientSource,   ///< address of the header, with its payload behind it
  kMuxClientBytes,    ///< size of a payload
  kMuxClientPackets,  ///< timed packets
  kMuxClientWarmUp,   ///< packets before
  kMuxClientResults,
  kMuxClientTermination,  ///< termination signal of the mux, for the first client; 0 for others
  kMuxClientOthers,       ///< number of clients that the first client waits for
  kMuxClientFirstX,
  kMuxClientFirstY,
  kMuxClientArgs,
};
/// A client writes the clock after its warm-up and after its last packet.
constexpr uint32_t kMuxResults = 2;

/// Arguments of mux_drainer.cpp: a router's layout in its own tile.
enum MuxDrainerArg : uint32_t {
  kMuxDrainerBase,
  kMuxDrainerChannels,
  kMuxDrainerSlots,
  kMuxDrainerSlotBytes,
  kMuxDrainerArgs,
};

}  // namespace tvp::kernels::microbenchmarks
