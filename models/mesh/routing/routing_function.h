#pragma once

#include "models/mesh/port.h"

namespace tvp::mesh {

/// Position of a packet's head, and the direction to its destination.
struct Hop {
  /// Larger distances in x or y are reported as this one.
  static constexpr int kFarthest = 2;
  unsigned x = 0;
  unsigned y = 0;
  Port in = Port::kLocal;  ///< input port; kLocal also for packets from a gateway
  int dx = 0;              ///< hops to go east, negative west; at most kFarthest
  int dy = 0;              ///< hops to go north, negative south; at most kFarthest
  unsigned part = 0;       ///< less than RoutingFunction::parts()
};

/// Selects the outputs that a packet may take next. A RoutingTable asks once for every router,
/// input and direction, but never for (dx, dy) = (0, 0).
class RoutingFunction {
 public:
  virtual ~RoutingFunction() = default;
  virtual PortMask outputs(const Hop& hop) const = 0;
  /// Number of parts into which it divides the virtual channels. A packet stays in its part or
  /// continues in the next one. So only the channels within each part must not form a cycle.
  virtual unsigned parts() const { return 1; }
  /// True if packets visit a random router first: in part 0 on the way there, then in part 1. If
  /// false, a packet stays in one random part.
  virtual bool goes_via() const { return false; }
  /// Outputs on virtual channel 0 over which a packet always makes progress, whatever the other
  /// channels depend on; 0 if the function has no such channel.
  virtual PortMask escape(const Hop& hop) const {
    static_cast<void>(hop);
    return 0;
  }
};

/// The outputs that bring a packet nearer.
PortMask minimal_outputs(const Hop& hop);

}  // namespace tvp::mesh
