#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/flow_control/bufferless_router.h"

namespace tvp::mesh {

/// A router without buffers that drops a packet whose output is taken (like SCARAB: Hayenga,
/// Jerger, Lipasti, MICRO 2009). Every flit at an input leaves in the next cycle or is dropped.
/// Only flits that an endpoint injects can wait.
class DropRouter : public BufferlessRouter {
 public:
  void init(const RoutingTable& table, Arbitration arbitration, const RouterPorts& ports);

  struct Outputs {
    PortMask valid = 0;    ///< bit for each output
    PortMask dropped = 0;  ///< bit for each input
    std::array<Flit, kPorts> flit;
    std::array<Flit, kPorts> dropped_flit;
  };
  void step(Outputs& outputs);

 private:
  static constexpr unsigned kNoInput = kPorts;
  bool older(unsigned a, unsigned b) const;
  void send(unsigned in, unsigned out, Outputs& outputs);
  void drop(unsigned in, Outputs& outputs);

  PortMask dropping_ = 0;  ///< inputs that receive the rest of a dropped packet
  /// Output of the packet at each input, set by its head.
  std::array<std::uint8_t, kPorts> output_of_{};
  std::array<std::uint8_t, kPorts> owner_{};  ///< input whose packet each output sends
};

}  // namespace tvp::mesh
