#include "sw/runtime/fabric_router.h"

#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/fabric_layout.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

FabricRouterKernel fabric_router_kernel(std::string_view name) {
  if (name == "ours") return FabricRouterKernel::kOurs;
  if (name == "published_order") return FabricRouterKernel::kPublishedOrder;
  bad_use("fabric", "'" + std::string(name) + "': expected ours or published_order");
}

KernelHandle CreateFabricRouter(Program& program, unsigned channel,
                                const FabricRouterConfig& router) {
  EthernetConfig config;
  config.opt_level = KernelBuildOptLevel::O2;
  config.noc = router.noc;
  config.compile_args = router_compile_args(router.layout, router.max_payload_bytes,
                                            router.direction, router.dateline);
  return CreateKernel(program,
                      router.kernel == FabricRouterKernel::kOurs
                          ? "firmware/fabric/router.cpp"
                          : "firmware/fabric/router_published_order.cpp",
                      CoreRangeSet(CoreCoord{0, channel}), config);
}

}  // namespace tvp::runtime
