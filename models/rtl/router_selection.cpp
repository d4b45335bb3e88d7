#include "models/rtl/router_selection.h"

#include "models/rtl/refuse.h"
#include "models/rtl/rtl_place.h"

namespace tvp::rtl {

std::optional<RouterSelection> select_routers(const mesh::MeshConfig& config,
                                              const mesh::MeshTopology& topology,
                                              const mesh::MeshPlace& place) {
  const std::string& all = config.router.value();
  if (all == "tlm") return std::nullopt;
  const auto wrong = [&] {
    std::string expected = "tlm, rtl, or rtl:X:Y with a router of the " +
                           std::to_string(topology.width()) + " x " +
                           std::to_string(topology.height()) +
                           " mesh, and for a library of yours rtl:LIBRARY or rtl:LIBRARY:X:Y";
    if (place.meshes > 1) {
      expected +=
          ", in one chip with chip0. to chip" + std::to_string(place.meshes - 1) + ". in front";
    }
    refuse("mesh.router", "'" + all + "': expected " + expected);
  };
  const std::optional<RtlPlace> where = read_rtl_place(all);
  if (!where || !where->library.starts_with("rtl")) wrong();
  if (where->chip && *where->chip >= (place.meshes > 1 ? place.meshes : 0)) wrong();
  RouterSelection selection;
  if (where->node) {
    const auto [x, y] = *where->node;
    if (x >= topology.width() || y >= topology.height()) wrong();
    selection.nodes.push_back(topology.node_at(x, y));
  }
  selection.library = where->library.substr(3);
  if (!selection.library.empty()) {
    if (selection.library.front() != ':' || selection.library.size() == 1) wrong();
    selection.library.erase(0, 1);
  }
  if (where->chip.value_or(place.number) != place.number) return std::nullopt;
  return selection;
}

}  // namespace tvp::rtl
