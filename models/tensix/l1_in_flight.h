#pragma once

#include <array>
#include <cstdint>

#include "models/support/bus_access.h"
#include "models/support/time.h"
#include "models/tensix/l1_access.h"

namespace tvp::tensix {

/// Transfers of L1 that hardware is still making. The model moves their bytes at once, so nobody's
/// result shows when somebody else uses the place before hardware is done: that is found here.
///
/// Looks at what unpackers, packers and the mover do, and at NIUs where they meet those. Accesses
/// of cores go to L1 directly, and NIUs among themselves may well poll what others write.
class L1InFlight {
 public:
  struct Transfer {
    L1Access access;
    bool is_write = false;
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    /// `second` begins while `first` is under way, and one of them writes what the other uses.
    virtual void too_early(const Transfer& first, const Transfer& second) = 0;
  };
  void set_listener(Listener* listener) { listener_ = listener; }

  void read(const L1Access& access) { begin(access, false); }
  void written(const L1Access& access) { begin(access, true); }

  /// A transfer that an instruction of the thread makes and that is not over; null if there is
  /// none.
  const Transfer* under_way_by(unsigned thread, support::Cycle now) const {
    for (unsigned i = 0; i < count_; ++i) {
      const L1Access& access = under_way_[i].access;
      if (access.instruction != 0 && access.thread == thread && access.done > now) {
        return &under_way_[i];
      }
    }
    return nullptr;
  }

 private:
  static constexpr unsigned kMost = 32;
  enum class Side : std::uint8_t { kUnpackers, kPackers, kMover, kNius, kOthers };

  static Side side_of(support::BusMaster agent) {
    using support::BusMaster;
    if (agent == BusMaster::kUnpacker0 || agent == BusMaster::kUnpacker1) return Side::kUnpackers;
    if (agent >= BusMaster::kPacker0 && agent <= BusMaster::kPacker3) return Side::kPackers;
    if (agent == BusMaster::kMover) return Side::kMover;
    return agent == BusMaster::kNoc0 || agent == BusMaster::kNoc1 ? Side::kNius : Side::kOthers;
  }
  static bool meet(const L1Access& a, const L1Access& b) {
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
  }
  /// What one unit does comes in order.
  void begin(const L1Access& access, bool is_write) {
    if (listener_ == nullptr) return;
    const Side side = side_of(access.agent);
    if (side == Side::kOthers) return;
    for (unsigned i = 0; i < count_;) {
      const Transfer& earlier = under_way_[i];
      if (earlier.access.done <= access.now) {
        under_way_[i] = under_way_[--count_];
        continue;
      }
      if ((is_write || earlier.is_write) && side_of(earlier.access.agent) != side &&
          meet(earlier.access, access)) [[unlikely]] {
        listener_->too_early(earlier, {access, is_write});
      }
      ++i;
    }
    if (access.done > access.now && count_ < kMost) under_way_[count_++] = {access, is_write};
  }

  Listener* listener_ = nullptr;
  unsigned count_ = 0;
  std::array<Transfer, kMost> under_way_;
};

}  // namespace tvp::tensix
