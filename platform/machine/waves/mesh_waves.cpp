#include "platform/machine/waves/mesh_waves.h"

#include "models/mesh/port.h"

namespace tvp::platform {

namespace {
std::string router_path(const std::string& path, unsigned x, unsigned y) {
  return path + ".router_" + std::to_string(x) + "_" + std::to_string(y) + ".";
}
}  // namespace

void watch_links(support::WaveRecorder& recorder, const std::string& path,
                 const mesh::MeshTopology& topology, std::vector<support::LevelSignal>& signals) {
  signals.resize(std::size_t{topology.nodes()} * mesh::kPorts);
  for (unsigned y = 0; y < topology.height(); ++y) {
    for (unsigned x = 0; x < topology.width(); ++x) {
      const std::string router = router_path(path, x, y);
      for (unsigned port = 0; port < mesh::kPorts; ++port) {
        const std::size_t link = std::size_t{topology.node_at(x, y)} * mesh::kPorts + port;
        recorder.watch(signals[link],
                       {.path = router + mesh::name_of(static_cast<mesh::Port>(port))});
      }
    }
  }
}

void watch_pins(support::WaveRecorder& recorder, const std::string& path,
                const mesh::MeshTopology& topology, rtl::RouterArray& routers) {
  routers.watch(recorder, [&](unsigned node) {
    return router_path(path, topology.x_of(node), topology.y_of(node)) + "rtl";
  });
}

}  // namespace tvp::platform
