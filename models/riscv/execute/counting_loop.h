#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "models/riscv/decode/decoder.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Proves that a loop only counts, by following one turn of it. Such a loop changes only counters:
/// registers and words of the core's own memory to which every turn adds the same amount, and
/// values that each turn computes from them. No counter decides a jump, an address, or the time of
/// a division. If the pipeline is as at the beginning, all further turns are the same until another
/// agent changes a value that the loop loads.
///
/// A turn can be several rounds: a loop that counts to N and restarts has turns of N rounds.
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
    std::uint64_t stop_store = ~0ULL;  ///< address at which a stored value can end the loop
    std::uint8_t* at(std::uint32_t address, std::uint32_t bytes) const;
  };
  using Registers = std::array<std::uint32_t, 33>;

  /// The change of each turn in memory.
  struct Count {
    std::uint32_t address;
    std::uint32_t bytes;
    std::uint32_t pc;  ///< pc of the store
  };

  void begin(std::uint32_t pc, const Registers& regs, const Memory& memory, unsigned most);
  /// Follows the next instruction; false if the loop does more than count. `executed` distinguishes
  /// a retried instruction from the next one.
  bool note(std::uint32_t pc, const Op& op, std::uint64_t executed, const Registers& regs);
  /// Start address of the turn.
  std::uint32_t target() const { return target_; }
  bool too_long() const { return followed_ > most_; }
  /// True if the turn that ends here proves it.
  bool proves(const Registers& regs);
  void advance(std::uint64_t turns, Registers& regs) const;
  /// The bytes of L1 that it stores.
  std::vector<support::WatchHub::L1Range> stored() const;
  const std::vector<Count>& counts() const { return counts_; }

 private:
  static constexpr unsigned kRegisters = 32;
  static constexpr unsigned kPlaces = 96;
  /// A set of variables: registers, then places of memory.
  using Set = std::bitset<kRegisters + kPlaces>;

  /// The origin of a value from the variables at the beginning of the turn: the sum of `terms` and
  /// a part that depends on `others` only. Holds for the lowest bits.
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
    std::uint32_t stored_at;  ///< pc of the last store; kNowhere if there is none
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

  std::uint32_t target_ = 1;  // an odd address is never a target
  unsigned most_ = 0;
  unsigned followed_ = 0;
  std::uint64_t executed_ = ~0ULL;
  bool is_new_ = false;  ///< the last noted instruction is the first access of its place
  Memory memory_;
  Registers began_{};
  std::array<Value, kRegisters> regs_;
  std::vector<Place> places_;
  Set decides_;  ///< variables that decide jumps, addresses, times
  std::vector<Counter> counters_;
  std::vector<Count> counts_;
};

}  // namespace tvp::riscv
