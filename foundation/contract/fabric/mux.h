#pragma once
// The mux runs on a data-movement core of a Tensix tile. Several clients share channel 0 of one
// router through it.

#include <stdint.h>

#include "foundation/contract/fabric/endpoint.h"
#include "foundation/contract/fabric/packet.h"

namespace tvp::contract::fabric {

using MuxLayout = EndpointLayout;
constexpr uint32_t kMuxSlots = 8;

constexpr MuxLayout mux_layout(uint32_t base, uint32_t max_payload_bytes, uint32_t clients,
                               uint32_t slots = kMuxSlots) {
  return {base, clients, slots, slot_bytes(max_payload_bytes)};
}
/// Free slots of a client channel, in the mux's tile.
constexpr uint32_t stream_mux_free_slots(uint32_t channel) { return channel; }
constexpr uint32_t kMuxMaxClients = 8;

/// Compile-time arguments of firmware/fabric/mux.cpp.
enum MuxCompileArg : uint32_t {
  kMuxArgBase,
  kMuxArgMaxPayloadBytes,
  kMuxArgClients,
  kMuxArgSlots,
  kMuxArgRouterBase,  ///< layout of the router; the mux has the same maximum payload
  kMuxArgRouterSenderChannels,
  kMuxArgRouterSenderSlots,
  kMuxArgEndsWithClients,  ///< 1: ends once each channel has had its client; 0: ends by a signal
  kMuxCompileArgs,
};
/// Run-time arguments.
enum MuxRuntimeArg : uint32_t {
  kMuxArgRouterX,
  kMuxArgRouterY,
  kMuxRuntimeArgs,
};
/// Run-time arguments of a mux that ends with its clients, in the order that
/// FabricMuxV2Sender::build_from_args expects.
enum MuxClientRuntimeArg : uint32_t {
  kMuxClientArgX,
  kMuxClientArgY,
  kMuxClientArgChannel,
  kMuxClientArgSlots,
  kMuxClientArgSlotBytes,
  kMuxClientArgChannelBase,
  kMuxClientArgInfo,
  kMuxClientArgHandshake,
  kMuxClientArgCounterSemaphore,  ///< semaphore ids of the client's program
  kMuxClientArgTeardownSemaphore,
  kMuxClientArgStatus,
  kMuxClientRuntimeArgs,
};

}  // namespace tvp::contract::fabric
