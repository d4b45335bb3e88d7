#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "models/riscv/decode/decoder.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Proves of a loop, by following one turn of it, that all it changes are counters: registers and
/// words of the core's own memory to which every turn adds the same, and what is computed of them
/// anew in each turn. No counter decides on a jump, an address, or the time of a division. With the
/// pipeline as it began, all turns to come are the same, until someone changes what it loads.
///
/// A turn can be several rounds: one that counts to N and begins anew is N rounds long.
class CountingLoop {
 public:
  /// The memories that the core accesses directly. Both are private to it while no other agent
  /// acts.
  struct Memory {
    std::uint32_t local_base = 0;
    std::uint32_t local_bytes = 0;
    std::uint8_t* local = nullptr;
    std::uint32_t l1_bytes = 0;
    std::uint8_t* l1 = nullptr;
    std::uint64_t stop_store = ~0ULL;  ///< where a stored value can end the loop
    std::uint8_t* at(std::uint32_t address, std::uint32_t bytes) const;
  };
  using Registers = std::array<std::uint32_t, 33>;

  /// The change of every iteration in memory.
  struct Count {
    std::uint32_t address;
    std::uint32_t bytes;
    std::uint32_t pc;  ///< of the store
  };

  void begin(std::uint32_t pc, const Registers& regs, const Memory& memory, unsigned most);
  /// Follows an instruction that is about to be executed; false when the loop does more than count.
  /// `executed` tells one that is tried again from the next one.
  bool note(std::uint32_t pc, const Op& op, std::uint64_t executed, const Registers& regs);
  /// Where the turn began.
  std::uint32_t target() const { return target_; }
  /// More was followed than is worth it.
  bool too_long() const { return followed_ > most_; }
  /// True when the turn that ends here proves it.
  bool proves(const Registers& regs);
  /// Makes the counters what they are `turns` turns later.
  void advance(std::uint64_t turns, Registers& regs) const;
  /// Bytes of L1 that it stores.
  std::vector<support::WatchHub::L1Range> stored() const;
  const std::vector<Count>& counts() const { return counts_; }

 private:
  static constexpr unsigned kRegisters = 32;
  static constexpr unsigned kPlaces = 96;
  /// A set of variables: registers, then places of memory.
  using Set = std::bitset<kRegisters + kPlaces>;

  /// How a value came about from those that the variables had when the turn began: the sum of
  /// `terms` and of something that depends on `others` only. Holds for the lowest bits.
  struct Value {
    Set terms;
    Set others;
    unsigned bits = 32;
    Set sources() const { return terms | others; }
  };
  struct Place {
    std::uint32_t address;
    std::uint32_t bytes;
    std::uint32_t began;
    std::uint32_t stored_at;  ///< pc of the last store; of none: kNowhere
    Value value;
    bool is_stored() const { return stored_at != kNowhere; }
  };
  static constexpr std::uint32_t kNowhere = 1;
  struct Counter {
    unsigned variable;
    std::uint32_t step;
  };

  static Value sum(const Value& a, const Value& b);
  static Value difference(const Value& a, const Value& b);
  static Value of(const Set& sources);
  Value reg(unsigned index) const { return index == 0 ? Value{} : regs_[index]; }
  void set(unsigned rd, const Value& value) {
    if (rd != Op::kSink) regs_[rd] = value;
  }
  Place* place(std::uint32_t address, std::uint32_t bytes);
  bool note_access(std::uint32_t pc, const Op& op, Code code, const Registers& regs);
  bool note_arithmetic(const Op& op, Code code);
  std::uint32_t read(const Place& place) const;

  bool stores_overlap() const;
  unsigned variables() const { return kRegisters + static_cast<unsigned>(places_.size()); }
  const Value& value_of(unsigned variable) const;
  unsigned bits_of(unsigned variable) const;
  Set changing(const Registers& regs) const;
  bool counts(unsigned variable, const Set& changing) const;

  std::uint32_t target_ = 1;  // never one
  unsigned most_ = 0;
  unsigned followed_ = 0;
  std::uint64_t executed_ = ~0ULL;
  bool is_new_ = false;  ///< the instruction that was noted last is the first access of its place
  Memory memory_;
  Registers began_{};
  std::array<Value, kRegisters> regs_;
  std::vector<Place> places_;
  Set decides_;  ///< on jumps, addresses, times
  std::vector<Counter> counters_;
  std::vector<Count> counts_;
};

}  // namespace tvp::riscv
