#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/support/time.h"

namespace tvp::tensix {

/// The banks of L1: each reads or writes one 16-byte word in a cycle, for any port (ISA
/// TensixTile/L1.md). Consecutive words are in consecutive banks (assumed).
///
/// Ports that need a bank in the same cycle take turns. The turn moves on by a port in each cycle
/// (assumed). With this rule an unpacker loses 16 cycles to a packed tile of BF16 and 28 to one of
/// FP32, as on silicon. All lanes of an unpacker wait for each other. The faces of packers begin
/// in one bank, so each packer falls a cycle behind the previous one. From then on they need four
/// banks in a row. Packers that add give way to unpackers. This is assumed: on
/// silicon, LoFi products whose partial results are added in L1 take the time of their unpackers
/// alone, within 14 cycles a packed tile. Packers that write cost an unpacker 16 cycles.
///
/// Beside a NIU, unpackers and packers lose the first conflict at a bank and win the next. The
/// NIU's losses are not modelled, since it buffers (assumed). For two unpackers their shared ports
/// decide.
///
/// Streams come approximately in the order of time. An unpacker pays in its next stream for
/// conflicts with packers that came later.
class L1Banks {
 public:
  static constexpr unsigned kBanks = 16;

  enum class Kind : std::uint8_t { kUnpacker, kPacker, kNiu, kCount };

  /// Consecutive words from `word` on, a fixed number in each turn of a fixed number of cycles.
  struct Stream {
    Kind kind = Kind::kNiu;
    std::span<const std::uint8_t> ports;  ///< one for each lane; none for NIUs
    std::uint32_t word = 0;
    std::uint32_t words = 0;
    std::uint32_t lanes = 1;  ///< 1 to 4
    /// For an unpacker's separate rows, with whole rows in a turn: words of a row, and words
    /// between two rows.
    std::uint32_t of_row = 0, between_rows = 0;
    support::Cycle turn = 1;
    support::Cycle begin = 0;
    /// Cycles of other clients of its port, behind each turn until all are used up.
    support::Cycle shared = 0;

    support::Cycle turns() const { return (words + lanes - 1) / lanes; }
    support::Cycle end() const { return begin + turns() * turn + shared; }
    unsigned bank(std::uint32_t i) const {
      const std::uint32_t skipped = of_row == 0 ? 0 : i / of_row * between_rows;
      return (word + i + skipped) % kBanks;
    }
    /// Banks of `count` words from `done` on, one bit each.
    std::uint16_t banks(std::uint32_t done, std::uint32_t count) const {
      if (of_row == 0) return banks_of(word + done, count);
      unsigned bits = 0;
      for (std::uint32_t i = 0; i < count; ++i) bits |= 1U << bank(done + i);
      return static_cast<std::uint16_t>(bits);
    }
    /// True for a packer that reads, adds and writes back.
    bool adds() const { return kind == Kind::kPacker && turn > 1; }
    /// Cycles from the turn of word `done` to the next one.
    support::Cycle step(std::uint32_t done) const {
      if (shared == 0) return turn;
      const support::Cycle behind_each = (shared + turns() - 1) / turns();
      const support::Cycle before = done / lanes * behind_each;
      return turn + (before < shared ? std::min(behind_each, shared - before) : 0);
    }
  };

  /// Banks of `words` words from `word` on, one bit each.
  static std::uint16_t banks_of(std::uint32_t word, std::uint32_t words) {
    const auto from_first = static_cast<std::uint16_t>((1U << words) - 1);
    return std::rotl(from_first, static_cast<int>(word % kBanks));
  }

  /// Passes a stream whose turns wait until all of their banks are free. Returns the cycle after
  /// the last turn.
  support::Cycle pass(const Stream& stream);
  /// Records a stream that conflicts do not delay, but that others can meet.
  void hold(const Stream& stream);

 private:
  /// History is kept for this long before the latest cycle of any stream.
  static constexpr support::Cycle kCycles = 1024;
  /// Streams of unpackers are up to three ahead of the packers that meet them.
  static constexpr std::size_t kUnfinished = 4;
  using Banks = std::uint16_t;
  /// Owners of the banks in a cycle.
  struct Taken {
    Banks packers = 0;
    Banks adders = 0;  ///< packers among them that add
    Banks unpackers = 0;
    Banks nius = 0;

    Banks writers() const { return static_cast<Banks>(packers & ~adders); }
  };
  /// Owners of the taken banks, four bits each. One word has all of a cycle, since each touched
  /// word is a cache miss of the host if many tiles are busy.
  class Ports {
   public:
    unsigned of(unsigned bank) const { return static_cast<unsigned>(bits_ >> 4 * bank & 0xF); }
    void set(unsigned bank, std::uint64_t port) {
      bits_ = (bits_ & ~(std::uint64_t{0xF} << 4 * bank)) | port << 4 * bank;
    }

   private:
    std::uint64_t bits_;  // the bits of free banks have no meaning
  };
  struct Ended {
    support::Cycle at = 0;
    support::Cycle late = 0;  ///< delay beyond the announced end
  };
  struct Unpacked {
    Stream asked;
    Banks refused = 0;  ///< state before it
    support::Cycle announced_end = 0;
    Ended before, ended;  ///< bounds from the accesses known at the last check
    support::Cycle written_from = 0, written_to = 0;
  };

  support::Cycle pass_unpacker(const Stream& asked);
  support::Cycle pass_packer(const Stream& stream);
  Ended behind(Unpacked& unpacked, const Ended& before);
  static Stream delayed(Stream stream, const Ended& before);
  support::Cycle unpack(Unpacked& unpacked, const Ended& before, bool write);
  bool unpacker_waits(unsigned bank, std::uint8_t port, support::Cycle at) const;
  bool packer_waits(const Stream& stream, unsigned bank, support::Cycle at, Taken now) const;
  void write_down(const Stream& stream);
  void write_down_only() {
    write_down(only_);
    only_ = {};
  }
  void write_down_unpackers(support::Cycle from);
  /// Takes a bank for a word of an unpacker or packer, for a turn.
  void take(const Stream& stream, unsigned bank, std::uint8_t port, support::Cycle at);
  /// Records that `stream` has taken banks in these cycles.
  void took(const Stream& stream, support::Cycle from, support::Cycle to);
  /// True if a NIU gets one of the banks this time.
  bool loses(Banks contended);
  bool is_remembered(support::Cycle at) const { return at + kCycles >= cleared_; }
  Taken taken(support::Cycle at) const {
    return at < written_ && is_remembered(at) ? in_use_[at % kCycles] : Taken{};
  }
  Taken& in_use(support::Cycle at) {
    if (at >= cleared_) clear_up_to(at);
    return in_use_[at % kCycles];
  }
  void clear_up_to(support::Cycle at);

  /// Banks at which the last conflict with a NIU was lost: the next one is won.
  Banks refused_ = 0;
  Stream only_;  ///< the latest stream of a packer or NIU, while it is alone
  std::array<Unpacked, kUnfinished> unpacked_;  ///< the latest ones
  Ended before_;                                ///< the state before them
  support::Cycle changed_ = 0;                  ///< no later change before this cycle
  support::Cycle packed_ = 0;                   ///< packers have taken nothing from here on
  support::Cycle others_ = 0;                   ///< NIUs have taken nothing from here on
  support::Cycle written_ = 0;                  ///< in_use_ is empty from here on
  support::Cycle cleared_ = 0;                  ///< in_use_ holds the kCycles before this one
  std::array<Taken, kCycles> in_use_{};
  std::array<Ports, kCycles> packer_ports_;
  std::array<Ports, kCycles> unpacker_ports_;
};

}  // namespace tvp::tensix
