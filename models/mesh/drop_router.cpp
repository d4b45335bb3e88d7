#include "models/mesh/drop_router.h"

#include <bit>

namespace tvp::mesh {

void DropRouter::init(const RoutingTable& table, Arbitration arbitration, unsigned node,
                      PortMask endpoints) {
  table_ = &table;
  by_class_ = arbitration == Arbitration::kStrict;
  node_ = node;
  endpoints_ = endpoints;
  valid_ = 0;
  dropping_ = 0;
  owner_.fill(kNoInput);
}

bool DropRouter::older(unsigned a, unsigned b) const {
  const unsigned class_a = inputs_[a].traffic_class;
  const unsigned class_b = inputs_[b].traffic_class;
  if (by_class_ && class_a != class_b) return class_a > class_b;
  const auto age = static_cast<std::int32_t>(inputs_[a].age - inputs_[b].age);
  return age != 0 ? age < 0 : a < b;
}

void DropRouter::send(unsigned in, unsigned out, Outputs& outputs) {
  const Flit& flit = inputs_[in];
  outputs.flit[out] = flit;
  outputs.valid |= static_cast<PortMask>(1U << out);
  valid_ &= static_cast<PortMask>(~(1U << in));
  output_of_[in] = static_cast<std::uint8_t>(out);
  owner_[out] = static_cast<std::uint8_t>(flit.tail ? kNoInput : in);
}

void DropRouter::drop(unsigned in, Outputs& outputs) {
  const Flit& flit = inputs_[in];
  outputs.dropped_flit[in] = flit;
  outputs.dropped |= static_cast<PortMask>(1U << in);
  valid_ &= static_cast<PortMask>(~(1U << in));
  const auto bit = static_cast<PortMask>(1U << in);
  dropping_ =
      flit.tail ? static_cast<PortMask>(dropping_ & ~bit) : static_cast<PortMask>(dropping_ | bit);
}

/// Packets under way go on; then heads, those of the network before those of endpoints, oldest
/// first.
void DropRouter::step(Outputs& outputs) {
  outputs.valid = 0;
  outputs.dropped = 0;
  PortMask heads = 0;
  for (unsigned bits = valid_; bits != 0; bits &= bits - 1) {
    const auto in = static_cast<unsigned>(std::countr_zero(bits));
    if (inputs_[in].head) {
      heads |= static_cast<PortMask>(1U << in);
    } else if ((dropping_ >> in & 1) != 0) {
      drop(in, outputs);
    } else {
      send(in, output_of_[in], outputs);
    }
  }
  for (const PortMask group :
       {static_cast<PortMask>(heads & ~endpoints_), static_cast<PortMask>(heads & endpoints_)}) {
    for (PortMask left = group; left != 0;) {
      auto in = static_cast<unsigned>(std::countr_zero(left));
      for (unsigned rest = left & (left - 1U); rest != 0; rest &= rest - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(rest));
        if (older(other, in)) in = other;
      }
      left &= static_cast<PortMask>(~(1U << in));
      unsigned wanted = table_->outputs(node_, static_cast<Port>(in), inputs_[in].destination) &
                        ~unsigned{outputs.valid};
      while (wanted != 0 && owner_[static_cast<unsigned>(std::countr_zero(wanted))] != kNoInput) {
        wanted &= wanted - 1;
      }
      if (wanted != 0) {
        send(in, static_cast<unsigned>(std::countr_zero(wanted)), outputs);
      } else if ((endpoints_ >> in & 1) == 0) {
        drop(in, outputs);
      }
    }
  }
}

}  // namespace tvp::mesh
