#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Until when packers read rows of Dst: one a cycle, from the issue of their instruction on. The
/// model reads them all at once, so nobody's result shows when somebody changes them before.
class DstReads {
 public:
  static constexpr unsigned kBlockRows = 8;
  static constexpr unsigned kBlocks = 128;

  struct Reader {
    std::uint32_t instruction = 0;
    unsigned thread = 0;
    Cycle issued = 0;
    Cycle until = 0;
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    /// `row` of the storage changes at `now`, before `reader` is done with it.
    virtual void changed_too_early(unsigned row, const Reader& reader, Cycle now) = 0;
  };
  void set_listener(Listener* listener) { listener_ = listener; }
  bool watched() const { return listener_ != nullptr; }

  /// Rows of the storage (Dst::storage16, Dst::adjusted).
  void read(unsigned row, const Reader& reader) {
    readers_[row / kBlockRows] = reader;
    latest_ = std::max(latest_, reader.until);
  }
  void changed(unsigned row, Cycle now) {
    if (now < latest_) [[unlikely]]
      look_at(row, now);
  }
  void changed(unsigned first, unsigned count, Cycle now) {
    if (now >= latest_) return;
    for (unsigned row = first; row < first + count; row += kBlockRows) look_at(row, now);
  }

 private:
  void look_at(unsigned row, Cycle now) {
    const Reader& reader = readers_[row / kBlockRows];
    if (now < reader.until && listener_ != nullptr) listener_->changed_too_early(row, reader, now);
  }

  Listener* listener_ = nullptr;
  Cycle latest_ = 0;
  std::array<Reader, kBlocks> readers_;
};

}  // namespace tvp::tensix::coprocessor
