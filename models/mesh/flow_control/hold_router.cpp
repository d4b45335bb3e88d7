#include "models/mesh/flow_control/hold_router.h"

#include <bit>

namespace tvp::mesh {

void HoldRouter::init(const RoutingTable& table, Arbitration arbitration, unsigned node) {
  table_ = &table;
  order_ = FlitOrder(arbitration);
  node_ = node;
  input_valid_ = 0;
  output_valid_ = 0;
  owner_.fill(kNoInput);
}

/// A body flit follows its head. A head takes the first allowed output, in port order, that is not
/// inside a packet.
bool HoldRouter::choose_output(unsigned in, unsigned& out) const {
  const Flit& flit = inputs_[in];
  if (!flit.head) {
    out = output_of_[in];
    return (output_valid_ >> out & 1) == 0;
  }
  unsigned allowed = table_->outputs(node_, static_cast<Port>(in), flit.destination);
  for (allowed &= ~unsigned{output_valid_}; allowed != 0; allowed &= allowed - 1) {
    out = static_cast<unsigned>(std::countr_zero(allowed));
    if (owner_[out] == kNoInput) return true;
  }
  return false;
}

/// Each free output takes the oldest flit that requests it; ties go to the first input in port
/// order.
void HoldRouter::arbitrate() {
  std::array<std::uint8_t, kPorts> winner;
  unsigned requested = 0;
  for (unsigned bits = input_valid_; bits != 0; bits &= bits - 1) {
    const auto in = static_cast<unsigned>(std::countr_zero(bits));
    unsigned out = 0;
    if (!choose_output(in, out)) continue;
    const bool first = (requested >> out & 1) == 0;
    if (first || order_.compare(inputs_[in], inputs_[winner[out]]) < 0) {
      winner[out] = static_cast<std::uint8_t>(in);
    }
    requested |= 1U << out;
  }
  for (; requested != 0; requested &= requested - 1) {
    const auto out = static_cast<unsigned>(std::countr_zero(requested));
    const unsigned in = winner[out];
    const Flit& flit = inputs_[in];
    outputs_[out] = flit;
    output_valid_ |= static_cast<PortMask>(1U << out);
    input_valid_ &= static_cast<PortMask>(~(1U << in));
    output_of_[in] = static_cast<std::uint8_t>(out);
    owner_[out] = static_cast<std::uint8_t>(flit.tail ? kNoInput : in);
  }
}

}  // namespace tvp::mesh
