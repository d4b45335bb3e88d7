#pragma once

#include <array>

#include "models/mesh/flow_control/flit_order.h"
#include "models/mesh/link_targets.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// Base of routers without buffers. Each input holds at most one flit, which moves in the next
/// step. Only flits that an endpoint injects can wait.
class BufferlessRouter {
 public:
  void receive(Port port, const Flit& flit) {
    inputs_[index(port)] = flit;
    valid_ |= mask_of(port);
  }
  bool takes(Port endpoint_port) const { return (valid_ & mask_of(endpoint_port)) == 0; }
  bool idle() const { return valid_ == 0; }

 protected:
  void init(const RoutingTable& table, Arbitration arbitration, const RouterPorts& ports) {
    table_ = &table;
    order_ = FlitOrder(arbitration);
    ports_ = ports;
    valid_ = 0;
  }

  const RoutingTable* table_ = nullptr;
  FlitOrder order_;
  RouterPorts ports_;
  PortMask valid_ = 0;
  std::array<Flit, kPorts> inputs_;
};

}  // namespace tvp::mesh
