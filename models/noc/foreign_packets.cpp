#include "models/noc/foreign_packets.h"

#include <algorithm>

#include "models/noc/noc_protocol.h"

namespace tvp::noc {

using support::Cycle;

void ForeignPackets::send(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const Cycle now = block_.calendar().now() + to_cycles(delay);
  const auto* const header = payload.get_extension<NocExtension>();
  const Cycle streamed = payload.is_write() && header != nullptr && header->flits > 2
                             ? std::min<Cycle>(now, header->data_cycles())
                             : 0;
  memory.request({.command = payload.get_command(),
                  .address = address_of(payload),
                  .data = payload.get_data_ptr(),
                  .bytes = payload.get_data_length(),
                  .enables = payload.get_byte_enable_ptr(),
                  .token = &payload,
                  .first_byte = block_.time_of(now - streamed)},
                 block_.time_of(now));
}

void ForeignPackets::pass_at(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, Cycle at) {
  sc_core::sc_time delay = to_time(at - block_.calendar().now());
  pass_back(payload, phase, delay);
  block_.calendar().tile_woken(tile_);
}

void ForeignPackets::taken(void* token, const sc_core::sc_time& at) {
  pass_at(*static_cast<tlm::tlm_generic_payload*>(token), tlm::END_REQ, block_.cycle_at(at));
}

/// The sender of an annotated response knows its time in advance, as `announced_at` has it.
void ForeignPackets::answered(void* token, tlm::tlm_response_status status,
                              const sc_core::sc_time& at) {
  auto& payload = *static_cast<tlm::tlm_generic_payload*>(token);
  const Cycle done = block_.cycle_at(at);
  const Cycle now = std::max(block_.calendar().now(), block_.cycle_at(sc_core::sc_time_stamp()));
  moved(payload, now, done);
  payload.set_response_status(status);
  if (auto* const header = payload.get_extension<NocExtension>()) {
    header->announced_at = std::min(now, done);
  }
  pass_at(payload, tlm::BEGIN_RESP, done);
}

}  // namespace tvp::noc
