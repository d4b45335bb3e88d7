#include "sw/runtime/fabric/end_routers.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

using namespace contract::fabric;

namespace {

class Shutdown {
 public:
  Shutdown(MeshDevice& mesh, const RouterLayout& layout, const std::vector<RunningRouter>& routers)
      : mesh_(mesh), layout_(layout), routers_(routers) {}

  void signal(std::uint32_t value) {
    for (const RunningRouter& router : routers_)
      tiles(router).write32(place(router), layout_.termination_signal(), value);
  }
  bool idle() {
    return std::all_of(routers_.begin(), routers_.end(),
                       [&](const RunningRouter& router) { return under_way(router) == kReported; });
  }
  /// A line for each router that holds packets.
  std::string text() {
    std::string lines;
    for (const RunningRouter& router : routers_) {
      const std::uint32_t held = under_way(router);
      if (held == kReported) continue;
      lines += "\n  router on ethernet channel " + std::to_string(router.channel) + " of device " +
               std::to_string(router.device) + ": " + text_of(held);
    }
    return lines;
  }

 private:
  TileAccess& tiles(const RunningRouter& router) { return mesh_.device(router.device).tiles(); }
  CoreCoord place(const RunningRouter& router) {
    return mesh_.device(router.device).layout().ethernet_noc0(router.channel);
  }
  std::uint32_t under_way(const RunningRouter& router) {
    return tiles(router).read32(place(router), layout_.under_way());
  }
  std::string text_of(std::uint32_t held) const {
    if ((held & kReported) == 0) return "does not read its signal";
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    for (std::uint32_t channel = 0; channel < layout_.channels; ++channel)
      if ((held & under_way_sender(channel)) != 0)
        add(channel == kClientChannel
                ? std::string("packets of its client")
                : "packets to pass on in sender channel " + std::to_string(channel));
    if ((held & kUnderWayReceiver) != 0) add("packets that came over the link");
    return text;
  }

  MeshDevice& mesh_;
  const RouterLayout& layout_;
  const std::vector<RunningRouter>& routers_;
};

}  // namespace

void end_routers(MeshDevice& mesh, const RouterLayout& layout,
                 const std::vector<RunningRouter>& routers) {
  Shutdown shutdown(mesh, layout, routers);
  shutdown.signal(kReportUnderWay);
  try {
    mesh.wait_until([&] { return shutdown.idle(); }, "packets in the fabric");
  } catch (const HangError& hang) {
    throw HangError("the fabric cannot be stopped, packets in it go no further:" + shutdown.text() +
                    "\n" + hang.what());
  } catch (const TimeLimitError& limit) {
    throw TimeLimitError("the fabric cannot be stopped, packets are in flight:" + shutdown.text() +
                         "\n" + limit.what());
  }
  shutdown.signal(kTerminateImmediately);
  for (const RunningRouter& router : routers) mesh.finish_ethernet(router.device, router.channel);
}

}  // namespace tvp::runtime
