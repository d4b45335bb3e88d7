#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/flit_order.h"
#include "models/mesh/link_targets.h"
#include "models/mesh/packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// A router without buffers in which every flit moves in every cycle: the oldest one where it wants
/// to, the others where there is room (Moscibroda, Mutlu: A case for bufferless routing in on-chip
/// networks, ISCA 2009). Only what an endpoint injects can wait, until a link is left for it.
class DeflectionRouter {
 public:
  void init(const RoutingTable& table, Arbitration arbitration, const RouterPorts& ports);

  /// What stands at an input moves in the next step().
  void receive(Port port, const Flit& flit) {
    inputs_[index(port)] = flit;
    valid_ |= mask_of(port);
  }
  bool takes(Port endpoint_port) const { return (valid_ & mask_of(endpoint_port)) == 0; }
  bool idle() const { return valid_ == 0; }

  /// Flits by the port that they leave at; `deflected` are those that did not get nearer.
  struct Outputs {
    PortMask valid = 0;
    PortMask deflected = 0;
    std::array<Flit, kPorts> flit;
  };
  void step(Outputs& outputs);

 private:
  bool older(unsigned a, unsigned b) const;
  void send(unsigned in, unsigned out, Outputs& outputs);

  const RoutingTable* table_ = nullptr;
  FlitOrder order_;
  RouterPorts ports_;
  PortMask valid_ = 0;
  std::array<Flit, kPorts> inputs_;
};

}  // namespace tvp::mesh
