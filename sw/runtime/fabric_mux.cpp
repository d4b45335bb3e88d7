#include "sw/runtime/fabric_mux.h"

#include "firmware/contract/fabric/packet.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

using namespace contract::fabric;

FabricMuxKernel fabric_mux_kernel(std::string_view name) {
  if (name == "ours") return FabricMuxKernel::kOurs;
  if (name == "published_order") return FabricMuxKernel::kPublishedOrder;
  bad_use("mux", "'" + std::string(name) + "': expected ours or published_order");
}

KernelHandle CreateFabricMux(Program& program, const CoreRangeSet& cores, const MuxLayout& mux,
                             const EndpointLayout& router, FabricMuxKernel kernel) {
  DataMovementConfig config;
  if (kernel == FabricMuxKernel::kPublishedOrder)
    config.opt_level = KernelBuildOptLevel::O3;  // as tt-metal compiles its muxes
  config.compile_args.resize(kMuxCompileArgs);
  config.compile_args[kMuxArgBase] = mux.base;
  config.compile_args[kMuxArgMaxPayloadBytes] = mux.bytes_per_slot - slot_bytes(0);
  config.compile_args[kMuxArgClients] = mux.channels;
  config.compile_args[kMuxArgSlots] = mux.slots;
  config.compile_args[kMuxArgRouterBase] = router.base;
  config.compile_args[kMuxArgRouterSenderChannels] = router.channels;
  config.compile_args[kMuxArgRouterSenderSlots] = router.slots;
  return CreateKernel(program,
                      kernel == FabricMuxKernel::kOurs ? "firmware/fabric/mux.cpp"
                                                       : "firmware/fabric/mux_published_order.cpp",
                      cores, config);
}

}  // namespace tvp::runtime
