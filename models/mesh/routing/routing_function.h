#pragma once

#include "models/mesh/port.h"

namespace tvp::mesh {

/// Where the head of a packet is and where it wants to go.
struct Hop {
  /// A destination further away in x or y is shown as this far away.
  static constexpr int kFarthest = 2;
  unsigned x = 0;
  unsigned y = 0;
  Port in = Port::kLocal;  ///< input port; kLocal also for what comes in by a gateway
  int dx = 0;              ///< hops to go east, negative west; kFarthest for so many and more
  int dy = 0;              ///< hops to go north, negative south; the same
  unsigned part = 0;       ///< below RoutingFunction::parts()
};

/// Which outputs a packet may take next. Asked once for every router, input and direction,
/// when a RoutingTable is made; never for (dx, dy) = (0, 0).
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;
  virtual PortMask outputs(const Hop& hop) const = 0;
  /// Into how many parts it splits the virtual channels. A packet that has begun in one stays
  /// there, or goes on to the next, so that only the channels of each part must not wait in a
  /// circle.
  virtual unsigned parts() const { return 1; }
  /// Packets go by a router drawn at random: to it in part 0, from it on in part 1. Without, in one
  /// part drawn at random all the way.
  virtual bool goes_via() const { return false; }
  /// Outputs on virtual channel 0, by which a packet always gets on, however the others depend on
  /// each other; 0 when the function has no such channel.
  virtual PortMask escape(const Hop& hop) const {
    static_cast<void>(hop);
    return 0;
  }
};

/// The outputs that bring a packet nearer.
PortMask minimal_outputs(const Hop& hop);

}  // namespace tvp::mesh
