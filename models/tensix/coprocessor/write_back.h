#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Results that arrive some cycles after the issue of their instruction: loads to GPRs, WRCFG,
/// whose effect the next instruction does not see yet, and stores of PACR_SETREG. The order of
/// delivery is (cycle, issue).
class WriteBack {
 public:
  enum class Target : std::uint8_t { kGpr, kConfig, kRegister };
  struct Entry {
    Cycle when = 0;
    Target target = Target::kGpr;
    std::uint8_t thread_or_bank = 0;
    std::uint16_t index = 0;              ///< first register or configuration word
    std::uint8_t words = 1;               ///< up to 4
    std::uint32_t mask = ~0U;             ///< written bits of a single word
    std::array<std::uint32_t, 4> data{};  ///< kRegister: address and value
  };

  WriteBack() { entries_.reserve(32); }

  void add(const Entry& entry) {
    entries_.push_back(entry);
    if (entry.when < next_) next_ = entry.when;
  }
  /// Cycle of the earliest entry; kNever if there is none.
  Cycle next() const { return next_; }

  /// Passes every entry that is due at `now` to `deliver`.
  template <typename Deliver>
  void run(Cycle now, Deliver deliver) {
    while (next_ <= now) {
      std::size_t first = 0;
      for (std::size_t i = 1; i < entries_.size(); ++i) {
        if (entries_[i].when < entries_[first].when) first = i;
      }
      const Entry entry = entries_[first];
      entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(first));
      find_next();
      deliver(entry);
    }
  }

 private:
  void find_next() {
    next_ = support::kNever;
    for (const Entry& entry : entries_) {
      if (entry.when < next_) next_ = entry.when;
    }
  }

  std::vector<Entry> entries_;
  Cycle next_ = support::kNever;
};

}  // namespace tvp::tensix::coprocessor
