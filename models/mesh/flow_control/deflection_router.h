#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/flow_control/bufferless_router.h"

namespace tvp::mesh {

/// A router without buffers in which every flit moves in every cycle. The oldest one goes in its
/// desired direction, the others where a port is free (Moscibroda, Mutlu: A case for bufferless
/// routing in on-chip networks, ISCA 2009). Only flits that an endpoint injects can wait.
class DeflectionRouter : public BufferlessRouter {
 public:
  using BufferlessRouter::init;

  /// Flits by output port; `deflected` marks those that did not get nearer.
  struct Outputs {
    PortMask valid = 0;
    PortMask deflected = 0;
    std::array<Flit, kPorts> flit;
  };
  void step(Outputs& outputs);

 private:
  bool older(unsigned a, unsigned b) const;
  void send(unsigned in, unsigned out, Outputs& outputs);
};

}  // namespace tvp::mesh
