#include "sw/runtime/fabric/fabric_router.h"

#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

KernelHandle CreateFabricRouter(Program& program, const CoreRangeSet& cores,
                                const FabricRouterConfig& router) {
  EthernetConfig config;
  config.opt_level = KernelBuildOptLevel::O3;  // as tt-metal compiles its routers
  config.noc = router.noc;
  config.compile_args = router_compile_args(router.layout, router.max_payload_bytes,
                                            router.direction, router.on_ring);
  return CreateKernel(program, "firmware/fabric/router.cpp", cores, config);
}

}  // namespace tvp::runtime
