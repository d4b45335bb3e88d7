#include "models/mesh/deadlock_check.h"

#include <algorithm>
#include <bit>

namespace tvp::mesh {

namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFF;
constexpr unsigned channel_of(unsigned node, unsigned port) { return node * kPorts + port; }

/// Visits every channel that `start` leads to by `outputs` of (node, input port).
template <typename Outputs, typename Visit>
void walk(const Topology& topology, std::vector<std::uint32_t> start, const Outputs& outputs,
          const Visit& visit) {
  std::vector<bool> seen(std::size_t{topology.nodes()} * kPorts, false);
  for (const std::uint32_t channel : start) seen[channel] = true;
  while (!start.empty()) {
    const std::uint32_t channel = start.back();
    start.pop_back();
    visit(channel);
    const auto port = static_cast<Port>(channel % kPorts);
    const unsigned node = topology.neighbor(channel / kPorts, port);
    for (unsigned left = outputs(node, opposite(port)); left != 0; left &= left - 1) {
      const unsigned next = channel_of(node, static_cast<unsigned>(std::countr_zero(left)));
      if (seen[next]) continue;
      seen[next] = true;
      start.push_back(next);
    }
  }
}

void sort_unique(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

DeadlockCheck::DeadlockCheck(const Topology& topology, const RoutingTable& table, bool has_escape)
    : topology_(topology), next_(std::size_t{topology.nodes()} * kPorts) {
  for (unsigned destination = 0; destination < topology.endpoints(); ++destination) {
    if (!topology.router_works(topology.router_of(destination))) continue;
    depend(topology, table, has_escape && table.has_escape(), destination);
  }
  for (auto& list : next_) sort_unique(list);
  find_cycle();
}

/// Adds the dependencies of packets to one destination.
void DeadlockCheck::depend(const Topology& topology, const RoutingTable& table, bool has_escape,
                           unsigned destination) {
  const unsigned target = topology.router_of(destination);
  // Outputs that lead to a router; at the target the packet leaves the mesh.
  const auto links = [&](unsigned node, PortMask mask) {
    PortMask result = 0;
    if (node == target) return result;
    for (unsigned left = mask; left != 0; left &= left - 1) {
      const auto port = static_cast<Port>(std::countr_zero(left));
      if (topology.neighbor(node, port) != Topology::kNone) result |= mask_of(port);
    }
    return result;
  };
  const auto free_outputs = [&](unsigned node, Port in) {
    return links(node, table.outputs(node, in, destination));
  };
  const auto escapes = [&](unsigned node, Port in) {
    return has_escape ? links(node, table.escape(node, in, destination)) : PortMask{0};
  };
  const auto any_outputs = [&](unsigned node, Port in) {
    return static_cast<PortMask>(free_outputs(node, in) | escapes(node, in));
  };
  std::vector<std::uint32_t> first;
  const auto add = [](std::vector<std::uint32_t>& list, unsigned node, PortMask mask) {
    for (unsigned left = mask; left != 0; left &= left - 1) {
      list.push_back(channel_of(node, static_cast<unsigned>(std::countr_zero(left))));
    }
  };
  const auto check_way_on = [&](unsigned node, Port in) {
    const PortMask must = has_escape ? escapes(node, in) : any_outputs(node, in);
    if (node == target || must != 0 || !dead_end_.empty()) return;
    dead_end_ = "a packet to " + topology.name_of_endpoint(destination) + " has no " +
                (has_escape ? "escape" : "way on") + " at " + topology.name_of_router(node) +
                " where it comes from " + name_of(in);
  };
  for (unsigned source = 0; source < topology.endpoints(); ++source) {
    const unsigned node = topology.router_of(source);
    const Port in = topology.port_of(source);
    // Who has no way at all from the start cannot get there, which is not a deadlock.
    if (!topology.router_works(node) || any_outputs(node, in) == 0) continue;
    check_way_on(node, in);
    add(first, node, any_outputs(node, in));
  }
  sort_unique(first);
  walk(topology, first, any_outputs, [&](std::uint32_t channel) {
    const auto port = static_cast<Port>(channel % kPorts);
    const unsigned node = topology.neighbor(channel / kPorts, port);
    const Port in = opposite(port);
    check_way_on(node, in);
    if (!has_escape) return add(next_[channel], node, free_outputs(node, in));
    // Only links that some packet to this destination escapes by have an escape channel that it
    // holds.
    bool enters = false;
    const unsigned before = channel / kPorts;
    for (unsigned from = 0; from < kPorts; ++from) {
      enters = enters || (escapes(before, static_cast<Port>(from)) & mask_of(port)) != 0;
    }
    if (!enters) return;
    add(next_[channel], node, escapes(node, in));
    std::vector<std::uint32_t> between;
    add(between, node, free_outputs(node, in));
    walk(topology, between, free_outputs, [&](std::uint32_t other) {
      const auto on = static_cast<Port>(other % kPorts);
      const unsigned there = topology.neighbor(other / kPorts, on);
      add(next_[channel], there, escapes(there, opposite(on)));
    });
  });
}

/// Depth first, in the order of channels.
void DeadlockCheck::find_cycle() {
  enum class Color : std::uint8_t { kNew, kOpen, kDone };
  std::vector<Color> color(next_.size(), Color::kNew);
  struct Step {
    std::uint32_t channel;
    std::size_t next;
  };
  std::vector<Step> path;
  for (std::uint32_t root = 0; root < next_.size(); ++root) {
    if (color[root] != Color::kNew) continue;
    color[root] = Color::kOpen;
    path.push_back({root, 0});
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == next_[step.channel].size()) {
        color[step.channel] = Color::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t next = next_[step.channel][step.next++];
      if (color[next] == Color::kOpen) {
        const auto from = std::find_if(path.begin(), path.end(),
                                       [&](const Step& s) { return s.channel == next; });
        for (auto it = from; it != path.end(); ++it) cycle_.push_back(it->channel);
        return shorten_cycle();
      }
      if (color[next] == Color::kDone) continue;
      color[next] = Color::kOpen;
      path.push_back({next, 0});
    }
  }
}

/// The shortest one through a channel of the one that was found: easier to see.
void DeadlockCheck::shorten_cycle() {
  const std::vector<unsigned> through = cycle_;
  for (const unsigned start : through) {
    std::vector<std::uint32_t> reached{start};
    std::vector<std::uint32_t> from(next_.size(), kNobody);
    for (std::size_t i = 0; i < reached.size() && from[start] == kNobody; ++i) {
      for (const std::uint32_t next : next_[reached[i]]) {
        if (from[next] != kNobody) continue;
        from[next] = reached[i];
        reached.push_back(next);
      }
    }
    std::vector<unsigned> found{start};
    for (std::uint32_t c = from[start]; c != start; c = from[c]) found.push_back(c);
    std::reverse(found.begin() + 1, found.end());
    if (found.size() < cycle_.size()) cycle_ = found;
  }
}

std::string DeadlockCheck::problem() const {
  if (cycle_.empty()) return dead_end_;
  std::string text = "packets can wait for each other in a circle: ";
  for (const unsigned channel : cycle_) {
    text += topology_.name_of_link(channel / kPorts, static_cast<Port>(channel % kPorts)) + " -> ";
  }
  const unsigned first = cycle_.front();
  return text + topology_.name_of_link(first / kPorts, static_cast<Port>(first % kPorts));
}

}  // namespace tvp::mesh
