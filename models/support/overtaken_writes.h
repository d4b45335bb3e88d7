#pragma once

#include <cstdint>
#include <vector>

#include "models/support/bus_access.h"

namespace tvp::support {

/// Writes of a tile's cores to other tiles that nobody knows to have arrived, while the same core
/// signals there on another way: another NoC or virtual channel, where the signal may be first (ISA
/// NoC/Ordering.md). One on the same way is behind them. A signal may be about something else: it
/// is told if none that is surely behind the write comes before the next such write, or the end.
class OvertakenWrites {
 public:
  struct Request {
    BusMaster niu = BusMaster::kNoc0;
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;
    unsigned x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< where it goes, in coordinates of NoC 0
    std::uint32_t vc = kDynamic;              ///< that is asked for
  };
  static constexpr std::uint32_t kDynamic = ~0U;
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void may_overtake(const Request& signal, const Request& write) = 0;
  };

  /// Before anything happens; without one nothing is looked at.
  void set_listener(Listener* listener) { listener_ = listener; }
  bool on() const { return listener_ != nullptr; }

  /// That is answered.
  void writes(const Request& request);
  void signals(const Request& request);
  /// Somebody has looked at that NIU's count of answers.
  void looked_at(BusMaster niu) {
    if (!writes_.empty()) know_arrived(niu);
  }
  /// Nothing more comes of the program.
  void end();

 private:
  static constexpr std::size_t kMost = 16;  ///< of more, the oldest are forgotten

  struct Write {
    Request request;
    bool has_arrived = false;
    bool is_overtaken = false;
    Request signal{};  ///< that may overtake it
  };
  static bool same_way(const Request& a, const Request& b) {
    return a.niu == b.niu && a.vc == b.vc && a.vc != kDynamic;
  }
  static bool meet(const Request& a, const Request& b) {
    return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
  }
  static bool is_like(const Request& a, const Request& b) {
    return a.core == b.core && a.niu == b.niu && a.vc == b.vc && a.x0 == b.x0 && a.y0 == b.y0 &&
           a.x1 == b.x1 && a.y1 == b.y1;
  }
  void know_arrived(BusMaster niu);

  Listener* listener_ = nullptr;
  std::vector<Write> writes_;
};

}  // namespace tvp::support
