#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// The messages and transfers of a PIM unit since its program started, for the reports of hangs and
/// wrong results. Hardware has no such record. Orders to the switch are not recorded.
class UnitRecord {
 public:
  /// Messages to one unit on one channel.
  struct Sent {
    std::uint32_t count = 0;
    std::uint32_t pc = 0;  ///< pc of the last one
  };
  /// A transfer of the DMA engine, or a message in the unit's WRAM.
  struct Transfer {
    enum class Kind : std::uint8_t { kToBank, kToWram, kMessage };
    Kind kind = Kind::kToBank;
    std::uint8_t thread = 0;  ///< 1 + the tasklet; 0: the unit has none
    std::uint32_t wram = 0;
    std::uint32_t bytes = 0;
    std::uint32_t pc = 0;       ///< pc at the start; 0: a message
    std::uint32_t source = 0;   ///< unit that has sent the message
    std::uint32_t channel = 0;  ///< channel of the message
    std::uint64_t bank = 0;     ///< not of a message
  };

  static constexpr Probe::Kinds kKinds = Probe::bit(ProbeEvent::Kind::kCommand) |
                                         Probe::bit(ProbeEvent::Kind::kServed) |
                                         Probe::bit(ProbeEvent::Kind::kReset);
  /// The fields `index`, `value` and `is_broadcast` of a message's kCommand are its channel, its
  /// unit and true for an order to the switch. The field `thread` of a transfer is 1 + the tasklet.
  void on(const ProbeEvent& event);

  Sent sent_to(std::uint32_t unit, std::uint32_t channel) const;
  /// The messages to the first unit that has got some on this channel, and that unit; its count is
  /// 0 if there is none.
  std::pair<std::uint32_t, Sent> sent_on(std::uint32_t channel) const;
  /// The recorded transfers, the oldest first.
  std::vector<Transfer> transfers() const;

 private:
  /// If there are more transfers, the oldest are dropped.
  static constexpr std::size_t kMost = 2048;
  void add(const Transfer& transfer);

  std::map<std::pair<std::uint32_t, std::uint32_t>, Sent> sent_;  ///< entries by unit and channel
  std::vector<Transfer> transfers_;                               ///< a ring when it is full
  std::size_t oldest_ = 0;
};

}  // namespace tvp::checks
