#pragma once

#include <bit>
#include <cstdint>

#include "models/mesh/flow_control/arbitration.h"
#include "models/mesh/mesh_packet.h"

namespace tvp::mesh {

/// Priority in routers without virtual channels: the oldest packet first, or the oldest of the most
/// urgent traffic class.
class FlitOrder {
 public:
  FlitOrder() = default;
  explicit FlitOrder(Arbitration arbitration) : by_class_(arbitration == Arbitration::kStrict) {}

  /// Below 0: a goes first. Above 0: b goes first. 0: undecided.
  int compare(const Flit& a, const Flit& b) const {
    if (by_class_ && a.traffic_class != b.traffic_class) {
      return a.traffic_class > b.traffic_class ? -1 : 1;
    }
    return static_cast<std::int32_t>(a.age - b.age);
  }

 private:
  bool by_class_ = false;
};

/// Removes and returns the port of a non-empty set that `before` orders first.
template <typename Before>
unsigned take_first(unsigned& ports, const Before& before) {
  auto first = static_cast<unsigned>(std::countr_zero(ports));
  for (unsigned rest = ports & (ports - 1); rest != 0; rest &= rest - 1) {
    const auto other = static_cast<unsigned>(std::countr_zero(rest));
    if (before(other, first)) first = other;
  }
  ports &= ~(1U << first);
  return first;
}

}  // namespace tvp::mesh
