#include "models/tensix/tile/device_window.h"

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::tensix {

using support::BusMaster;
using support::MmioAccess;
using support::Watch;

namespace {

/// Each core has a group of its own, so that only its own response wakes it.
Watch response_to(unsigned core) {
  return static_cast<Watch>(static_cast<unsigned>(Watch::kDeviceB) + core);
}

}  // namespace

DeviceWindow::DeviceWindow(const sc_core::sc_module_name& name, support::CalendarBlock& block,
                           unsigned tile, support::WatchHub& watch_hub)
    : devices(name, *this, block.base(), support::ForeignMemory::Timing::kLoose),
      block_(block),
      tile_(tile),
      watch_hub_(watch_hub) {}

void DeviceWindow::check(const std::string& key, std::uint32_t base, std::uint32_t bytes) {
  if (base % 4 == 0 && bytes % 4 == 0 && bytes != 0 && base >= kFirst && base < kEnd &&
      bytes <= kEnd - base)
    return;
  using foundation::hex;
  throw foundation::Fault(foundation::FaultKind::kDescription, key,
                          hex(bytes) + " bytes from " + hex(base) +
                              ": expected whole words within [" + hex(kFirst) + ", " + hex(kEnd) +
                              ")");
}

void DeviceWindow::access(MmioAccess& access) {
  if (access.master == BusMaster::kDebug) return access_debug(access);
  const auto core = static_cast<unsigned>(access.master);
  if (core >= kCores) {
    access.unmapped = true;
    return;
  }
  Request& request = requests_[core];
  if (request.state == State::kAnswered) {
    request.state = State::kNone;
    access.unmapped = request.status != tlm::TLM_OK_RESPONSE;
    access.refusal = request.status;
    if (!access.write) access.data = request.data;
    return;
  }
  access.blocked = true;
  access.watch = response_to(core);
  if (request.state != State::kNone) return;
  request.state = State::kSent;
  request.data = access.data;
  devices.request({.command = access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                   .address = access.offset,
                   .data = reinterpret_cast<std::uint8_t*>(&request.data),
                   .bytes = sizeof request.data,
                   .token = &request},
                  block_.time_of(access.now));
}

void DeviceWindow::access_debug(MmioAccess& access) {
  access.unmapped = devices.debug(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                  access.offset, reinterpret_cast<std::uint8_t*>(&access.data),
                                  sizeof access.data) != sizeof access.data;
}

void DeviceWindow::answered(void* token, tlm::tlm_response_status status,
                            const sc_core::sc_time& at) {
  Request& request = *static_cast<Request*>(token);
  request.state = request.state == State::kAbandoned ? State::kNone : State::kAnswered;
  request.status = status;
  const auto core = static_cast<unsigned>(&request - requests_.data());
  watch_hub_.changed(response_to(core), block_.cycle_at(at), 0);
  block_.calendar().tile_woken(tile_);
}

void DeviceWindow::abandon(BusMaster core) {
  Request& request = requests_[static_cast<unsigned>(core)];
  if (request.state == State::kSent) request.state = State::kAbandoned;
  if (request.state == State::kAnswered) request.state = State::kNone;
}

}  // namespace tvp::tensix
