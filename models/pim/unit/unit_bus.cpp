#include "models/pim/unit/unit_bus.h"

#include <cstring>

#include "models/support/bus_access.h"
#include "models/support/payload_rules.h"

namespace tvp::pim {

namespace unit_regs = regs::pim;

namespace {
// Assumed: registers respond like those of the small cores from which this core's timing comes.
constexpr std::uint32_t kLoadLatency = 3;
constexpr std::uint32_t kStoreLatency = 1;

constexpr std::uint64_t kMicrosecondPs = 1'000'000;
}  // namespace

UnitBus::UnitBus(const sc_core::sc_module_name& name, Wram& wram, std::uint64_t clock_mhz)
    : sc_module(name), core("core"), tasklets("tasklets"), wram_(wram), clock_mhz_(clock_mhz) {
  core.register_b_transport(this, &UnitBus::b_transport);
  core.register_get_direct_mem_ptr(this, &UnitBus::get_direct_mem_ptr);
  core.register_transport_dbg(this, &UnitBus::transport_dbg);
  tasklets.register_b_transport(this, &UnitBus::b_transport);
  tasklets.register_transport_dbg(this, &UnitBus::transport_dbg);
}

void UnitBus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  auto* const bus = payload.get_extension<support::BusAccess>();
  if (bus == nullptr) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  bus->blocked = false;
  if (payload.get_address() < unit_regs::kWramBytes) {
    access_wram(payload, *bus);
  } else {
    access_register(payload, *bus);
  }
  delay += sc_core::sc_time::from_value(bus->latency * kMicrosecondPs / clock_mhz_);
}

/// An access that the core otherwise makes through DMI.
void UnitBus::access_wram(tlm::tlm_generic_payload& payload, support::BusAccess& bus) {
  const std::uint64_t address = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length();
  if (!Wram::contains(address, bytes)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!support::wants_transfer(payload)) return;
  support::transfer(payload, wram_.bytes() + address);
  const Wram::Port port{.agent = bus.master, .now = bus.now, .order = bus.order};
  if (payload.is_write()) {
    wram_.was_written(static_cast<std::uint32_t>(address), bytes, port);
  } else {
    wram_.was_read(static_cast<std::uint32_t>(address), bytes, port);
  }
  bus.latency = payload.is_write() ? kStoreLatency : kLoadLatency;
  bus.watch = support::Watch::kL1;
  payload.set_dmi_allowed(!wram_.is_observed());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void UnitBus::access_register(tlm::tlm_generic_payload& payload, support::BusAccess& bus) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t window = (address - unit_regs::kControl) / unit_regs::kWindowBytes;
  if (address < unit_regs::kControl || window >= devices_.size() || devices_[window] == nullptr) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!support::wants_register_transfer(payload)) return;
  if (payload.get_data_length() != 4 || address % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  support::MmioAccess access{
      .write = payload.is_write(),
      .offset = static_cast<std::uint32_t>(address % unit_regs::kWindowBytes),
      .master = bus.master,
      .now = bus.now,
      .order = bus.order};
  if (access.write) std::memcpy(&access.data, payload.get_data_ptr(), 4);
  devices_[window]->access(access);
  bus.blocked = access.blocked;
  bus.watch = access.watch;
  bus.latency = access.write ? kStoreLatency : kLoadLatency;
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
  return support::grant_direct_access(payload, dmi, wram_.bytes(), unit_regs::kWramBytes,
                                      wram_.is_observed());
}

void UnitBus::set_memory_observer(support::Probe::Listener* observer) {
  wram_.observe(observer);
  core->invalidate_direct_mem_ptr(0, unit_regs::kWramBytes - 1);
}

unsigned UnitBus::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t window = (address - unit_regs::kControl) / unit_regs::kWindowBytes;
  if (address < unit_regs::kControl || window >= devices_.size() || devices_[window] == nullptr)
    return support::debug_transfer(payload, wram_.bytes(), unit_regs::kWramBytes);
  support::MmioAccess access{.offset =
                                 static_cast<std::uint32_t>(address % unit_regs::kWindowBytes)};
  if (!payload.is_read() || payload.get_data_length() != 4 || address % 4 != 0 ||
      !devices_[window]->peek(access))
    return 0;
  std::memcpy(payload.get_data_ptr(), &access.data, 4);
  return 4;
}

}  // namespace tvp::pim
