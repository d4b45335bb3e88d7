#pragma once

#include <array>
#include <cstdint>

#include "models/support/bus_access.h"

namespace tvp::support {

/// What cores ask of their tile's NIUs, until somebody looks at the counts of answers: an answer
/// that comes before that may come to whoever has stopped waiting.
class UnseenAnswers {
 public:
  enum class Kind : std::uint8_t { kRead, kWrite, kAtomic };
  static constexpr unsigned kKinds = 3;
  /// The last one of its kind.
  struct Command {
    BusMaster core = BusMaster::kDebug;  ///< that started it; none
    std::uint32_t pc = 0;
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    /// NIU `niu` answers, to nobody yet; true: it was told of, and the command is forgotten.
    virtual bool answered(unsigned niu, Kind kind, const Command& command) = 0;
  };

  /// Before anything happens; without one nothing is looked at.
  void set_listener(Listener* listener) { listener_ = listener; }

  /// `niu`: kNoc0 or kNoc1.
  void started(BusMaster niu, Kind kind, const Command& command) {
    last_[number(niu)][index(kind)] = command;
  }
  void looked_at(BusMaster niu, Kind kind) { last_[number(niu)][index(kind)] = {}; }
  void looked_at_all(BusMaster niu) { last_[number(niu)] = {}; }
  void answered(BusMaster niu, Kind kind) {
    Command& command = last_[number(niu)][index(kind)];
    if (command.core == BusMaster::kDebug || listener_ == nullptr) return;
    if (listener_->answered(number(niu), kind, command)) command = {};
  }

 private:
  static unsigned index(Kind kind) { return static_cast<unsigned>(kind); }
  static unsigned number(BusMaster niu) { return niu == BusMaster::kNoc1 ? 1 : 0; }

  Listener* listener_ = nullptr;
  std::array<std::array<Command, kKinds>, 2> last_{};
};

}  // namespace tvp::support
