#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_function.h"

namespace tvp::mesh {

/// Outputs by router, input port and destination, computed once.
///
/// The answer of a routing function depends on distances only up to Hop::kFarthest. A router
/// therefore has few different answers, and most routers have the same ones. Each set is stored
/// once. It takes a few hundred bytes, where outputs by destination would take 84 MB for 64 x 64
/// routers. A table that set() has changed stores outputs by destination.
class RoutingTable {
 public:
  RoutingTable(const MeshTopology& topology, const RoutingFunction& routing);
  /// An empty table, to be filled with set().
  explicit RoutingTable(const MeshTopology& topology);

  /// At the destination's router this is the port of the destination.
  PortMask outputs(unsigned node, Port in, unsigned destination, unsigned part = 0) const {
    if (!by_destination_.empty()) {
      return static_cast<PortMask>(by_destination_[at(node, in, destination)] & working_[node]);
    }
    const Place& here = places_[node];
    const Place& there = places_[destination];
    const PortMask all = here.x == there.x && here.y == there.y
                             ? there.port
                             : answers_[number_of(node, in, part)].outputs[direction(here, there)];
    return static_cast<PortMask>(all & working_[node]);
  }
  PortMask escape(unsigned node, Port in, unsigned destination) const {
    if (!has_escape_) return 0;
    const std::size_t to = direction(places_[node], places_[destination]);
    return static_cast<PortMask>(answers_[number_of(node, in)].escape[to] & working_[node]);
  }
  bool has_escape() const { return has_escape_; }
  /// See RoutingFunction.
  unsigned parts() const { return parts_; }
  bool goes_via() const { return goes_via_; }
  void set(unsigned node, Port in, unsigned destination, PortMask outputs) {
    if (by_destination_.empty()) expand();
    by_destination_[at(node, in, destination)] = outputs;
  }
  /// Removes all other outputs of a router.
  void restrict(unsigned node, PortMask outputs) { working_[node] &= outputs; }
  /// True if two input ports of a router have the same routes.
  bool is_same(unsigned node, Port a, Port b, unsigned part = 0) const {
    return by_destination_.empty() && number_of(node, a, part) == number_of(node, b, part);
  }

 private:
  static constexpr int kSpan = 2 * Hop::kFarthest + 1;
  static constexpr std::size_t kDirections = kSpan * kSpan;
  struct Place {
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    PortMask port = 0;
  };
  /// Answers for a router and input port, by the direction of the destination.
  struct Answers {
    std::array<PortMask, kDirections> outputs{};
    std::array<PortMask, kDirections> escape{};
    bool operator==(const Answers&) const = default;
  };

  static int clamp(int hops) { return std::clamp(hops, -Hop::kFarthest, Hop::kFarthest); }
  static std::size_t direction(int dx, int dy) {
    const int number = (clamp(dy) + Hop::kFarthest) * kSpan + clamp(dx) + Hop::kFarthest;
    return static_cast<std::size_t>(number);
  }
  static std::size_t direction(const Place& from, const Place& to) {
    return direction(int{to.x} - int{from.x}, int{to.y} - int{from.y});
  }
  std::size_t number_of(unsigned node, Port in, unsigned part = 0) const {
    return number_[(part * working_.size() + node) * kPorts + index(in)];
  }
  std::size_t at(unsigned node, Port in, unsigned destination) const {
    return (std::size_t{node} * kPorts + index(in)) * places_.size() + destination;
  }
  void ask(const MeshTopology& topology, const RoutingFunction& routing, unsigned part,
           unsigned node, Port in);
  std::uint16_t keep(const Answers& answers);
  void expand();

  std::vector<Place> places_;          ///< places of the endpoints, nodes first
  std::vector<PortMask> working_;      ///< outputs in service, by node
  std::vector<std::uint16_t> number_;  ///< number of the answers, by part, node and input port
  std::vector<Answers> answers_;
  bool has_escape_ = false;
  unsigned parts_ = 1;
  bool goes_via_ = false;
  std::vector<PortMask> by_destination_;  ///< see at(); empty before set()
};

/// The links (node * kPorts + output port) on the route of a packet, in order, including the output
/// port of the last router. If the table leaves a choice, the first output is used.
void find_route(const MeshTopology& topology, const RoutingTable& table, unsigned source,
                unsigned destination, std::vector<std::uint32_t>& links);

}  // namespace tvp::mesh
