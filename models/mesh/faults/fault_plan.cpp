#include "models/mesh/faults/fault_plan.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "foundation/fault.h"
#include "foundation/random.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Parses "link:X.Y.PORT@CYCLE" and "router:X.Y@CYCLE". The suffix "+CYCLES" makes a fault
/// transient. The prefix "chipN." selects one of several meshes.
class FaultReader {
 public:
  FaultReader(std::string_view text, const MeshTopology& topology, unsigned meshes)
      : text_(text), left_(text), topology_(topology), meshes_(meshes) {}

  MeshFault read() {
    MeshFault fault;
    if (meshes_ > 1) fault.mesh = chip();
    fault.is_router = take("router:");
    if (!fault.is_router && !take("link:")) fail("");
    const std::uint64_t x = number();
    expect(".");
    const std::uint64_t y = number();
    if (x >= topology_.width() || y >= topology_.height()) fail(", a router of the mesh");
    fault.node = topology_.node_at(static_cast<unsigned>(x), static_cast<unsigned>(y));
    if (!fault.is_router) fault.port = port(fault.node);
    expect("@");
    fault.at = number();
    if (take("+")) {
      fault.lasts = number();
      if (fault.lasts == 0) fail(", that lasts a cycle or more");
    }
    if (!left_.empty()) fail("");
    return fault;
  }

 private:
  bool take(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!take(word)) fail("");
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    if (error != std::errc{}) fail("");
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
    return value;
  }
  unsigned chip() {
    const std::string known =
        ", with the chip of its mesh in front: chip0. to chip" + std::to_string(meshes_ - 1) + ".";
    const bool named = take("chip") && !left_.empty() && left_[0] >= '0' && left_[0] <= '9';
    const std::uint64_t chip = named ? number() : meshes_;
    if (chip >= meshes_) fail(known);
    expect(".");
    return static_cast<unsigned>(chip);
  }
  Port port(unsigned node) {
    expect(".");
    for (const Port candidate : {Port::kNorth, Port::kEast, Port::kSouth, Port::kWest}) {
      if (!take(mesh::name_of(candidate))) continue;
      if (topology_.neighbor(node, candidate) == MeshTopology::kNone)
        fail(", a link between routers");
      return candidate;
    }
    fail(", with port north, east, south or west");
  }
  [[noreturn]] void fail(const std::string& more) const {
    throw Fault(
        FaultKind::kDescription, "mesh.faults",
        "'" + std::string(text_) +
            "': expected link:X.Y.PORT@CYCLE or router:X.Y@CYCLE, with +CYCLES behind for a "
            "transient one" +
            more);
  }

  std::string_view text_;
  std::string_view left_;
  const MeshTopology& topology_;
  const unsigned meshes_;
};

/// Selects `count` random candidates, each at most once, at cycles from 1 to the last one.
void draw(std::vector<MeshFault> candidates, unsigned count, const char* key,
          const MeshConfig& config, foundation::Random& random, std::vector<MeshFault>& faults) {
  if (count > candidates.size()) {
    throw Fault(FaultKind::kDescription, key,
                std::to_string(count) + " faults; there are " + std::to_string(candidates.size()) +
                    " that can break");
  }
  for (unsigned i = 0; i < count; ++i) {
    const unsigned chosen = random.below(candidates.size());
    MeshFault fault = candidates[chosen];
    fault.at = 1 + random.below(config.random_fault_until);
    fault.lasts = config.random_fault_cycles;
    faults.push_back(fault);
    candidates.erase(candidates.begin() + chosen);
  }
}

}  // namespace

std::vector<MeshFault> plan_faults(const MeshConfig& config, const MeshTopology& topology,
                                   unsigned meshes) {
  std::vector<MeshFault> faults;
  std::string_view list = config.faults.value();
  while (!list.empty()) {
    const std::size_t end = list.find(';');
    faults.push_back(FaultReader(list.substr(0, end), topology, meshes).read());
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  std::vector<MeshFault> links;
  std::vector<MeshFault> routers;
  for (unsigned i = 0; i < meshes * topology.nodes(); ++i) {
    const unsigned mesh = i / topology.nodes();
    const unsigned node = i % topology.nodes();
    routers.push_back({.mesh = mesh, .is_router = true, .node = node});
    for (const Port port : {Port::kNorth, Port::kEast, Port::kSouth, Port::kWest}) {
      if (topology.neighbor(node, port) != MeshTopology::kNone) {
        links.push_back({.mesh = mesh, .node = node, .port = port});
      }
    }
  }
  foundation::Random random(config.fault_seed);
  draw(links, config.random_link_faults, "mesh.random_link_faults", config, random, faults);
  draw(routers, config.random_router_faults, "mesh.random_router_faults", config, random, faults);
  std::stable_sort(faults.begin(), faults.end(),
                   [](const MeshFault& a, const MeshFault& b) { return a.at < b.at; });
  return faults;
}

std::string name_of(const MeshFault& fault, const MeshTopology& topology, const MeshPlace& place) {
  return fault.is_router ? "router " + place.prefix() + topology.name_of_router(fault.node)
                         : "link " + place.prefix() + topology.name_of_link(fault.node, fault.port);
}

}  // namespace tvp::mesh
