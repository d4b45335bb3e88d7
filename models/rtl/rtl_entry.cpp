// The only exported symbol of libtensix_vp_rtl.so.

#include <utility>

#include "models/rtl/rtl_ca_barrier.h"
#include "models/rtl/rtl_ca_controller.h"
#include "models/rtl/rtl_crossbar.h"
#include "models/rtl/rtl_module.h"
#include "models/rtl/rtl_router_array.h"

namespace tvp::rtl {
namespace {

std::unique_ptr<RouterArray> make_routers(const char* name, const mesh::MeshConfig& config,
                                          const mesh::MeshTopology& topology,
                                          RouterSelection selection, unsigned meshes) {
  return std::make_unique<RtlRouterArray>(name, config, topology, std::move(selection), meshes);
}

std::unique_ptr<BarrierController> make_barrier(const char* name,
                                                const RtlModule::Barrier& barrier) {
  return std::make_unique<RtlCaBarrier>(name, barrier);
}

std::unique_ptr<ChannelBlock<switching::ExternalCrossbar>> make_crossbar(
    const std::string& where, const RtlModule::Crossbar& crossbar) {
  return std::make_unique<RtlCrossbar>(where, crossbar);
}

std::unique_ptr<ChannelBlock<ddr::ExternalCaBus>> make_ca_controller(
    const std::string& where, const RtlModule::CaController& controller) {
  return std::make_unique<RtlCaController>(where, controller);
}

}  // namespace
}  // namespace tvp::rtl

extern "C" __attribute__((visibility("default"))) const tvp::rtl::RtlModule*
tensix_vp_rtl_module() {
  static const tvp::rtl::RtlModule module{.layout = tvp::rtl::rtl_layout(),
                                          .make_routers = tvp::rtl::make_routers,
                                          .make_barrier = tvp::rtl::make_barrier,
                                          .make_crossbar = tvp::rtl::make_crossbar,
                                          .make_ca_controller = tvp::rtl::make_ca_controller};
  return &module;
}
