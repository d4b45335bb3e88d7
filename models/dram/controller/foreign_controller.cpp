#include "models/dram/controller/foreign_controller.h"

#include <algorithm>

#include "models/noc/noc_protocol.h"

namespace tvp::dram {

using support::Cycle;

tlm::tlm_sync_enum ForeignController::begin(tlm::tlm_generic_payload& payload,
                                            sc_core::sc_time& delay) {
  const Cycle now = calendar_.now() + noc::to_cycles(delay);
  const auto* const header = payload.get_extension<noc::NocExtension>();
  const Cycle streamed = payload.is_write() && header != nullptr && header->flits > 2
                             ? std::min<Cycle>(now, header->data_cycles())
                             : 0;
  memory.request({.command = payload.get_command(),
                  .address = payload.get_address(),
                  .data = payload.get_data_ptr(),
                  .bytes = payload.get_data_length(),
                  .enables = payload.get_byte_enable_ptr(),
                  .token = &payload,
                  .first_byte = block_.time_of(now - streamed)},
                 block_.time_of(now));
  return tlm::TLM_ACCEPTED;
}

void ForeignController::pass_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                                  Cycle at) {
  sc_core::sc_time delay = noc::to_time(at - calendar_.now());
  port->nb_transport_bw(payload, phase, delay);
  calendar_.tile_woken(tile_);
}

void ForeignController::taken(void* token, const sc_core::sc_time& at) {
  pass_back(*static_cast<tlm::tlm_generic_payload*>(token), tlm::END_REQ, block_.cycle_at(at));
}

/// The sender of an annotated response knows its time in advance, as `announced_at` has it.
void ForeignController::answered(void* token, tlm::tlm_response_status status,
                                 const sc_core::sc_time& at) {
  auto& payload = *static_cast<tlm::tlm_generic_payload*>(token);
  const Cycle done = block_.cycle_at(at);
  const Cycle now = std::max(calendar_.now(), block_.cycle_at(sc_core::sc_time_stamp()));
  observed(payload, 0, payload.get_data_length(), {now, done});
  payload.set_response_status(status);
  if (auto* header = payload.get_extension<noc::NocExtension>())
    header->announced_at = std::min(now, done);
  pass_back(payload, tlm::BEGIN_RESP, done);
}

void ForeignController::debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  memory.debug(tlm::TLM_READ_COMMAND, address, data, static_cast<std::uint32_t>(bytes));
}

void ForeignController::debug_write(std::uint64_t address, const std::uint8_t* data,
                                    std::uint64_t bytes) {
  memory.debug(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(data),
               static_cast<std::uint32_t>(bytes));
}

}  // namespace tvp::dram
