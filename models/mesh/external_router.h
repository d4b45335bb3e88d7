#pragma once

#include <cstdint>

#include "models/mesh/flow_control/vc_router.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

// Routers outside of the mesh model, for example RTL. Their registers have a clock, and RouterClock
// gives an edge in each step. The pins are those of protocol.md. `payload` is that of FlitPayloads.

/// Replaces a HoldRouter. Its outputs change with clock edges only.
class ExternalHoldRouter {
 public:
  virtual ~ExternalHoldRouter() = default;
  virtual PortMask valid() const = 0;
  virtual PortMask ready() const = 0;
  virtual const Flit& output(Port port) const = 0;
  virtual std::uint64_t payload(Port port) const = 0;
  /// The flit at a valid output leaves at the next edge.
  virtual void take(Port port) = 0;
  /// A flit enters through a ready input at the next edge.
  virtual void receive(Port port, const Flit& flit, std::uint64_t payload) = 0;
};

/// Replaces a VcRouter. Its inputs of a cycle enter at the edge; its outputs of that cycle are
/// known after the edge.
class ExternalVcRouter {
 public:
  virtual ~ExternalVcRouter() = default;
  virtual void receive(Port in, const Flit& flit, std::uint64_t payload) = 0;
  virtual void credit(Port out, unsigned vc) = 0;
  /// Without `heads_blocked` and the flits' times of arrival.
  virtual const VcRouter::Outputs& outputs() const = 0;
  virtual std::uint64_t payload(Port out) const = 0;
};

/// The constant inputs of a router.
struct Straps {
  unsigned node = 0;
  PortMask endpoints = 0;  ///< outputs that always accept a flit
};

/// Provides external routers and their clock.
class RouterClock {
 public:
  virtual ~RouterClock() = default;
  /// True if the router of this node is external.
  virtual bool has(unsigned node) const = 0;
  /// A network that replaces an earlier one gets the same router again.
  virtual ExternalHoldRouter& hold_router(unsigned node) = 0;
  virtual ExternalVcRouter& vc_router(unsigned node) = 0;
  /// Empties the router at the current cycle, before it gets any input. `table` is its new routing
  /// table; null keeps the initial routing function.
  virtual void reset(const Straps& straps, const RoutingTable* table) = 0;
  /// Gives the router an edge. It already has its inputs of this cycle.
  virtual void clock(unsigned node, support::Cycle cycle) = 0;
};

}  // namespace tvp::mesh
