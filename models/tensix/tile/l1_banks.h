#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::tensix {

/// The banks of L1: each gives or takes one 16 B word a cycle, whichever port asks (ISA
/// TensixTile/L1.md). Consecutive words lie in consecutive banks (assumed).
///
/// Ports that want a bank in the same cycle take turns: a stream that meets another one loses the
/// first conflict at a bank and wins the next. Who loses comes a cycle later. Of the other stream,
/// which was there before, that is not carried out: its words are buffered (assumed). Streams come
/// in the order of their time, more or less.
///
/// Those of one kind do not meet: four packers, whose faces begin in one bank, fall out of phase
/// once and stay so, and for two unpackers their shared ports decide.
class L1Banks {
 public:
  static constexpr unsigned kBanks = 16;

  enum class Kind : std::uint8_t { kUnpacker, kPacker, kNiu, kCount };

  /// Words that follow each other from `word` on, so many in a turn of so many cycles.
  struct Stream {
    Kind kind = Kind::kNiu;
    std::uint32_t word = 0;
    std::uint32_t words = 0;
    std::uint32_t lanes = 1;  ///< 1 to 4
    support::Cycle turn = 1;
    support::Cycle begin = 0;

    support::Cycle end() const { return begin + (words + lanes - 1) / lanes * turn; }
  };

  /// Returns the cycle after its last turn, each of which begins when the stream has all its banks.
  support::Cycle pass(const Stream& stream);
  /// One that loses no time by conflicts; others that come later meet it.
  void hold(const Stream& stream);

 private:
  /// Longer before the latest cycle of any stream than this nothing is remembered.
  static constexpr support::Cycle kCycles = 1024;
  using Banks = std::uint16_t;
  using ByKind = std::array<Banks, static_cast<std::size_t>(Kind::kCount)>;

  /// Nothing else is under way from `begin` on: then a stream needs not be written down.
  bool is_alone(support::Cycle begin) const { return only_.end() <= begin && written_ <= begin; }
  bool is_remembered(support::Cycle at) const { return at + kCycles >= cleared_; }
  void write_down(const Stream& stream);
  void take(const Stream& stream, Banks banks, support::Cycle at);
  Banks others_at(const Stream& stream, Banks banks, support::Cycle at) const;
  ByKind& in_use(support::Cycle at);

  Banks refused_ = 0;           ///< where the last conflict was lost: the next one is won
  Stream only_;                 ///< the latest stream, as long as it is alone
  support::Cycle written_ = 0;  ///< in_use_ is empty from here on
  support::Cycle cleared_ = 0;  ///< in_use_ holds the kCycles before this one
  std::array<ByKind, kCycles> in_use_{};
};

}  // namespace tvp::tensix
