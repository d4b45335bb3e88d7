#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::support {

/// Who keeps banks of L1 from NIUs: narrow writes, which are read-modify-write and take five
/// cycles, and what cores read, a cycle each (ISA TensixTile/L1.md).
class L1Holders {
 public:
  /// Words of 16 bytes that follow each other, so many in each cycle from `begin` on.
  struct Stream {
    std::uint32_t word = 0;
    std::uint32_t words = 0;
    std::uint32_t lanes = 1;
    Cycle begin = 0;

    Cycle turns() const { return (words + lanes - 1) / lanes; }
    void pass(std::uint32_t turns_done, Cycle next) {
      const std::uint32_t done = turns_done * lanes < words ? turns_done * lanes : words;
      word += done;
      words -= done;
      begin = next;
    }
  };

  virtual ~L1Holders() = default;
  /// What of the stream asks for its banks before cycle `until` gets them, each word when nobody
  /// holds its bank; the stream becomes what is left, and begins when that asks.
  virtual void pass(Stream& stream, Cycle until) = 0;
  /// Nobody holds a bank from here on, by what is known.
  Cycle held_until() const { return pollers_ != 0 ? kNever : held_until_; }

  // Accesses that wait for nobody need be told only while a packet comes that can meet them.

  void packet_begins() {
    ++packets_;
    heard_until_ = kNever;
  }
  void packet_ends(Cycle now) {
    if (--packets_ == 0) heard_until_ = now + kHeardBehind;
  }
  /// Whether those of cycle c are to be told.
  bool hears(Cycle c) const { return c < heard_until_; }

 protected:
  Cycle held_until_ = 0;
  unsigned pollers_ = 0;  ///< who read again and again, for ever as it looks now

 private:
  /// What L1 has not taken of a packet that has come, and stores that wait when the next one comes.
  static constexpr Cycle kHeardBehind = 64;
  unsigned packets_ = 0;
  Cycle heard_until_ = 0;
};

}  // namespace tvp::support
