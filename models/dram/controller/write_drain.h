#pragma once

namespace tvp::dram {

/// Decides when a channel turns between reads and writes. A turn of the data bus costs time, so
/// writes are collected up to a high watermark and then drained down to a low one. Without reads
/// they go at once. If both arrive faster than they are served, each gets `high` commands in turn.
class WriteDrain {
 public:
  WriteDrain(unsigned high, unsigned low) : high_(high), low_(low) {}

  /// True if writes go next, given the numbers of waiting reads and writes.
  bool update(unsigned reads, unsigned writes) {
    const bool before = draining_;
    if (writes == 0) {
      draining_ = false;
    } else if (reads == 0) {
      draining_ = true;
    } else if (draining_) {
      overrun_ = served_ >= high_;
      draining_ = writes > low_ && !overrun_;
    } else {
      draining_ = writes >= high_ && (!overrun_ || served_ >= high_);
    }
    if (draining_ != before) served_ = 0;
    return draining_;
  }
  /// A column command of the current direction was issued.
  void served() { ++served_; }

 private:
  const unsigned high_;
  const unsigned low_;
  bool draining_ = false;
  bool overrun_ = false;  ///< the last drain ended by its length limit
  unsigned served_ = 0;
};

}  // namespace tvp::dram
