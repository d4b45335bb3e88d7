#include "models/host/foreign_host_memory.h"

#include <algorithm>

namespace tvp::host {

using support::Cycle;

ForeignHostMemory::ForeignHostMemory(const sc_core::sc_module_name& name,
                                     support::CalendarBlock& block, Reader& reader,
                                     support::ForeignMemory::Timing timing)
    : memory(name, *this, block.base(), timing), block_(block), reader_(reader) {}

void ForeignHostMemory::read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) {
  memory.debug(tlm::TLM_READ_COMMAND, address, data, bytes);
}

void ForeignHostMemory::write(std::uint64_t address, const std::uint8_t* data,
                              std::uint32_t bytes) {
  memory.debug(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(data), bytes);
}

ForeignHostMemory::Access& ForeignHostMemory::make(std::size_t parts) {
  if (free_.empty()) {
    accesses_.push_back(std::make_unique<Access>());
    free_.push_back(accesses_.back().get());
  }
  Access& access = *free_.back();
  free_.pop_back();
  access.payload = nullptr;
  access.open = parts;
  access.at = 0;
  access.status = tlm::TLM_OK_RESPONSE;
  return access;
}

void ForeignHostMemory::read(tlm::tlm_generic_payload& payload,
                             const std::vector<OutboundIatu::Target>& parts, Cycle at,
                             Cycle transfer) {
  Access& access = make(parts.size());
  access.payload = &payload;
  access.transfer = transfer;
  std::uint8_t* data = payload.get_data_ptr();
  for (const OutboundIatu::Target& part : parts) {
    memory.request({.command = tlm::TLM_READ_COMMAND,
                    .address = part.address,
                    .data = data,
                    .bytes = part.bytes,
                    .token = &access},
                   block_.time_of(at));
    data += part.bytes;
  }
}

void ForeignHostMemory::write(const tlm::tlm_generic_payload& payload,
                              const std::vector<OutboundIatu::Target>& parts, Cycle at) {
  Access& access = make(parts.size());
  const std::uint32_t bytes = payload.get_data_length();
  access.data.assign(payload.get_data_ptr(), payload.get_data_ptr() + bytes);
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  access.enables.clear();
  for (std::uint32_t i = 0; enables != nullptr && i < bytes; ++i) {
    access.enables.push_back(enables[i % payload.get_byte_enable_length()]);
  }
  std::uint32_t from = 0;
  for (const OutboundIatu::Target& part : parts) {
    memory.request({.command = tlm::TLM_WRITE_COMMAND,
                    .address = part.address,
                    .data = access.data.data() + from,
                    .bytes = part.bytes,
                    .enables = enables == nullptr ? nullptr : access.enables.data() + from,
                    .token = &access},
                   block_.time_of(at));
    from += part.bytes;
  }
}

void ForeignHostMemory::answered(void* token, tlm::tlm_response_status status,
                                 const sc_core::sc_time& at) {
  Access& access = *static_cast<Access*>(token);
  access.at = std::max(access.at, block_.cycle_at(at));
  if (status != tlm::TLM_OK_RESPONSE) access.status = status;
  if (--access.open > 0) return;
  free_.push_back(&access);
  if (access.payload != nullptr) {
    access.payload->set_response_status(access.status);
    reader_.read_done(*access.payload, access.at, access.at + access.transfer);
  }
  // As on PCI Express, a posted write has no response that could carry an error.
}

}  // namespace tvp::host
