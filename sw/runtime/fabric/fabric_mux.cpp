#include "sw/runtime/fabric/fabric_mux.h"

#include "foundation/contract/fabric/packet.h"
#include "foundation/contract/fabric/worker_connection.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

using namespace contract::fabric;

KernelHandle CreateFabricMux(Program& program, const CoreRangeSet& cores, const MuxLayout& mux,
                             const EndpointLayout& router, FabricMuxEnd end) {
  DataMovementConfig config;
  config.opt_level = KernelBuildOptLevel::O3;  // as tt-metal compiles its muxes
  config.compile_args.resize(kMuxCompileArgs);
  config.compile_args[kMuxArgBase] = mux.base;
  config.compile_args[kMuxArgMaxPayloadBytes] = mux.bytes_per_slot - slot_bytes(0);
  config.compile_args[kMuxArgClients] = mux.channels;
  config.compile_args[kMuxArgSlots] = mux.slots;
  config.compile_args[kMuxArgRouterBase] = router.base;
  config.compile_args[kMuxArgRouterSenderChannels] = router.channels;
  config.compile_args[kMuxArgRouterSenderSlots] = router.slots;
  config.compile_args[kMuxArgEndsWithClients] = end == FabricMuxEnd::kWithClients ? 1 : 0;
  return CreateKernel(program, "firmware/fabric/mux.cpp", cores, config);
}

namespace {

void require_channel(const MuxLayout& mux, std::uint32_t channel) {
  if (channel >= mux.channels)
    bad_use("mux", "channel " + std::to_string(channel) + ": expected one below " +
                       std::to_string(mux.channels));
}

}  // namespace

std::vector<std::uint32_t> mux_connection_args(const MuxLayout& mux, CoreCoord mux_core,
                                               std::uint32_t channel, std::uint32_t semaphores) {
  require_channel(mux, channel);
  std::vector<std::uint32_t> args(kConnectionRuntimeArgs);
  args[kConnectionArgX] = connection_x(mux_core.x, kNoDirection);
  args[kConnectionArgY] = mux_core.y;
  args[kConnectionArgChannelBase] = mux.channel_base(channel);
  args[kConnectionArgSlots] = mux.slots;
  args[kConnectionArgHandshake] = mux.connection_handshake(channel);
  args[kConnectionArgInfo] = mux.connection_info(channel);
  args[kConnectionArgSlotBytes] = mux.bytes_per_slot;
  args[kConnectionArgBufferIndex] = mux.buffer_index(channel);
  args[kConnectionArgStream] = stream_mux_free_slots(channel);
  args[kConnectionArgCounterSemaphore] = semaphores;
  args[kConnectionArgTeardownSemaphore] = semaphores + 1;
  args[kConnectionArgBufferIndexSemaphore] = semaphores + 2;
  return args;
}

std::vector<std::uint32_t> fabric_mux_client_args(const MuxLayout& mux, CoreCoord mux_core,
                                                  std::uint32_t channel, std::uint32_t semaphores) {
  require_channel(mux, channel);
  std::vector<std::uint32_t> args(kMuxClientRuntimeArgs);
  args[kMuxClientArgX] = mux_core.x;
  args[kMuxClientArgY] = mux_core.y;
  args[kMuxClientArgChannel] = channel;
  args[kMuxClientArgSlots] = mux.slots;
  args[kMuxClientArgSlotBytes] = mux.bytes_per_slot;
  args[kMuxClientArgChannelBase] = mux.channel_base(channel);
  args[kMuxClientArgInfo] = mux.connection_info(channel);
  args[kMuxClientArgHandshake] = mux.connection_handshake(channel);
  args[kMuxClientArgCounterSemaphore] = semaphores;
  args[kMuxClientArgTeardownSemaphore] = semaphores + 1;
  args[kMuxClientArgStatus] = mux.status();
  return args;
}

}  // namespace tvp::runtime
