#pragma once

#include "models/dram/controller/controller.h"
#include "models/noc/foreign_packets.h"

namespace tvp::dram {

/// A channel whose memory is a module of the user, bound to `memory`. Data and times are the
/// module's: the channel adds none. Addresses are within the channel.
class ForeignController : public Controller, public noc::ForeignPackets {
 public:
  /// `tile`: number of the DRAM tile in the calendar of `block`.
  ForeignController(const sc_core::sc_module_name& name, std::uint64_t bytes,
                    support::CalendarBlock& block, unsigned tile,
                    support::ForeignMemory::Timing timing, std::uint32_t burst_bytes)
      : Controller(name, bytes, block.calendar()), ForeignPackets(block, timing, burst_bytes) {
    tile_ = tile;
  }

  void debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) override;
  void debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes) override;

 private:
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    send(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  void pass_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                 sc_core::sc_time& delay) override {
    port->nb_transport_bw(payload, phase, delay);
  }
  void moved(const tlm::tlm_generic_payload& payload, support::Cycle now,
             support::Cycle done) override {
    observed(payload, 0, payload.get_data_length(), {now, done});
  }
};

}  // namespace tvp::dram
