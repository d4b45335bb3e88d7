#include "sw/runtime/fabric/fabric_router.h"

#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

FabricRouterKernel fabric_router_kernel(std::string_view name) {
  if (name == "ours") return FabricRouterKernel::kOurs;
  if (name == "published_order") return FabricRouterKernel::kPublishedOrder;
  bad_use("fabric", "'" + std::string(name) + "': expected ours or published_order");
}

KernelHandle CreateFabricRouter(Program& program, const CoreRangeSet& cores,
                                const FabricRouterConfig& router) {
  const bool ours = router.kernel == FabricRouterKernel::kOurs;
  EthernetConfig config;
  config.opt_level =
      ours ? KernelBuildOptLevel::O2 : KernelBuildOptLevel::O3;  // as tt-metal compiles its routers
  config.noc = router.noc;
  config.compile_args = router_compile_args(router.layout, router.max_payload_bytes,
                                            router.direction, router.on_ring);
  return CreateKernel(
      program, ours ? "firmware/fabric/router.cpp" : "firmware/fabric/router_published_order.cpp",
      cores, config);
}

}  // namespace tvp::runtime
