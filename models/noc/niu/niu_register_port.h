#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <tlm>

#include "models/noc/niu/niu.h"
#include "models/support/bus_access.h"

namespace tvp::noc {

/// A tile's access to the registers of one of its NIUs.
class NiuRegisterPort {
 public:
  static constexpr std::uint64_t kBytes = 0x10000;
  /// Addresses of the local address space that belong to the NIU which serves the request.
  static bool holds(std::uint64_t address) { return address >> 32 == 0xF; }

  NiuRegisterPort(const char* name, Niu& niu) : socket_(name) { socket_.bind(niu.regs); }

  /// Executes `payload` at `offset` of the window; sets its response.
  void access(tlm::tlm_generic_payload& payload, std::uint64_t offset, support::BusAccess& bus,
              sc_core::sc_time& delay) {
    tlm::tlm_generic_payload request;
    request.set_command(payload.get_command());
    request.set_address(offset);
    request.set_data_ptr(payload.get_data_ptr());
    request.set_data_length(payload.get_data_length());
    request.set_streaming_width(payload.get_streaming_width());
    request.set_byte_enable_ptr(payload.get_byte_enable_ptr());
    request.set_byte_enable_length(payload.get_byte_enable_length());
    request.set_extension(&bus);
    socket_->b_transport(request, delay);
    request.clear_extension(&bus);
    payload.set_response_status(request.get_response_status());
  }
  /// The same for a request through the NIU `from`, `delay` after `base`.
  tlm::tlm_sync_enum serve(tlm::tlm_generic_payload& payload, std::uint64_t offset, const Niu& from,
                           support::Cycle base, sc_core::sc_time& delay) {
    support::BusAccess bus;
    bus.now = base + to_cycles(delay);
    bus.master = from.place().noc == 0 ? support::BusMaster::kNoc0 : support::BusMaster::kNoc1;
    bus.order = static_cast<std::uint8_t>(from.order());
    access(payload, offset, bus, delay);
    return tlm::TLM_COMPLETED;
  }

 private:
  tlm_utils::simple_initiator_socket<NiuRegisterPort> socket_;
};

}  // namespace tvp::noc
