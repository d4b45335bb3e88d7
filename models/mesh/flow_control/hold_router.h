#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/flow_control/flit_order.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// A router that can hold one flit at each input and one at each output, with valid and ready
/// signals between routers. protocol.md gives its protocol cycle by cycle.
///
/// A cycle begins with arbitrate(). Then `valid()` and `ready()` describe the router's outputs and
/// inputs, both from its own registers only. A flit that is valid on one side of a link and ready
/// on the other moves, with take() and receive().
class HoldRouter {
 public:
  void init(const RoutingTable& table, Arbitration arbitration, unsigned node);

  void arbitrate();
  PortMask valid() const { return output_valid_; }
  PortMask ready() const { return static_cast<PortMask>(~input_valid_); }
  const Flit& output(Port port) const { return outputs_[index(port)]; }
  /// True for a head that had to wait here.
  static bool was_blocked(const Flit& flit, support::Cycle now) {
    return flit.head && !flit.came_at(now);
  }
  Flit take(Port port) {
    output_valid_ &= static_cast<PortMask>(~mask_of(port));
    return outputs_[index(port)];
  }
  /// `now` is the first cycle in which the flit can leave.
  void receive(Port port, const Flit& flit, support::Cycle now) {
    inputs_[index(port)] = flit;
    inputs_[index(port)].set_arrived(now);
    input_valid_ |= mask_of(port);
  }
  bool idle() const { return (input_valid_ | output_valid_) == 0; }

 private:
  static constexpr unsigned kNoInput = kPorts;
  bool choose_output(unsigned in, unsigned& out) const;

  const RoutingTable* table_ = nullptr;
  FlitOrder order_;
  unsigned node_ = 0;
  PortMask input_valid_ = 0;
  PortMask output_valid_ = 0;
  std::array<Flit, kPorts> inputs_;
  std::array<Flit, kPorts> outputs_;
  /// Output of the packet at each input, set by its head.
  std::array<std::uint8_t, kPorts> output_of_{};
  std::array<std::uint8_t, kPorts> owner_{};  ///< input whose packet each output sends
};

}  // namespace tvp::mesh
