#include "models/mesh/flow_control/drop_router.h"

#include <bit>

namespace tvp::mesh {

void DropRouter::init(const RoutingTable& table, Arbitration arbitration,
                      const RouterPorts& ports) {
  BufferlessRouter::init(table, arbitration, ports);
  dropping_ = 0;
  owner_.fill(kNoInput);
}

bool DropRouter::older(unsigned a, unsigned b) const {
  const int order = order_.compare(inputs_[a], inputs_[b]);
  return order != 0 ? order < 0 : a < b;
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

/// Packets in progress go first, then heads: those from the network before those of endpoints,
/// oldest first.
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
  for (const PortMask group : {static_cast<PortMask>(heads & ~ports_.endpoints),
                               static_cast<PortMask>(heads & ports_.endpoints)}) {
    for (unsigned left = group; left != 0;) {
      const unsigned in = take_first(left, [this](unsigned a, unsigned b) { return older(a, b); });
      unsigned wanted =
          table_->outputs(ports_.node, static_cast<Port>(in), inputs_[in].destination) &
          ~unsigned{outputs.valid};
      while (wanted != 0 && owner_[static_cast<unsigned>(std::countr_zero(wanted))] != kNoInput) {
        wanted &= wanted - 1;
      }
      if (wanted != 0) {
        send(in, static_cast<unsigned>(std::countr_zero(wanted)), outputs);
      } else if ((ports_.endpoints >> in & 1) == 0) {
        drop(in, outputs);
      }
    }
  }
}

}  // namespace tvp::mesh
