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

void add_channels(std::vector<std::uint32_t>& list, unsigned node, PortMask mask) {
  for (unsigned left = mask; left != 0; left &= left - 1) {
    list.push_back(channel_of(node, static_cast<unsigned>(std::countr_zero(left))));
  }
}

}  // namespace

/// Where packets to one destination may go. At its router a packet leaves the mesh.
class DeadlockCheck::Destination {
 public:
  Destination(const Topology& topology, const RoutingTable& table, bool has_escape,
              unsigned endpoint)
      : topology_(topology),
        table_(table),
        has_escape_(has_escape),
        endpoint_(endpoint),
        router_(topology.router_of(endpoint)) {}

  unsigned endpoint() const { return endpoint_; }
  unsigned router() const { return router_; }
  bool has_escape() const { return has_escape_; }
  PortMask free_outputs(unsigned node, Port in) const {
    return links(node, table_.outputs(node, in, endpoint_));
  }
  PortMask escapes(unsigned node, Port in) const {
    return has_escape_ ? links(node, table_.escape(node, in, endpoint_)) : PortMask{0};
  }
  PortMask any_outputs(unsigned node, Port in) const {
    return static_cast<PortMask>(free_outputs(node, in) | escapes(node, in));
  }
  /// Some packet escapes by this channel.
  bool is_escape(unsigned channel) const {
    const auto port = static_cast<Port>(channel % kPorts);
    for (unsigned in = 0; in < kPorts; ++in) {
      if ((escapes(channel / kPorts, static_cast<Port>(in)) & mask_of(port)) != 0) return true;
    }
    return false;
  }

 private:
  /// Outputs that lead to a router.
  PortMask links(unsigned node, PortMask mask) const {
    PortMask result = 0;
    if (node == router_) return result;
    for (unsigned left = mask; left != 0; left &= left - 1) {
      const auto port = static_cast<Port>(std::countr_zero(left));
      if (topology_.neighbor(node, port) != Topology::kNone) result |= mask_of(port);
    }
    return result;
  }

  const Topology& topology_;
  const RoutingTable& table_;
  const bool has_escape_;
  const unsigned endpoint_;
  const unsigned router_;
};

DeadlockCheck::DeadlockCheck(const Topology& topology, const RoutingTable& table, bool has_escape)
    : topology_(topology), next_(std::size_t{topology.nodes()} * kPorts) {
  for (unsigned endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    if (!topology.router_works(topology.router_of(endpoint))) continue;
    depend(Destination(topology, table, has_escape && table.has_escape(), endpoint));
  }
  for (auto& list : next_) sort_unique(list);
  find_cycle();
}

/// Adds the dependencies of packets to one destination.
void DeadlockCheck::depend(const Destination& to) {
  std::vector<std::uint32_t> first;
  for (unsigned source = 0; source < topology_.endpoints(); ++source) {
    const unsigned node = topology_.router_of(source);
    const Port in = topology_.port_of(source);
    // Who has no way at all from the start cannot get there, which is not a deadlock.
    if (!topology_.router_works(node) || to.any_outputs(node, in) == 0) continue;
    check_way_on(to, node, in);
    add_channels(first, node, to.any_outputs(node, in));
  }
  sort_unique(first);
  const auto any = [&](unsigned node, Port in) { return to.any_outputs(node, in); };
  walk(topology_, first, any, [&](std::uint32_t channel) { depend(to, channel); });
}

/// Adds what a packet that holds a channel may wait for.
void DeadlockCheck::depend(const Destination& to, unsigned channel) {
  const auto port = static_cast<Port>(channel % kPorts);
  const unsigned node = topology_.neighbor(channel / kPorts, port);
  const Port in = opposite(port);
  check_way_on(to, node, in);
  const auto free = [&](unsigned at, Port from) { return to.free_outputs(at, from); };
  if (!to.has_escape()) return add_channels(next_[channel], node, free(node, in));
  // Only links that some packet to this destination escapes by have an escape channel that it
  // holds.
  if (!to.is_escape(channel)) return;
  add_channels(next_[channel], node, to.escapes(node, in));
  std::vector<std::uint32_t> between;
  add_channels(between, node, free(node, in));
  walk(topology_, between, free, [&](std::uint32_t other) {
    const auto on = static_cast<Port>(other % kPorts);
    const unsigned there = topology_.neighbor(other / kPorts, on);
    add_channels(next_[channel], there, to.escapes(there, opposite(on)));
  });
}

void DeadlockCheck::check_way_on(const Destination& to, unsigned node, Port in) {
  const PortMask must = to.has_escape() ? to.escapes(node, in) : to.any_outputs(node, in);
  if (node == to.router() || must != 0 || !dead_end_.empty()) return;
  dead_end_ = "a packet to " + topology_.name_of_endpoint(to.endpoint()) + " has no " +
              (to.has_escape() ? "escape" : "way on") + " at " + topology_.name_of_router(node) +
              " where it comes from " + name_of(in);
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
