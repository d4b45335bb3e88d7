#pragma once

#include <algorithm>
#include <array>

#include "models/support/time.h"

namespace tvp::support {

/// Which uses of Dst by the matrix and the vector unit a listener wants to hear of: those of a
/// block of eight rows of the storage before a cycle. By default it wants none.
class DstInterest {
 public:
  static constexpr unsigned kBlockRows = 8;
  static constexpr unsigned kBlocks = 128;

  bool wants_any(Cycle now) const { return now < latest_; }
  bool wants_change(unsigned row, Cycle now) const {
    return now < latest_ && now < changes_before_[row / kBlockRows];
  }
  bool wants_load(unsigned row, Cycle now) const {
    return now < latest_ && now < loads_before_[row / kBlockRows];
  }
  void want_changes(unsigned row, Cycle before) { changes_before_[row / kBlockRows] = before; }
  void want_loads(unsigned row, Cycle before) { loads_before_[row / kBlockRows] = before; }
  /// To be called with a cycle that is not before any of those.
  void want_until(Cycle latest) { latest_ = std::max(latest_, latest); }

 private:
  Cycle latest_ = 0;
  std::array<Cycle, kBlocks> changes_before_{};
  std::array<Cycle, kBlocks> loads_before_{};
};

}  // namespace tvp::support
