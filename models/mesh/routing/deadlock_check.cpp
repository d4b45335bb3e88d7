#include "models/mesh/routing/deadlock_check.h"

#include <algorithm>
#include <bit>

#include "models/mesh/destination_sets.h"
#include "models/mesh/flow_control/channel_worklist.h"

namespace tvp::mesh {

namespace {

constexpr std::uint32_t kNobody = 0xFFFFFFFF;
constexpr unsigned channel_of(unsigned node, unsigned port) { return node * kPorts + port; }

void sort_unique(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

/// For each router, input port and link: the destinations whose packets may take that link. At its
/// destination's router a packet leaves the mesh.
class DeadlockCheck::Ways {
 public:
  Ways(const MeshTopology& topology, const RoutingTable& table, bool has_escape, unsigned part)
      : has_escape_(has_escape),
        part_(part),
        row_(std::size_t{topology.nodes()} * kPorts, 0),
        free_(rows_of(topology, table) * kPorts, topology.endpoints()),
        escape_(has_escape ? free_ : DestinationSets(0, topology.endpoints())) {
    std::vector<bool> is_filled(rows_, false);
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      PortMask links = 0;
      for (const Port port : kLinkPorts) {
        if (topology.neighbor(node, port) != MeshTopology::kNone) links |= mask_of(port);
      }
      for (unsigned in = 0; in < kPorts; ++in) {
        const std::size_t row = row_[channel_of(node, in)];
        if (is_filled[row]) continue;
        is_filled[row] = true;
        fill(topology, table, node, static_cast<Port>(in), links, row);
      }
    }
  }

  bool has_escape() const { return has_escape_; }
  std::size_t words() const { return free_.words(); }
  /// Destinations to which a packet from input `in` may continue through `out`.
  const std::uint64_t* free(unsigned node, Port in, Port out) const {
    return free_[set_of(node, in, out)];
  }
  const std::uint64_t* escape(unsigned node, Port in, Port out) const {
    return escape_[set_of(node, in, out)];
  }

 private:
  std::size_t set_of(unsigned node, Port in, Port out) const {
    return row_[channel_of(node, index(in))] * kPorts + index(out);
  }
  /// Inputs with the same routes at a router share a row.
  std::size_t rows_of(const MeshTopology& topology, const RoutingTable& table) {
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      for (unsigned in = 0; in < kPorts; ++in) {
        unsigned first = 0;
        while (first < in &&
               !table.is_same(node, static_cast<Port>(first), static_cast<Port>(in), part_)) {
          ++first;
        }
        row_[channel_of(node, in)] = first < in ? row_[channel_of(node, first)] : rows_++;
      }
    }
    return rows_;
  }
  void fill(const MeshTopology& topology, const RoutingTable& table, unsigned node, Port in,
            PortMask links, std::size_t row) {
    for (unsigned to = 0; to < topology.endpoints(); ++to) {
      if (topology.router_of(to) == node || !topology.router_works(topology.router_of(to)))
        continue;
      insert(free_, row, table.outputs(node, in, to, part_) & links, to);
      if (has_escape_) insert(escape_, row, table.escape(node, in, to) & links, to);
    }
  }
  static void insert(DestinationSets& sets, std::size_t row, unsigned outputs,
                     unsigned destination) {
    for (; outputs != 0; outputs &= outputs - 1) {
      const auto out = static_cast<unsigned>(std::countr_zero(outputs));
      sets.insert(row * kPorts + out, destination);
    }
  }

  const bool has_escape_;
  const unsigned part_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> row_;  ///< index: node * kPorts + input port
  DestinationSets free_;
  DestinationSets escape_;
};

/// Packets in transit over free channels, indexed by channel. Empty after each use.
struct DeadlockCheck::Between {
  DestinationSets packets;
  ChannelWorklist changed;
};

DeadlockCheck::DeadlockCheck(const MeshTopology& topology, const RoutingTable& table,
                             bool has_escape)
    : topology_(topology), next_(std::size_t{topology.nodes()} * kPorts) {
  for (unsigned part = 0; part < table.parts() && is_free(); ++part) {
    for (auto& list : next_) list.clear();
    // Packets that have reached the intermediate router continue from any input.
    const bool from_all = part > 0 && table.goes_via();
    find_dependencies(Ways(topology, table, has_escape && table.has_escape(), part), from_all);
    find_cycle();
  }
}

/// First finds the destinations of the packets in each channel, then the channels for which they
/// wait there.
void DeadlockCheck::find_dependencies(const Ways& ways, bool from_all) {
  DestinationSets held(next_.size(), topology_.endpoints());
  find_packets(ways, from_all, held);
  Between between{DestinationSets(ways.has_escape() ? next_.size() : 0, topology_.endpoints()),
                  ChannelWorklist(next_.size())};
  for (unsigned channel = 0; channel < next_.size(); ++channel) {
    const auto port = static_cast<Port>(channel % kPorts);
    const unsigned node = topology_.neighbor(channel / kPorts, port);
    if (port == Port::kLocal || node == MeshTopology::kNone) continue;
    const Port in = opposite(port);
    check_way_on(ways, node, in, held[channel]);
    if (ways.has_escape()) {
      add_escapes(ways, channel, held[channel], between);
      continue;
    }
    for (const Port out : kLinkPorts) {
      if (!DestinationSets::meets(held[channel], ways.free(node, in, out), held.words())) continue;
      next_[channel].push_back(channel_of(node, index(out)));
    }
  }
}

/// Adds to `held` the destinations of the packets in each channel.
void DeadlockCheck::find_packets(const Ways& ways, bool from_all, DestinationSets& held) {
  ChannelWorklist changed(next_.size());
  const auto go_on = [&](unsigned node, Port in, const std::uint64_t* packets) {
    for (const Port out : kLinkPorts) {
      const unsigned channel = channel_of(node, index(out));
      bool more = held.add(channel, packets, ways.free(node, in, out));
      if (ways.has_escape()) more |= held.add(channel, packets, ways.escape(node, in, out));
      if (more) changed.push(channel);
    }
  };
  const std::vector<std::uint64_t> everywhere(held.words(), ~std::uint64_t{0});
  for (unsigned source = 0; source < topology_.endpoints(); ++source) {
    const unsigned node = topology_.router_of(source);
    if (!topology_.router_works(node)) continue;
    go_on(node, topology_.port_of(source), everywhere.data());
    check_start(ways, node, topology_.port_of(source));
  }
  for (unsigned node = 0; from_all && node < topology_.nodes(); ++node) {
    for (const Port in : kLinkPorts) go_on(node, in, everywhere.data());
  }
  changed.run([&](unsigned channel) {
    const auto port = static_cast<Port>(channel % kPorts);
    go_on(topology_.neighbor(channel / kPorts, port), opposite(port), held[channel]);
  });
}

/// A packet without any path from its source cannot arrive, which is not a deadlock.
void DeadlockCheck::check_start(const Ways& ways, unsigned node, Port in) {
  DestinationSets begun(1, topology_.endpoints());
  for (const Port out : kLinkPorts) {
    const std::uint64_t* const free = ways.free(node, in, out);
    begun.add(0, free, free);
    if (!ways.has_escape()) continue;
    const std::uint64_t* const escape = ways.escape(node, in, out);
    begun.add(0, escape, escape);
  }
  check_way_on(ways, node, in, begun[0]);
}

/// `held`: destinations of the packets at an input.
void DeadlockCheck::check_way_on(const Ways& ways, unsigned node, Port in,
                                 const std::uint64_t* held) {
  for (std::size_t word = 0; word < ways.words(); ++word) {
    std::uint64_t stuck = held[word];
    for (const Port out : kLinkPorts) {
      stuck &= ~(ways.has_escape() ? ways.escape(node, in, out) : ways.free(node, in, out))[word];
    }
    for (; stuck != 0 && dead_end_.empty(); stuck &= stuck - 1) {
      const auto to =
          static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(stuck));
      if (topology_.router_of(to) == node) continue;
      dead_end_ = "a packet to " + topology_.name_of_endpoint(to) + " has no " +
                  (ways.has_escape() ? "escape" : "way on") + " at " +
                  topology_.name_of_router(node) + " where it comes from " + name_of(in);
    }
  }
}

/// Adds the channels for which packets in a link's escape channel may wait: other escape channels,
/// directly or through free channels. An escape channel holds only packets to destinations for
/// which this link is an escape.
void DeadlockCheck::add_escapes(const Ways& ways, unsigned channel, const std::uint64_t* held,
                                Between& between) {
  const unsigned from = channel / kPorts;
  const auto link = static_cast<Port>(channel % kPorts);
  DestinationSets escaped(1, topology_.endpoints());
  for (unsigned in = 0; in < kPorts; ++in) {
    escaped.add(0, held, ways.escape(from, static_cast<Port>(in), link));
  }
  const auto go_on = [&](unsigned node, Port in, const std::uint64_t* packets) {
    for (const Port out : kLinkPorts) {
      const unsigned to = channel_of(node, index(out));
      if (between.packets.add(to, packets, ways.free(node, in, out))) between.changed.push(to);
      if (DestinationSets::meets(packets, ways.escape(node, in, out), ways.words())) {
        next_[channel].push_back(to);
      }
    }
  };
  go_on(topology_.neighbor(from, link), opposite(link), escaped[0]);
  const auto seen = between.changed.run([&](unsigned other) {
    const auto port = static_cast<Port>(other % kPorts);
    go_on(topology_.neighbor(other / kPorts, port), opposite(port), between.packets[other]);
  });
  for (const unsigned other : seen) between.packets.clear(other);
  sort_unique(next_[channel]);
}

/// Depth-first search in the order of channels.
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

/// Replaces the cycle by the shortest one through one of its channels, which is easier to
/// understand.
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
