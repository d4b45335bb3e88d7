#include "models/mesh/routing/rerouting.h"

#include <algorithm>

#include "foundation/fault.h"
#include "models/mesh/routing/deadlock_check.h"

namespace tvp::mesh {

namespace {

constexpr unsigned kFar = 0x7FFFFFFF;

/// Hops to `target` from every router over moves that `allowed(from, to)` permits; kFar if there is
/// no route.
template <typename Allowed>
std::vector<unsigned> distances(const MeshTopology& topology, unsigned target,
                                const Allowed& allowed) {
  std::vector<unsigned> distance(topology.nodes(), kFar);
  if (!topology.router_works(target)) return distance;
  distance[target] = 0;
  std::vector<unsigned> reached{target};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const unsigned to = reached[i];
    for (const Port port : kLinkPorts) {
      // Links go out of service in both directions.
      const unsigned from = topology.neighbor(to, port);
      if (from == MeshTopology::kNone || distance[from] != kFar || !allowed(from, to)) continue;
      distance[from] = distance[to] + 1;
      reached.push_back(from);
    }
  }
  return distance;
}

bool any_move(unsigned, unsigned) { return true; }

/// Sets the output ports of destinations at their own routers.
void set_terminals(const MeshTopology& topology, RoutingTable& table) {
  for (unsigned destination = 0; destination < topology.endpoints(); ++destination) {
    const unsigned node = topology.router_of(destination);
    if (!topology.router_works(node)) continue;
    for (unsigned in = 0; in < kPorts; ++in) {
      table.set(node, static_cast<Port>(in), destination, mask_of(topology.port_of(destination)));
    }
  }
}

/// Order of the routers in a breadth-first tree, root first. "Up" links lead to lower numbers.
std::vector<unsigned> tree_order(const MeshTopology& topology) {
  std::vector<unsigned> order(topology.nodes(), kFar);
  unsigned next = 0;
  for (unsigned root = 0; root < topology.nodes(); ++root) {
    if (order[root] != kFar || !topology.router_works(root)) continue;
    std::vector<unsigned> reached{root};
    order[root] = next++;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const Port port : kLinkPorts) {
        const unsigned other = topology.neighbor(reached[i], port);
        if (other == MeshTopology::kNone || order[other] != kFar) continue;
        order[other] = next++;
        reached.push_back(other);
      }
    }
  }
  return order;
}

/// A breadth-first tree that orders the routers. A packet first goes up, to lower numbers, and then
/// down. Packets therefore cannot wait for each other in a cycle.
class UpDownTree {
 public:
  explicit UpDownTree(const MeshTopology& topology)
      : topology_(topology), order_(tree_order(topology)) {
    for (unsigned node = 0; node < topology.nodes(); ++node)
      if (order_[node] != kFar) by_order_.push_back(node);
    std::sort(by_order_.begin(), by_order_.end(),
              [&](unsigned a, unsigned b) { return order_[a] < order_[b]; });
  }

  /// Sets the routes of all routers to a destination.
  void set_routes(unsigned destination, RoutingTable& table) const {
    const unsigned target = topology_.router_of(destination);
    const Hops hops = hops_to(target);
    for (const unsigned node : by_order_) {
      if (node == target) continue;
      const Ports ports = ports_from(node, hops);
      for (unsigned in = 0; in < kPorts; ++in) {
        const unsigned before = topology_.neighbor(node, static_cast<Port>(in));
        const bool came_down = before != MeshTopology::kNone && is_down(before, node);
        table.set(node, static_cast<Port>(in), destination,
                  came_down ? ports.down_only : ports.best);
      }
    }
  }

 private:
  /// Hops from each router to a target; kFar if there is no route.
  struct Hops {
    std::vector<unsigned> down;  ///< with moves down only
    std::vector<unsigned> any;   ///< with moves up, then down
  };
  struct Ports {
    PortMask down_only = 0;
    PortMask best = 0;
  };

  bool is_down(unsigned from, unsigned to) const { return order_[to] > order_[from]; }

  Hops hops_to(unsigned target) const {
    Hops hops;
    hops.down =
        distances(topology_, target, [&](unsigned from, unsigned to) { return is_down(from, to); });
    hops.any = hops.down;
    for (const unsigned node : by_order_) {
      for (const Port port : kLinkPorts) {
        const unsigned next = topology_.neighbor(node, port);
        if (next == MeshTopology::kNone || is_down(node, next) || hops.any[next] == kFar) continue;
        hops.any[node] = std::min(hops.any[node], hops.any[next] + 1);
      }
    }
    return hops;
  }

  Ports ports_from(unsigned node, const Hops& hops) const {
    Ports ports;
    for (const Port port : kLinkPorts) {
      const unsigned next = topology_.neighbor(node, port);
      if (next == MeshTopology::kNone) continue;
      const bool goes_down = is_down(node, next);
      const unsigned rest = goes_down ? hops.down[next] : hops.any[next];
      if (rest == kFar) continue;
      if (rest + 1 == hops.any[node]) ports.best |= mask_of(port);
      if (goes_down && rest + 1 == hops.down[node]) ports.down_only |= mask_of(port);
    }
    return ports;
  }

  const MeshTopology& topology_;
  const std::vector<unsigned> order_;
  std::vector<unsigned> by_order_;
};

/// The routing without the broken parts. False if it cannot deliver all packets without deadlock
/// that the links can deliver.
bool survives(const MeshTopology& topology, RoutingTable& table, bool waits, bool has_escape) {
  const Connectivity connectivity(topology);
  for (unsigned node = 0; node < topology.nodes(); ++node) {
    PortMask working = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      const auto port = static_cast<Port>(p);
      const bool leads = topology.neighbor(node, port) != MeshTopology::kNone ||
                         topology.endpoint_at(node, port) != MeshTopology::kNone;
      working |= static_cast<PortMask>(leads << p);
    }
    table.restrict(node, working);
  }
  for (unsigned from = 0; from < topology.endpoints(); ++from) {
    for (unsigned to = 0; to < topology.endpoints(); ++to) {
      const unsigned node = topology.router_of(from);
      if (!connectivity.reaches(node, topology.router_of(to))) continue;
      const Port in = topology.port_of(from);
      if ((table.outputs(node, in, to) | table.escape(node, in, to)) == 0) return false;
    }
  }
  const DeadlockCheck check(topology, table, has_escape);
  return waits ? check.is_free() : !check.has_dead_end();
}

}  // namespace

Connectivity::Connectivity(const MeshTopology& topology) : part_(topology.nodes(), kApart) {
  for (unsigned root = 0; root < topology.nodes(); ++root) {
    if (part_[root] != kApart || !topology.router_works(root)) continue;
    const auto distance = distances(topology, root, any_move);
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      if (distance[node] != kFar) part_[node] = parts_;
    }
    ++parts_;
  }
}

std::string Connectivity::partition(const MeshTopology& topology) const {
  std::string broken;
  std::vector<std::string> lists(parts_);
  for (unsigned node = 0; node < topology.nodes(); ++node) {
    std::string& list = part_[node] == kApart ? broken : lists[part_[node]];
    list += ' ';
    list += topology.name_of_router(node);
  }
  if (parts_ == 1 && broken.empty()) return "";
  std::string text = std::to_string(parts_) + (parts_ == 1 ? " part" : " parts:");
  if (parts_ > 1) {
    // The largest part includes the rest of the mesh.
    const auto largest = std::max_element(
        lists.begin(), lists.end(),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    for (auto it = lists.begin(); it != lists.end(); ++it) {
      text += (it == lists.begin() ? "" : " |") + (it == largest ? " the rest" : *it);
    }
  }
  if (!broken.empty()) text += "; broken:" + broken;
  return text;
}

RoutingTable shortest_table(const MeshTopology& topology) {
  RoutingTable table(topology);
  for (unsigned destination = 0; destination < topology.endpoints(); ++destination) {
    const auto distance = distances(topology, topology.router_of(destination), any_move);
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      if (distance[node] == kFar || distance[node] == 0) continue;
      PortMask mask = 0;
      for (const Port port : kLinkPorts) {
        const unsigned next = topology.neighbor(node, port);
        if (next != MeshTopology::kNone && distance[next] + 1 == distance[node])
          mask |= mask_of(port);
      }
      for (unsigned in = 0; in < kPorts; ++in) {
        table.set(node, static_cast<Port>(in), destination, mask);
      }
    }
  }
  set_terminals(topology, table);
  return table;
}

RoutingTable up_down_table(const MeshTopology& topology) {
  RoutingTable table(topology);
  const UpDownTree tree(topology);
  for (unsigned destination = 0; destination < topology.endpoints(); ++destination)
    tree.set_routes(destination, table);
  set_terminals(topology, table);
  return table;
}

Rerouting reroute(const MeshTopology& topology, const RoutingFunction& routing,
                  const std::string& routing_name, bool waits, bool has_escape) {
  RoutingTable table(topology, routing);
  // The broken router may be one that packets must visit.
  if (table.parts() == 1 && survives(topology, table, waits, has_escape))
    return {std::move(table), routing_name};
  if (!waits) return {shortest_table(topology), "any shortest way"};
  Rerouting result{up_down_table(topology), "up*/down*"};
  const DeadlockCheck check(topology, result.table, false);
  if (!check.is_free()) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "mesh",
                            "rerouted: " + check.problem());
  }
  return result;
}

}  // namespace tvp::mesh
