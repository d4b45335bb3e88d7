#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/support/calendar.h"

namespace tvp::pim {

/// Calendar events of packets outside of their meshes, with their two clocks: the units' clock in
/// the calendar, and CK on pins and buses.
class TierEvents {
 public:
  enum class Step : std::uint8_t {
    kCombine,   ///< the pins have taken a reduction
    kLeave,     ///< a packet is at the gateway of its chip
    kDepart,    ///< the pins have taken a packet of a gateway
    kBuffered,  ///< a packet is in the buffer of its rank
    kSend,      ///< the bus has taken a packet of a buffer
    kOffer,     ///< a packet is in the host's memory
    kEnter,     ///< a packet is at the gateway of its destination chip
    kCredit,    ///< the mesh of a chip accepts packets from its gateway again
  };
  struct Event {
    Step step;
    unsigned chip;
    std::uint32_t slot;
  };

  TierEvents(support::Calendar& calendar, support::EventTarget& target, unsigned chips,
             dram::Period clock, dram::Period tck)
      : calendar_(calendar),
        target_(target),
        to_dram_(clock, tck),
        to_logic_(tck, clock),
        posted_(chips, 0) {}

  void post(support::Cycle when, const Event& event) {
    calendar_.post(when,
                   {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                    .block = static_cast<std::uint16_t>(event.chip),
                    .port = 4,  // behind the units' events
                    .sequence = posted_[event.chip]++},
                   target_,
                   std::uint64_t{event.slot} << 32 | std::uint64_t{event.chip} << 8 |
                       static_cast<std::uint64_t>(event.step));
  }
  /// Posts the event in the cycle that contains `when`, or the next one, but after `now`.
  void post_in(dram::MemCycle when, support::Cycle now, const Event& event) {
    post(std::max(to_logic_.down(when), now + 1), event);
  }
  void post_from(dram::MemCycle when, support::Cycle now, const Event& event) {
    post(std::max(to_logic_.up(when), now + 1), event);
  }
  static Event event_of(std::uint64_t token) {
    return {.step = static_cast<Step>(token & 0xFF),
            .chip = static_cast<unsigned>(token >> 8 & 0xFFFFFF),
            .slot = static_cast<std::uint32_t>(token >> 32)};
  }

  dram::MemCycle up(support::Cycle now) const { return to_dram_.up(now); }
  dram::MemCycle down(support::Cycle now) const { return to_dram_.down(now); }

 private:
  support::Calendar& calendar_;
  support::EventTarget& target_;
  const dram::ClockRatio to_dram_;
  const dram::ClockRatio to_logic_;
  std::vector<std::uint32_t> posted_;  ///< index: chip
};

}  // namespace tvp::pim
