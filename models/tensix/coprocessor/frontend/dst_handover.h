#pragma once

#include <cstdint>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

/// T1 hands parts of Dst over to T2 with semaphore 1, as tt-metal's firmware does: T1 waits until a
/// part is free (tile_regs_acquire) and posts when it has written it (tile_regs_commit), T2 waits
/// until there is one (tile_regs_wait) and gets when it has packed it (tile_regs_release). Firmware
/// that has done so since it initialized the semaphore must not leave out a step; other firmware
/// may do as it likes.
class DstHandover {
 public:
  static constexpr unsigned kSemaphore = 1;

  enum class Missing : std::uint8_t { kNothing, kAcquire, kWait };

  /// The sync unit has executed an instruction of this thread: the wait that is missing before it.
  Missing synchronized(std::uint32_t instruction, unsigned thread) {
    namespace op = regs::tensix;
    const op::Opcode opcode = op::opcode_of(instruction);
    if (opcode == op::Opcode::kSemwait) return waited(instruction, thread);
    const bool sets = opcode == op::Opcode::kSeminit;
    if (!sets && opcode != op::Opcode::kSempost && opcode != op::Opcode::kSemget)
      return Missing::kNothing;
    const std::uint32_t mask = sets ? op::Seminit::kSemaphoreMask.of(instruction)
                                    : op::Sempost::kSemaphoreMask.of(instruction);
    if ((mask >> kSemaphore & 1) == 0) return Missing::kNothing;
    if (sets) {
      posted_ = taken_ = false;
    } else if (opcode == op::Opcode::kSempost) {
      posted_ = thread == 1;
      if (posted_) return commit();
    } else {
      taken_ = thread == 2;
      if (taken_) return step(of_t2_, of_t1_, Missing::kWait);
    }
    return Missing::kNothing;
  }
  /// T2 packs what T1 has not handed over.
  bool is_ahead(std::uint32_t instruction, unsigned thread, unsigned semaphore) const {
    return semaphore == 0 && posted_ && taken_ && thread == 2 && packs_dst(instruction);
  }
  /// T2 packs behind a release and has not waited since: T1 happens to have committed a part.
  Missing packs(std::uint32_t instruction, unsigned thread) const {
    const bool waits = of_t2_.has_waited || !of_t2_.waits || !posted_ || !taken_;
    return waits || thread != 2 || !packs_dst(instruction) ? Missing::kNothing : Missing::kWait;
  }
  /// True if T1's changes of Dst matter now: T1 has not waited since its commit, or changed
  /// something before it waited.
  bool looks_at_changes() const {
    return (posted_ && of_t2_.waits && of_t1_.waits && !of_t1_.has_waited) || changed_too_early_;
  }
  void changed() { (of_t1_.has_waited ? changed_ : changed_too_early_) = true; }
  /// T2 waits for parts, so that all that were posted should be released in the end.
  bool is_kept_to() const { return posted_ && of_t1_.waits && of_t2_.waits; }

 private:
  struct Thread {
    bool waits = false;       ///< as it has to, ever
    bool has_waited = false;  ///< since its last step
  };
  static bool packs_dst(std::uint32_t instruction) {
    namespace op = regs::tensix;
    return op::opcode_of(instruction) == op::Opcode::kPacr &&
           op::Pacr::kFlush.of(instruction) == 0 && op::Pacr::kZeroWrite.of(instruction) == 0;
  }
  /// T1 while the semaphore is at its maximum, T2 while it is zero.
  Missing waited(std::uint32_t instruction, unsigned thread) {
    namespace op = regs::tensix;
    constexpr std::uint32_t kWhileZero = 1, kWhileMax = 2;
    const std::uint32_t conditions = op::Semwait::kConditionMask.of(instruction);
    if ((op::Semwait::kSemaphoreMask.of(instruction) >> kSemaphore & 1) == 0)
      return Missing::kNothing;
    if (thread == 1 && (conditions & kWhileMax) != 0) of_t1_ = {true, true};
    if (thread == 2 && (conditions & kWhileZero) != 0) of_t2_ = {true, true};
    return Missing::kNothing;
  }
  /// Forgets changes that were made only before the wait. Published kernels also leave data in a
  /// part that they fill anew after the wait.
  Missing commit() {
    const bool waited_late = changed_too_early_ && !changed_;
    changed_too_early_ = changed_ = false;
    const Missing missing = step(of_t1_, of_t2_, Missing::kAcquire);
    return waited_late && of_t2_.waits ? Missing::kAcquire : missing;
  }
  /// The other thread keeps to the order, so this one should.
  static Missing step(Thread& thread, const Thread& other, Missing wait) {
    const bool has_waited = thread.has_waited;
    thread.has_waited = false;
    return has_waited || !other.waits ? Missing::kNothing : wait;
  }

  bool posted_ = false;
  bool taken_ = false;
  Thread of_t1_, of_t2_;
  bool changed_too_early_ = false;  ///< between a commit and the wait behind it
  bool changed_ = false;            ///< and behind that
};

}  // namespace tvp::tensix::coprocessor
