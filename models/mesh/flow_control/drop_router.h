#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/flow_control/bufferless_router.h"

namespace tvp::mesh {

/// A router without buffers that drops a packet whose output another one has (as SCARAB does:
/// Hayenga, Jerger, Lipasti, MICRO 2009). Every flit at an input leaves in the next cycle or is
/// dropped; only what an endpoint injects can wait.
class DropRouter : public BufferlessRouter {
 public:
  void init(const RoutingTable& table, Arbitration arbitration, const RouterPorts& ports);

  struct Outputs {
    PortMask valid = 0;    ///< by output
    PortMask dropped = 0;  ///< by input
    std::array<Flit, kPorts> flit;
    std::array<Flit, kPorts> dropped_flit;
  };
  void step(Outputs& outputs);

 private:
  static constexpr unsigned kNoInput = kPorts;
  bool older(unsigned a, unsigned b) const;
  void send(unsigned in, unsigned out, Outputs& outputs);
  void drop(unsigned in, Outputs& outputs);

  PortMask dropping_ = 0;  ///< inputs at which the rest of a dropped packet comes in
  std::array<std::uint8_t, kPorts> output_of_{};  ///< of the packet at an input, after its head
  std::array<std::uint8_t, kPorts> owner_{};      ///< input whose packet an output is sending
};

}  // namespace tvp::mesh
