#include "models/rtl/router_selection.h"

#include <charconv>
#include <string_view>

#include "foundation/fault.h"

namespace tvp::rtl {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// The number that the text is; absent for any other text.
std::optional<unsigned> number_in(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Removes and returns the part behind the last colon, or all.
std::string_view take_last(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  const std::string_view last = colon == std::string_view::npos ? text : text.substr(colon + 1);
  text = colon == std::string_view::npos ? "" : text.substr(0, colon);
  return last;
}

}  // namespace

std::optional<RouterSelection> select_routers(const mesh::MeshConfig& config,
                                              const mesh::MeshTopology& topology,
                                              const mesh::MeshPlace& place) {
  const std::string& all = config.router.value();
  std::string_view text = all;
  if (text == "tlm") return std::nullopt;
  const auto wrong = [&] {
    std::string expected = "tlm, rtl, or rtl:X:Y with a router of the " +
                           std::to_string(topology.width()) + " x " +
                           std::to_string(topology.height()) +
                           " mesh, and for a library of yours rtl:LIBRARY or rtl:LIBRARY:X:Y";
    if (place.meshes > 1) {
      expected +=
          ", in one chip with chip0. to chip" + std::to_string(place.meshes - 1) + ". in front";
    }
    throw Fault(FaultKind::kDescription, "mesh.router", "'" + all + "': expected " + expected);
  };
  unsigned chip = place.number;
  const std::size_t dot = text.find('.');
  if (place.meshes > 1 && text.starts_with("chip") && dot != std::string_view::npos) {
    const auto number = number_in(text.substr(4, dot - 4));
    if (!number || *number >= place.meshes) wrong();
    chip = *number;
    text.remove_prefix(dot + 1);
  }
  if (!text.starts_with("rtl")) wrong();
  text.remove_prefix(3);
  RouterSelection selection;
  if (!text.empty()) {
    if (text.front() != ':') wrong();
    text.remove_prefix(1);
    std::string_view rest = text;
    const auto y = number_in(take_last(rest));
    const auto x = number_in(take_last(rest));
    if (x && y) {
      if (*x >= topology.width() || *y >= topology.height()) wrong();
      selection.nodes.push_back(topology.node_at(*x, *y));
      text = rest;
    } else if (y || text.empty()) {
      wrong();
    }
    selection.library = text;
  }
  if (chip != place.number) return std::nullopt;
  return selection;
}

}  // namespace tvp::rtl
