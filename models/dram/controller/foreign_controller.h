#pragma once

#include <string>

#include "models/dram/controller/controller.h"
#include "models/support/calendar_block.h"
#include "models/support/foreign_memory.h"

namespace tvp::dram {

/// A channel whose memory is a module of the user, bound to `memory`. Data and times are the
/// module's: the channel adds none. `memory` is an approximately timed initiator of the base
/// protocol; addresses are within the channel.
class ForeignController : public Controller, private support::ForeignMemory::Client {
 public:
  /// `tile`: number of the DRAM tile in the calendar of `block`.
  ForeignController(const sc_core::sc_module_name& name, std::uint64_t bytes,
                    support::CalendarBlock& block, unsigned tile,
                    support::ForeignMemory::Timing timing)
      : Controller(name, bytes, block.calendar()),
        memory("memory", *this, block.base(), timing),
        block_(block),
        tile_(tile) {}

  support::ForeignMemory memory;

  void debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) override;
  void debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes) override;

 protected:
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

 private:
  void taken(void* token, const sc_core::sc_time& at) override;
  void answered(void* token, tlm::tlm_response_status status, const sc_core::sc_time& at) override;
  void pass_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, support::Cycle at);

  support::CalendarBlock& block_;
  const unsigned tile_;
};

}  // namespace tvp::dram
