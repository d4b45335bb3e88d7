#pragma once

#include <array>
#include <cstdint>

#include "models/riscv/core.h"
#include "models/support/time.h"
#include "platform/machine/profile/spent.h"
#include "platform/machine/profile/zone_meter.h"

namespace tvp::platform {

/// Books the cycles of a core by pc and purpose. It observes every instruction, which costs host
/// time and never simulated time.
///
/// The cycles from an instruction to the next one belong to the first. Turns of a loop that store
/// nothing and load the same words again are polls: their cycles are waits for these words. So are
/// cycles in which the model puts the core to sleep in a poll, or in an access without response.
class CoreMeter : public riscv::CoreObserver {
 public:
  /// The meter must live as long as the core runs.
  CoreMeter(riscv::Core& core, bool is_pim);
  CoreMeter(const CoreMeter&) = delete;
  CoreMeter& operator=(const CoreMeter&) = delete;

  void committed(const riscv::Core& core, const riscv::Commit& commit) override;
  bool wants_polls() const override { return false; }

  /// Passes each instruction on; null: it does not.
  void set_zones(ZoneMeter* zones) { zones_ = zones; }
  /// True if the core has ever executed an instruction.
  bool has_run() const { return count_ != 0; }
  /// The cycles that are booked since the last call, before other code comes to the same addresses.
  CyclesByPc take();
  /// The cycles since take(), up to cycle `now`.
  CyclesByPc until(support::Cycle now) const;

 private:
  static constexpr std::uint32_t kKept = 512;  ///< instructions of the longest poll
  static constexpr std::uint32_t kHeads = 16;
  /// An instruction, kept until its loop turns out to be a poll or not.
  struct Entry {
    std::uint32_t pc = kNoCode;
    std::uint32_t address = 0;  ///< a word that it loads and others can change; 0: none
    std::uint64_t cycles = 0;   ///< up to the next instruction
    std::uint64_t waited = 0;   ///< before it could act
    Spent spent = Spent::kBusy;
    Spent waited_for = Spent::kOther;
  };
  /// The target of a backward jump.
  struct Head {
    std::uint32_t pc = kNoCode;
    std::uint64_t begin = 0;     ///< number of the first instruction of the current turn
    std::uint64_t previous = 0;  ///< the same of the turn before that
    std::uint64_t changes = 0;   ///< value of changes_ at `begin`
    std::uint64_t loads = 0;     ///< hash of the addresses of the turn before; 0: it was no poll
  };

  Entry& entry(std::uint64_t number) { return entries_[number % kKept]; }
  const Entry& entry(std::uint64_t number) const { return entries_[number % kKept]; }
  bool is_own(std::uint32_t address) const {
    return address - riscv::Core::kLocalBase < core_.local_bytes();
  }
  std::uint64_t take_wait(support::Cycle t, std::uint64_t gap);
  Spent close_turn(std::uint32_t target);
  void push(const Entry& entry);
  static void book(CyclesByPc& cycles, const Entry& entry);

  riscv::Core& core_;
  const bool is_pim_;
  ZoneMeter* zones_ = nullptr;
  CyclesByPc booked_;
  std::array<Entry, kKept> entries_;
  std::array<Head, kHeads> heads_;
  std::uint64_t count_ = 0;    ///< instructions so far
  std::uint64_t first_ = 0;    ///< the oldest kept
  std::uint64_t changes_ = 0;  ///< stores that others can see, and pushed instructions
  support::Cycle at_ = 0;      ///< all earlier cycles are in booked_ and entries_
  std::uint64_t waited_ = 0;   ///< waits of the core up to that cycle
  bool is_late_ = false;       ///< a wait is longer than the instruction that first showed it
};

}  // namespace tvp::platform
