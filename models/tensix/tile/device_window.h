#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "models/support/calendar_block.h"
#include "models/support/foreign_memory.h"
#include "models/support/mmio.h"

namespace tvp::tensix {

/// A range of a tile's bus whose registers are modules of the user.
///
/// A load or store of a core leaves as b_transport at its cycle, with the offset in the range as
/// its address. The core waits for the response. Aligned words only, as the bus has it.
class DeviceWindow : public support::MmioDevice, private support::ForeignMemory::Client {
 public:
  /// Addresses that no tile uses: behind the largest L1 and before the cores' local RAM.
  static constexpr std::uint32_t kFirst = 0x0100'0000;
  static constexpr std::uint32_t kEnd = 0xFFB0'0000;

  /// Throws Fault(kDescription) unless the range is of whole words between these. `key` names what
  /// the user has set.
  static void check(const std::string& key, std::uint32_t base, std::uint32_t bytes);

  DeviceWindow(const sc_core::sc_module_name& name, support::CalendarBlock& block, unsigned tile,
               support::WatchHub& watch_hub);

  support::ForeignMemory devices;

  void access(support::MmioAccess& access) override;
  /// The core enters reset and forgets its access. The next one begins after the response.
  void abandon(support::BusMaster core);

 private:
  enum class State : std::uint8_t { kNone, kSent, kAbandoned, kAnswered };
  /// The access of a core that waits.
  struct Request {
    State state = State::kNone;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    std::uint32_t data = 0;
  };
  static constexpr unsigned kCores = 5;

  void taken(void*, const sc_core::sc_time&) override {}
  void answered(void* token, tlm::tlm_response_status status, const sc_core::sc_time& at) override;
  void access_debug(support::MmioAccess& access);

  support::CalendarBlock& block_;
  const unsigned tile_;
  support::WatchHub& watch_hub_;
  std::array<Request, kCores> requests_{};
};

}  // namespace tvp::tensix
