#include "models/rtl/router_selection.h"

#include <charconv>
#include <string>
#include <string_view>

#include "foundation/fault.h"

namespace tvp::rtl {

using foundation::Fault;
using foundation::FaultKind;

std::optional<std::vector<unsigned>> rtl_nodes(const mesh::MeshConfig& config,
                                               const mesh::MeshTopology& topology,
                                               const mesh::MeshPlace& place) {
  const std::string& all = config.router.value();
  std::string_view text = all;
  if (text == "tlm") return std::nullopt;
  const auto wrong = [&] {
    std::string expected = "tlm, rtl, or rtl:X:Y with a router of the " +
                           std::to_string(topology.width()) + " x " +
                           std::to_string(topology.height()) + " mesh";
    if (place.meshes > 1) {
      expected +=
          ", in one chip with chip0. to chip" + std::to_string(place.meshes - 1) + ". in front";
    }
    throw Fault(FaultKind::kDescription, "mesh.router", "'" + all + "': expected " + expected);
  };
  const auto number = [&] {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) wrong();
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  };
  const auto take = [&](std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
  };
  unsigned chip = place.number;
  if (place.meshes > 1 && take("chip")) {
    chip = number();
    if (chip >= place.meshes || !take(".")) wrong();
  }
  if (!take("rtl")) wrong();
  std::vector<unsigned> nodes;
  if (!text.empty()) {
    if (!take(":")) wrong();
    const unsigned x = number();
    if (!take(":")) wrong();
    const unsigned y = number();
    if (!text.empty() || x >= topology.width() || y >= topology.height()) wrong();
    nodes.push_back(topology.node_at(x, y));
  }
  if (chip != place.number) return std::nullopt;
  return nodes;
}

}  // namespace tvp::rtl
