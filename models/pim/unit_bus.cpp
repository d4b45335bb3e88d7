#include "models/pim/unit_bus.h"

#include <cstring>

#include "models/support/bus_access.h"

namespace tvp::pim {

namespace regs = tvp::regs::pim;

namespace {
// Assumed: registers answer like those of the small cores that this core's timing is taken from.
constexpr std::uint32_t kLoadLatency = 3;
constexpr std::uint32_t kStoreLatency = 1;
}  // namespace

UnitBus::UnitBus(const sc_core::sc_module_name& name, Wram& wram)
    : sc_module(name), core("core"), wram_(wram) {
  core.register_b_transport(this, &UnitBus::b_transport);
  core.register_get_direct_mem_ptr(this, &UnitBus::get_direct_mem_ptr);
  core.register_transport_dbg(this, &UnitBus::transport_dbg);
}

void UnitBus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  auto* const bus = payload.get_extension<support::BusAccess>();
  const std::uint64_t address = payload.get_address();
  const std::uint64_t window = (address - regs::kControl) / regs::kWindowBytes;
  if (bus == nullptr || address < regs::kControl || window >= devices_.size() ||
      devices_[window] == nullptr) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.get_data_length() != 4 || address % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  support::MmioAccess access{.write = payload.is_write(),
                             .offset = static_cast<std::uint32_t>(address % regs::kWindowBytes),
                             .master = bus->master,
                             .now = bus->now,
                             .order = bus->order};
  if (access.write) std::memcpy(&access.data, payload.get_data_ptr(), 4);
  devices_[window]->access(access);
  bus->blocked = access.blocked;
  bus->watch = access.watch;
  bus->latency = access.write ? kStoreLatency : kLoadLatency;
  if (access.unmapped) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (access.blocked) {
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return;
  }
  if (!access.write) std::memcpy(payload.get_data_ptr(), &access.data, 4);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool UnitBus::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  if (!Wram::contains(payload.get_address(), 1)) return false;
  dmi.set_dmi_ptr(wram_.bytes());
  dmi.set_start_address(0);
  dmi.set_end_address(regs::kWramBytes - 1);
  dmi.allow_read_write();
  return true;
}

unsigned UnitBus::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint32_t bytes = payload.get_data_length();
  if (!Wram::contains(payload.get_address(), bytes)) return 0;
  std::uint8_t* const memory = wram_.bytes() + payload.get_address();
  if (payload.is_write()) {
    std::memcpy(memory, payload.get_data_ptr(), bytes);
  } else {
    std::memcpy(payload.get_data_ptr(), memory, bytes);
  }
  return bytes;
}

}  // namespace tvp::pim
