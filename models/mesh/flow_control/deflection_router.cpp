#include "models/mesh/flow_control/deflection_router.h"

#include <bit>

namespace tvp::mesh {

/// Compares ages; the lower packet number breaks ties. The whole network has one order, so the
/// first packet is never deflected and reaches its destination.
bool DeflectionRouter::older(unsigned a, unsigned b) const {
  const int order = order_.compare(inputs_[a], inputs_[b]);
  if (order != 0) return order < 0;
  return inputs_[a].packet != inputs_[b].packet ? inputs_[a].packet < inputs_[b].packet : a < b;
}

void DeflectionRouter::send(unsigned in, unsigned out, Outputs& outputs) {
  outputs.flit[out] = inputs_[in];
  outputs.valid |= static_cast<PortMask>(1U << out);
  valid_ &= static_cast<PortMask>(~(1U << in));
}

void DeflectionRouter::step(Outputs& outputs) {
  outputs.valid = 0;
  outputs.deflected = 0;
  // Flits from the network go first, oldest first. They always fit, since there are as many links
  // out as in.
  for (const PortMask group : {static_cast<PortMask>(valid_ & ~ports_.endpoints),
                               static_cast<PortMask>(valid_ & ports_.endpoints)}) {
    for (unsigned left = group; left != 0;) {
      const unsigned in = take_first(left, [this](unsigned a, unsigned b) { return older(a, b); });
      const unsigned wanted =
          table_->outputs(ports_.node, static_cast<Port>(in), inputs_[in].destination) &
          ~outputs.valid;
      if (wanted != 0) {
        send(in, static_cast<unsigned>(std::countr_zero(wanted)), outputs);
        continue;
      }
      // An endpoint's flit waits for a productive link.
      if ((ports_.endpoints >> in & 1) != 0) continue;
      const unsigned out =
          static_cast<unsigned>(std::countr_zero(ports_.links & ~unsigned{outputs.valid}));
      outputs.deflected |= static_cast<PortMask>(1U << out);
      send(in, out, outputs);
    }
  }
}

}  // namespace tvp::mesh
