#include "models/rtl/rtl_hold_router.h"

#include <bit>

namespace tvp::rtl {

RtlHoldRouter::RtlHoldRouter(const Module& module, const std::string& name,
                             const mesh::MeshTopology& topology)
    : RtlRouter(module, name, topology) {
  add_row({"in_ready", mesh::kPorts}, pins_.in_ready);
  add_row({"out_ready", mesh::kPorts}, pins_.out_ready);
}

void RtlHoldRouter::clear_inputs() {
  RtlRouter::clear_inputs();
  pins_.out_ready = 0;
}

void RtlHoldRouter::sample() {
  for (unsigned bits = pins_.out_valid; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<mesh::Port>(std::countr_zero(bits));
    outputs_[mesh::index(port)] = flit_at(port);
  }
}

}  // namespace tvp::rtl
