#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/time.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/scalar/sync_rules.h"

namespace tvp::tensix::coprocessor {

/// The wait instruction in the wait gate of a thread (ISA STALLWAIT.md, SEMWAIT.md).
struct WaitLatch {
  bool valid = false;
  bool semaphores = false;  ///< SEMWAIT; else STALLWAIT
  std::uint16_t condition_mask = 0;
  std::uint8_t semaphore_mask = 0;
  std::uint16_t block_mask = 0;
  Cycle from = 0;  ///< first cycle at which the conditions are checked
  /// First cycle without blocking: one after the conditions hold. kNever if that needs a state
  /// change.
  Cycle released_at = support::kNever;
  std::uint64_t epoch = 0;  ///< state of the coprocessor for which released_at was computed
};

/// Semaphores and mutexes (ISA TensixCoprocessor/SyncUnit.md).
class SyncUnit {
 public:
  static constexpr unsigned kSemaphores = 8;
  static constexpr unsigned kMutexes = 8;  ///< some do not exist (SyncRules)
  static constexpr std::uint8_t kNobody = 0xFF;
  static constexpr unsigned kMaxValue = 15;
  static constexpr unsigned kCore = 3;  ///< number of the posting core, which is not a thread

  struct Semaphore {
    std::uint8_t value = 0;
    std::uint8_t max = 0;
  };

  SyncUnit(std::string where, foundation::FaultPolicy& faults,
           Generation generation = Generation::kWormhole)
      : where_(std::move(where)), rules_(generation), faults_(faults) {
    held_by_.fill(kNobody);
    mutex_used_.fill(support::kNever);
  }

  /// Executes an instruction of the sync unit. STALLWAIT and SEMWAIT go to `latch`.
  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now, WaitLatch& latch);

  const Semaphore& semaphore(unsigned i) const { return semaphores_[i]; }
  /// A store of a T core: an even value posts, an odd one gets.
  void access_from_core(unsigned i, std::uint32_t value);
  std::uint8_t mutex_holder(unsigned i) const { return held_by_[i]; }

  /// True while a latched SEMWAIT waits.
  bool keeps_waiting(const WaitLatch& latch) const;
  /// True if the last issue() changed a semaphore.
  bool semaphores_changed() const { return semaphores_changed_; }

 private:
  Issue acquire(std::uint32_t index, unsigned thread, Cycle now);
  Issue release(std::uint32_t index, unsigned thread, Cycle now);
  bool bad_mutex(std::uint32_t index, unsigned thread);
  void post(unsigned i, unsigned by) {
    Semaphore& semaphore = semaphores_[i];
    if (semaphore.value >= semaphore.max && semaphore.max != 0) [[unlikely]]
      warn_of_post(i, by);
    if (semaphore.value < kMaxValue) ++semaphore.value;
  }
  /// Hardware counts on to 15, but a post at the maximum is probably a mistake of the firmware.
  void warn_of_post(unsigned i, unsigned by);
  void get(Semaphore& semaphore) {
    if (semaphore.value > 0) --semaphore.value;
  }

  std::string where_;
  SyncRules rules_;
  foundation::FaultPolicy& faults_;
  std::array<Semaphore, kSemaphores> semaphores_{};
  std::array<std::uint8_t, kMutexes> held_by_;
  std::array<Cycle, kMutexes> mutex_used_;
  /// Cycle of the last semaphore or wait instruction; all threads share one in each cycle.
  Cycle slot_used_ = support::kNever;
  bool semaphores_changed_ = false;
  std::uint8_t warned_ = 0;  ///< semaphores with a warning, one bit each
};

}  // namespace tvp::tensix::coprocessor
