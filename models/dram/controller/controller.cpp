#include "models/dram/controller/controller.h"

#include <algorithm>

#include "models/dram/payload_bytes.h"
#include "models/noc/noc_protocol.h"
#include "models/support/payload_rules.h"

namespace tvp::dram {

tlm::tlm_sync_enum Controller::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  // For the controller, a transfer that gets END_RESP is already over.
  if (phase != tlm::BEGIN_REQ || !wants(payload)) return tlm::TLM_COMPLETED;
  ++(payload.is_write() ? stats_.writes : stats_.reads);
  return begin(payload, delay);
}

bool Controller::wants(tlm::tlm_generic_payload& payload) {
  const std::uint64_t bytes = payload.get_data_length();
  if (payload.get_address() >= storage_.bytes() ||
      bytes > storage_.bytes() - payload.get_address()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  return support::wants_transfer(payload);
}

void Controller::move(tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
                      const Moment& moment) {
  observed(payload, offset, bytes, moment);
  move_bytes(payload, offset, bytes, storage_, payload.get_address() + offset);
}

/// Reports an access to observers, with the NoC of the tile's NIU and the sender of the packet.
void Controller::report(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                        std::uint32_t bytes, const Moment& moment) {
  const auto* const header = payload.get_extension<noc::NocExtension>();
  support::ProbeEvent access{.kind = support::ProbeEvent::kind_of(payload.is_write()),
                             .memory = support::MemoryKind::kDram,
                             .cycle = moment.now,
                             .done = std::max(moment.now, moment.done)};
  if (header != nullptr) {
    access.agent =
        header->memory_port % 2 == 0 ? support::BusMaster::kNoc0 : support::BusMaster::kNoc1;
  }
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  const auto enabled = [&](std::uint32_t at) {
    return enables == nullptr || enables[at % payload.get_byte_enable_length()] != 0;
  };
  for (std::uint32_t at = offset; at < offset + bytes;) {
    std::uint32_t end = at;
    while (end < offset + bytes && enabled(end)) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    access.address = payload.get_address() + at;
    access.bytes = end - at;
    observer_->on(access);
    at = end;
  }
}

void Controller::report_debug(std::uint64_t address, std::uint64_t bytes, bool write) {
  const support::Cycle now = calendar_.now();
  observer_->on({.kind = support::ProbeEvent::kind_of(write),
                 .agent = support::BusMaster::kDebug,
                 .memory = support::MemoryKind::kDram,
                 .bytes = static_cast<std::uint32_t>(bytes),
                 .address = address,
                 .cycle = now,
                 .done = now});
}

void Controller::debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  if (observer_ != nullptr) report_debug(address, bytes, false);
  storage_.read(address, data, bytes);
}

void Controller::debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes) {
  if (observer_ != nullptr) report_debug(address, bytes, true);
  storage_.write(address, data, bytes);
}

unsigned Controller::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (address >= storage_.bytes() || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const auto bytes = static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), storage_.bytes() - address));
  if (payload.is_write()) {
    debug_write(address, payload.get_data_ptr(), bytes);
  } else {
    debug_read(address, payload.get_data_ptr(), bytes);
  }
  return bytes;
}

}  // namespace tvp::dram
