#pragma once

#include <cstdint>

#include "models/mesh/flow_control/vc_router.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

// Routers that are not the mesh's own, say RTL. Their registers have a clock, of which RouterClock
// gives an edge between two steps; pins are those of protocol.md.

/// Stands in for a HoldRouter. What it offers and takes changes with edges only.
class ExternalHoldRouter {
 public:
  virtual ~ExternalHoldRouter() = default;
  virtual PortMask valid() const = 0;
  virtual PortMask ready() const = 0;
  virtual const Flit& output(Port port) const = 0;
  /// The flit at a valid output leaves with the next edge.
  virtual void take(Port port) = 0;
  /// A flit enters by a ready input with the next edge.
  virtual void receive(Port port, const Flit& flit) = 0;
  /// Nothing is inside, and nothing waits for an edge.
  virtual bool idle() const = 0;
};

/// Stands in for a VcRouter. What it sees in a cycle enters with an edge; what leaves it in that
/// cycle is known behind the edge.
class ExternalVcRouter {
 public:
  virtual ~ExternalVcRouter() = default;
  virtual void receive(Port in, const Flit& flit) = 0;
  virtual void credit(Port out, unsigned vc) = 0;
  virtual const VcRouter::Outputs& outputs() const = 0;
  virtual bool idle() const = 0;
};

/// Receives the call after a clock edge.
class EdgeListener {
 public:
  virtual ~EdgeListener() = default;
  /// Outside of the calendar's steps, after that of cycle `cycle` and before any later one.
  virtual void edge_done(support::Cycle cycle) = 0;
};

/// The constant inputs of a router.
struct Straps {
  unsigned node = 0;
  PortMask endpoints = 0;  ///< outputs that always take a flit
};

/// The provider of external routers and of their clock. The owner of such a mesh's calendar must
/// let SystemC run between two cycles.
class RouterClock {
 public:
  virtual ~RouterClock() = default;
  /// This router of the mesh is an external one.
  virtual bool has(unsigned node) const = 0;
  /// A network that takes the place of an earlier one gets the same router again.
  virtual ExternalHoldRouter& hold_router(unsigned node) = 0;
  virtual ExternalVcRouter& vc_router(unsigned node) = 0;
  /// The router is empty from this cycle on, before it gets anything. `table`: what it routes by,
  /// or null for the function that the mesh began with.
  virtual void reset(const Straps& straps, const RoutingTable* table) = 0;
  /// The router gets one edge, and the listener a call behind the last one of this cycle.
  virtual void request_edge(unsigned node, EdgeListener& listener, support::Cycle cycle) = 0;
};

}  // namespace tvp::mesh
