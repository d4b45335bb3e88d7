#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/flow_control/bufferless_router.h"

namespace tvp::mesh {

/// A router without buffers in which every flit moves in every cycle: the oldest one where it wants
/// to, the others where there is room (Moscibroda, Mutlu: A case for bufferless routing in on-chip
/// networks, ISCA 2009). Only what an endpoint injects can wait, until a link is left for it.
class DeflectionRouter : public BufferlessRouter {
 public:
  using BufferlessRouter::init;

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
};

}  // namespace tvp::mesh
