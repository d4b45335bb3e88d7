#include "models/noc/niu/niu_output.h"

namespace tvp::noc {

void NiuOutput::inject(Packet& packet, support::Cycle when) {
  NocExtension& header = packet.header();
  header.injected = when;
  header.sequence = injected_++;
  ++used_[header.first_vc()];
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = to_time(when - context_.calendar.now());
  to_network_->nb_transport_fw(packet, phase, delay);
}

unsigned NiuOutput::freed(Packet& packet) {
  const unsigned vc = packet.header().first_vc();
  --used_[vc];
  packet.release();
  return vc;
}

}  // namespace tvp::noc
