#include "models/rtl/rtl_vc_router.h"

#include <bit>
#include <string>

namespace tvp::rtl {

using mesh::Port;

RtlVcRouter::RtlVcRouter(const Module& module, const std::string& name,
                         const mesh::MeshTopology& topology)
    : RtlRouter(module, name, topology) {
  add_row({"credit_in", mesh::kPorts}, pins_.credit_in);
  add_row({"credit_out", mesh::kPorts}, pins_.credit_out);
  for (unsigned p = 0; p < mesh::kPorts; ++p) {
    const std::string port = mesh::name_of(static_cast<Port>(p));
    add_row({"credit_in_vc_" + port, 3}, pins_.credit_in_vc[p]);
    add_row({"credit_out_vc_" + port, 3}, pins_.credit_out_vc[p]);
  }
}

void RtlVcRouter::credit(Port out, unsigned vc) {
  pins_.credit_in |= mesh::mask_of(out);
  pins_.credit_in_vc[mesh::index(out)] = static_cast<std::uint8_t>(vc);
}

void RtlVcRouter::clear_inputs() {
  RtlRouter::clear_inputs();
  pins_.credit_in = 0;
}

void RtlVcRouter::sample() {
  outputs_.flits = pins_.out_valid;
  outputs_.credits = pins_.credit_out;
  outputs_.credit_vc = pins_.credit_out_vc;
  for (unsigned bits = outputs_.flits; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    outputs_.flit[mesh::index(port)] = flit_at(port);
  }
}

}  // namespace tvp::rtl
