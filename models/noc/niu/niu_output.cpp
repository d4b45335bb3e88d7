#include "models/noc/niu/niu_output.h"

#include <algorithm>

namespace tvp::noc {

namespace {

/// Seeds that differ for all NIUs of a system.
std::uint64_t seed_of(const NiuContext& context) {
  std::uint64_t seed = context.config.jitter_seed;
  for (const char c : context.place.where)
    seed = foundation::Random(seed + static_cast<unsigned char>(c)).next();
  return seed;
}

}  // namespace

NiuOutput::NiuOutput(const NiuContext& context, NiuToNetworkSocket& to_network)
    : context_(context),
      to_network_(to_network),
      pool_(context.place.grid.map().max_packet_bytes),
      delays_(seed_of(context)) {}

support::Cycle NiuOutput::delayed(support::Cycle when, std::uint32_t flits) {
  when = std::max(when + delays_.below(std::uint64_t{context_.config.jitter} + 1), link_free_);
  link_free_ = when + flits;
  return when;
}

void NiuOutput::inject(Packet& packet, support::Cycle when) {
  NocExtension& header = packet.header();
  if (context_.config.jitter != 0) [[unlikely]]
    when = delayed(when, header.flits);
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
