#include "models/mesh/deflection_router.h"

#include <bit>

namespace tvp::mesh {

void DeflectionRouter::init(const RoutingTable& table, Arbitration arbitration, unsigned node,
                            PortMask links, PortMask endpoints) {
  table_ = &table;
  by_class_ = arbitration == Arbitration::kStrict;
  node_ = node;
  links_ = links;
  endpoints_ = endpoints;
  valid_ = 0;
}

/// Of equal ages the packet with the lower number: one order for the whole network, so that the
/// first of all is never deflected and gets home.
bool DeflectionRouter::older(unsigned a, unsigned b) const {
  const unsigned class_a = inputs_[a].traffic_class;
  const unsigned class_b = inputs_[b].traffic_class;
  if (by_class_ && class_a != class_b) return class_a > class_b;
  const auto age = static_cast<std::int32_t>(inputs_[a].age - inputs_[b].age);
  if (age != 0) return age < 0;
  return inputs_[a].packet != inputs_[b].packet ? inputs_[a].packet < inputs_[b].packet : a < b;
}

void DeflectionRouter::place(unsigned in, unsigned out, Outputs& outputs) {
  outputs.flit[out] = inputs_[in];
  outputs.valid |= static_cast<PortMask>(1U << out);
  valid_ &= static_cast<PortMask>(~(1U << in));
}

void DeflectionRouter::step(Outputs& outputs) {
  outputs.valid = 0;
  outputs.deflected = 0;
  // What is in the network goes first, oldest first; as many links lead out as lead in.
  for (const PortMask group :
       {static_cast<PortMask>(valid_ & ~endpoints_), static_cast<PortMask>(valid_ & endpoints_)}) {
    for (PortMask left = group; left != 0;) {
      auto in = static_cast<unsigned>(std::countr_zero(left));
      for (unsigned rest = left & (left - 1U); rest != 0; rest &= rest - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(rest));
        if (older(other, in)) in = other;
      }
      left &= static_cast<PortMask>(~(1U << in));
      const unsigned wanted =
          table_->outputs(node_, static_cast<Port>(in), inputs_[in].destination) & ~outputs.valid;
      if (wanted != 0) {
        place(in, static_cast<unsigned>(std::countr_zero(wanted)), outputs);
        continue;
      }
      // An endpoint's flit waits for a link that it wants.
      if ((endpoints_ >> in & 1) != 0) continue;
      const unsigned out =
          static_cast<unsigned>(std::countr_zero(links_ & ~unsigned{outputs.valid}));
      outputs.deflected |= static_cast<PortMask>(1U << out);
      place(in, out, outputs);
    }
  }
}

}  // namespace tvp::mesh
