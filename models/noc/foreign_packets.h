#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/support/calendar_block.h"
#include "models/support/foreign_memory.h"

namespace tvp::noc {

/// Requests of NIUs at a memory that a user has bound to `memory`. Data and times are the memory's.
class ForeignPackets : private support::ForeignMemory::Client {
 public:
  ForeignPackets(support::CalendarBlock& block, support::ForeignMemory::Timing timing,
                 std::uint32_t burst_bytes = 0)
      : memory("memory", *this, block.base(), timing, burst_bytes), block_(block) {}

  support::ForeignMemory memory;

 protected:
  /// Sends a request that the NIU has made `delay` after the calendar's time.
  void send(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  /// Passes END_REQ or BEGIN_RESP back to the NIU.
  virtual void pass_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                         sc_core::sc_time& delay) = 0;
  /// Address of a request of a NIU on `memory`.
  virtual std::uint64_t address_of(const tlm::tlm_generic_payload& payload) const {
    return payload.get_address();
  }
  /// The memory has answered; the tile learned of it at `now`, and the last byte moves at `done`.
  virtual void moved(const tlm::tlm_generic_payload&, support::Cycle /*now*/,
                     support::Cycle /*done*/) {}

  support::CalendarBlock& block_;
  unsigned tile_ = 0;  ///< in the calendar of `block_`

 private:
  void taken(void* token, const sc_core::sc_time& at) override;
  void answered(void* token, tlm::tlm_response_status status, const sc_core::sc_time& at) override;
  void pass_at(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, support::Cycle at);
};

}  // namespace tvp::noc
