#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Until when packers read rows of Dst (one a cycle, from the issue of their instruction on), and
/// unpackers write them. The model does either at once, so nobody's result shows when somebody uses
/// the rows before. (For what the matrix unit writes others wait in hardware: Dst has when.)
class DstInFlight {
 public:
  static constexpr unsigned kBlockRows = 8;
  static constexpr unsigned kBlocks = 128;

  struct User {
    std::uint32_t instruction = 0;
    unsigned thread = 0;
    Cycle issued = 0;
    Cycle until = 0;
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    /// `row` of the storage changes at `now`, before packers are done with it.
    virtual void changed_too_early(unsigned row, const User& reader, Cycle now) = 0;
    /// It is read or changed before an unpacker has written it.
    virtual void used_too_early(unsigned row, const User& writer, Cycle now) = 0;
  };
  void set_listener(Listener* listener) { listener_ = listener; }
  bool watched() const { return listener_ != nullptr; }

  // Rows of the storage (Dst::storage16, Dst::adjusted), each for its block.

  /// Packers read the row.
  void read(unsigned row, const User& reader) {
    used(row, reader.issued);
    readers_[row / kBlockRows] = reader;
    latest_read_ = std::max(latest_read_, reader.until);
  }
  /// Unpackers write the row.
  void written(unsigned row, const User& writer) {
    if (writer.issued < latest_read_) [[unlikely]]
      look_at_reader(row, writer.issued);
    writers_[row / kBlockRows] = writer;
    latest_write_ = std::max(latest_write_, writer.until);
  }
  /// The matrix or the vector unit changes the row.
  void changed(unsigned row, Cycle now) {
    if (now < latest_read_) [[unlikely]]
      look_at_reader(row, now);
    used(row, now);
  }
  void changed(unsigned first, unsigned count, Cycle now) {
    if (now >= latest_read_ && now >= latest_write_) return;
    for (unsigned row = first; row < first + count; row += kBlockRows) changed(row, now);
  }
  void used(unsigned row, Cycle now) {
    if (now < latest_write_) [[unlikely]]
      look_at_writer(row, now);
  }

 private:
  void look_at_reader(unsigned row, Cycle now) {
    const User& reader = readers_[row / kBlockRows];
    if (now < reader.until && listener_ != nullptr) listener_->changed_too_early(row, reader, now);
  }
  void look_at_writer(unsigned row, Cycle now) {
    const User& writer = writers_[row / kBlockRows];
    if (now < writer.until && listener_ != nullptr) listener_->used_too_early(row, writer, now);
  }

  Listener* listener_ = nullptr;
  Cycle latest_read_ = 0;
  Cycle latest_write_ = 0;
  std::array<User, kBlocks> readers_;
  std::array<User, kBlocks> writers_;
};

}  // namespace tvp::tensix::coprocessor
