#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/pim/unit/wram.h"
#include "models/support/mmio.h"
#include "models/support/probe.h"

namespace tvp::pim {

/// Decodes the accesses of a unit's core: WRAM, which it reaches through DMI, or a window of
/// registers, which accept aligned accesses of 32 bits.
class UnitBus : public sc_core::sc_module {
 public:
  /// In the order of their addresses (foundation/regs/pim.h).
  enum class Window : std::uint8_t { kControl, kDma, kStop, kBarrier, kCount };

  tlm_utils::passthrough_target_socket<UnitBus> core;
  /// The same for the core with tasklets, in units that have one.
  tlm_utils::passthrough_target_socket_optional<UnitBus> tasklets;

  UnitBus(const sc_core::sc_module_name& name, Wram& wram, std::uint64_t clock_mhz);

  void map(Window window, support::MmioDevice& device) {
    devices_[static_cast<unsigned>(window)] = &device;
  }

  /// Sets the observer of every access to WRAM; null: none. Takes the direct pointer of the core
  /// back.
  void set_memory_observer(support::Probe::Listener* observer);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void access_wram(tlm::tlm_generic_payload& payload, support::BusAccess& bus);
  void access_register(tlm::tlm_generic_payload& payload, support::BusAccess& bus);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  Wram& wram_;
  std::uint64_t clock_mhz_;
  std::array<support::MmioDevice*, static_cast<unsigned>(Window::kCount)> devices_{};
};

}  // namespace tvp::pim
