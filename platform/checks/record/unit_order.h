#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

struct TileContext;

/// Each unit of a PIM system knows some progress of the others. A vector clock holds it.
///
/// A message carries what its sender knows when it issues it. A core takes this over when it has
/// read a count of arrivals that includes the message, or has loaded a message of at most
/// kMostFlagBytes. Messages of one source arrive in their order, so a message shows the earlier
/// ones. A core that waits in a loop knows only the count for which it waits, since a higher one is
/// luck. Barriers join what all their units know.
///
/// A stop sends in order, so a message that has arrived shows that the earlier ones have left WRAM.
class UnitOrder {
 public:
  static constexpr std::uint32_t kMostFlagBytes = 16;

  /// Steps of cores, and messages that have left WRAM: entries 2n and 2n + 1 are of unit n.
  using Clock = std::vector<std::uint32_t>;

  /// A message or an order that a unit has issued.
  struct Sent {
    std::shared_ptr<const Clock> known{};
    const TileContext* unit = nullptr;
    std::uint32_t step = 0;    ///< the step of its core
    std::uint32_t number = 0;  ///< among those of the unit
    std::uint32_t pc = 0;
    unsigned copies = 0;  ///< that have not arrived

    /// The last step of unit `other` of which the sender knew.
    std::uint32_t known_step(unsigned other) const;
    bool knows_step(unsigned other, std::uint32_t of_other) const {
      return known_step(other) >= of_other;
    }
    /// True if the sender knew that this message of unit `other` had left WRAM.
    bool knows_left(unsigned other, std::uint32_t message) const;
  };

  class Unit;
  /// `context` outlives this object.
  Unit& add(const TileContext& context);
  /// True once for each pair of places in the code, of all units.
  bool is_new(std::uint32_t one, std::uint32_t other);

 private:
  struct Meeting {
    std::shared_ptr<Clock> clock;
    std::shared_ptr<const Clock> first;  ///< the clock of the first unit
  };
  Unit* at(unsigned unit) const { return unit < units_.size() ? units_[unit].get() : nullptr; }

  std::vector<std::unique_ptr<Unit>> units_;  ///< index: number of the unit
  /// Barriers by group and by the number of barriers before.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting> meetings_;
  /// Clocks of all units that have taken part in reductions. A result may come from any of them.
  Clock reduced_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;
};

class UnitOrder::Unit {
 public:
  Unit(UnitOrder& system, const TileContext& context);

  static constexpr Probe::Kinds kKinds =
      Probe::bit(ProbeEvent::Kind::kCommand) | Probe::bit(ProbeEvent::Kind::kServed) |
      Probe::bit(ProbeEvent::Kind::kReset) | Probe::bit(ProbeEvent::Kind::kCounterRead) |
      Probe::bit(ProbeEvent::Kind::kBarrier) | Probe::bit(ProbeEvent::Kind::kRead);
  void on(const ProbeEvent& event);

  /// The message of the latest kServed; its `known` is null if its start is not known.
  const Sent& latest() const { return latest_; }
  /// The step of the core, from 1 on. It ends with a message or the arrival at a barrier.
  std::uint32_t step() const { return step_; }
  /// The pc at which the core has ended the step; 0: it is long ago.
  std::uint32_t end_of(std::uint32_t step) const;
  /// True if the core knows that this message of the source, or the result of a reduction, is here.
  bool has_seen(unsigned source, std::uint32_t number) const {
    return source < seen_.size() && seen_[source] >= number;
  }
  /// Number of changes of the core's clock.
  std::uint64_t learned() const { return learned_; }
  /// True if the core knows that its own message has left WRAM.
  bool has_left(std::uint32_t number) const { return entry(*known_, 2 * number_ + 1) >= number; }
  /// Number of the message that the core issues next, or has issued at the latest kCommand.
  std::uint32_t issued() const { return before_ + issued_; }
  /// The number of a message of the current program, for those above.
  std::uint32_t number_of(std::uint32_t message) const { return before_ + message; }

  struct Arrived {
    Sent sent;
    unsigned source = 0;
    std::uint32_t channel = 0;
    std::uint32_t count = 0;  ///< arrivals of the channel up to this one
    std::uint32_t address = 0, bytes = 0;
    std::uint32_t word = 0;  ///< the first of its bytes

    bool is_flag() const { return bytes != 0 && bytes <= kMostFlagBytes; }
  };
  /// Number of changes of what the core knows to be here, and of unseen().
  std::uint64_t changes() const { return changes_; }
  /// The messages that the core does not know to be here, in the order of arrival.
  const std::vector<Arrived>& unseen() const { return unseen_; }

 private:
  static constexpr std::size_t kMostUnseen = 256;  ///< if there are more, the oldest count as seen
  static constexpr std::size_t kMostSent = 4096;
  static constexpr std::size_t kEnds = 64;

  static std::uint32_t entry(const Clock& clock, std::size_t index) {
    return index < clock.size() ? clock[index] : 0;
  }
  static void raise(Clock& clock, std::size_t index, std::uint32_t value);
  static void join(Clock& clock, const Clock& other);
  Clock& own();
  void issues(const ProbeEvent& event);
  void serves(const ProbeEvent& event);
  Sent take(std::uint32_t number);
  void counts(const ProbeEvent& event);
  void loads(const ProbeEvent& event);
  void meets(const ProbeEvent& event);
  void ends_step(std::uint32_t pc);
  void see(const Arrived& arrived);
  void forget_seen();
  void reset();

  UnitOrder& system_;
  const TileContext& context_;
  const unsigned number_;
  std::shared_ptr<Clock> known_;
  std::uint32_t step_ = 1;
  std::uint32_t before_ = 0;  ///< messages of earlier programs
  std::uint32_t issued_ = 0;
  std::deque<Sent> sent_;  ///< those from the oldest on that has not arrived everywhere
  Sent latest_;
  std::vector<std::uint32_t> seen_;  ///< index: source; the latest message that was seen
  std::vector<Arrived> unseen_;
  std::map<std::uint32_t, std::uint32_t> words_;  ///< index: address of a seen flag
  std::array<std::uint32_t, 16> arrivals_{};      ///< index: channel
  std::uint64_t changes_ = 0, learned_ = 0;
  unsigned unseen_flags_ = 0;
  std::uint32_t met_ = 0, passed_ = 0;                                 ///< barriers of the program
  std::array<std::pair<std::uint32_t, std::uint32_t>, kEnds> ends_{};  ///< step and pc
};

}  // namespace tvp::checks
