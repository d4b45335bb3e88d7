#include "models/tensix/coprocessor/scalar/sync_unit.h"

#include "foundation/regs/tensix_opcodes.h"
#include "foundation/warning_sink.h"
#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;

namespace {

/// Conditions of a STALLWAIT with an empty mask: scalar unit, unpackers, packers.
constexpr std::uint16_t kDefaultConditions = 0x7F;
constexpr std::uint16_t kDefaultBlock = kBlockMatrix;

void latch_wait(WaitLatch& latch, bool semaphores, std::uint32_t conditions,
                std::uint32_t semaphore_mask, std::uint32_t block_mask, Cycle now) {
  if (conditions == 0) {
    // An empty SEMWAIT is a STALLWAIT.
    semaphores = false;
    semaphore_mask = 0;
    conditions = kDefaultConditions;
  }
  latch.valid = true;
  latch.semaphores = semaphores;
  latch.condition_mask = static_cast<std::uint16_t>(conditions);
  latch.semaphore_mask = static_cast<std::uint8_t>(semaphore_mask);
  latch.block_mask = static_cast<std::uint16_t>(block_mask == 0 ? kDefaultBlock : block_mask);
  latch.from = now + 1;
  latch.released_at = support::kNever;
  latch.epoch = 0;
}

}  // namespace

Issue SyncUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now, WaitLatch& latch) {
  semaphores_changed_ = false;
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kAtgetm:
      return acquire(op::Atgetm::kIndex.of(instruction), thread, now);
    case op::Opcode::kAtrelm:
      return release(op::Atrelm::kIndex.of(instruction), thread, now);
    default:
      break;
  }
  if (slot_used_ == now) return Issue::retry_at(now + 1);
  const bool is_semwait = op::opcode_of(instruction) == op::Opcode::kSemwait;
  if (is_semwait && latch.valid && rules_.keeps_latched_wait()) {
    return latch.released_at == support::kNever ? Issue::blocked()
                                                : Issue::retry_at(latch.released_at);
  }
  slot_used_ = now;
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kStallwait:
      latch_wait(latch, false, rules_.conditions(op::Stallwait::kConditionMask.of(instruction)), 0,
                 op::Stallwait::kBlockMask.of(instruction), now);
      break;
    case op::Opcode::kSemwait:
      latch_wait(latch, true, op::Semwait::kConditionMask.of(instruction),
                 op::Semwait::kSemaphoreMask.of(instruction),
                 op::Semwait::kBlockMask.of(instruction), now);
      break;
    default: {
      const op::Opcode opcode = op::opcode_of(instruction);
      const std::uint32_t mask = op::Sempost::kSemaphoreMask.of(instruction);
      for (unsigned i = 0; i < kSemaphores; ++i) {
        if (((mask >> i) & 1U) == 0) continue;
        Semaphore& semaphore = semaphores_[i];
        if (opcode == op::Opcode::kSeminit) {
          semaphore.value = static_cast<std::uint8_t>(op::Seminit::kNewValue.of(instruction));
          semaphore.max = static_cast<std::uint8_t>(op::Seminit::kNewMax.of(instruction));
        } else if (opcode == op::Opcode::kSempost) {
          post(i, thread);
        } else {
          get(semaphore);
        }
      }
      semaphores_changed_ = mask != 0;
      break;
    }
  }
  return Issue::started(now, now + 1);
}

bool SyncUnit::bad_mutex(std::uint32_t index, unsigned thread) {
  if (rules_.has_mutex(index)) return false;
  faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, where_,
                                  "thread T" + std::to_string(thread) + " uses mutex " +
                                      std::to_string(index) +
                                      ", which does not exist: it waits forever"));
  return true;
}

Issue SyncUnit::acquire(std::uint32_t index, unsigned thread, Cycle now) {
  if (bad_mutex(index, thread)) return Issue::blocked();
  if (mutex_used_[index] == now) return Issue::retry_at(now + 1);
  if (held_by_[index] != kNobody && held_by_[index] != thread) return Issue::blocked();
  mutex_used_[index] = now;
  held_by_[index] = static_cast<std::uint8_t>(thread);
  return Issue::started(now, now + 1);
}

Issue SyncUnit::release(std::uint32_t index, unsigned thread, Cycle now) {
  if (bad_mutex(index, thread)) return Issue::blocked();
  if (mutex_used_[index] == now) return Issue::retry_at(now + 1);
  mutex_used_[index] = now;
  if (held_by_[index] == thread) held_by_[index] = kNobody;
  return Issue::started(now, now + 1);
}

void SyncUnit::access_from_core(unsigned i, std::uint32_t value) {
  if ((value & 1U) != 0) {
    get(semaphores_[i]);
  } else {
    post(i, kCore);
  }
}

void SyncUnit::warn_of_post(unsigned i, unsigned by) {
  auto* const sink = dynamic_cast<foundation::WarningSink*>(&faults_);
  if (sink == nullptr || (warned_ >> i & 1U) != 0) return;
  warned_ = static_cast<std::uint8_t>(warned_ | 1U << i);
  const std::string who =
      by == kCore ? "the store of a core" : "a SEMPOST of T" + std::to_string(by);
  sink->warn(foundation::Fault(
      foundation::FaultKind::kFirmware, where_,
      who + " takes semaphore " + std::to_string(i) + " beyond the " +
          std::to_string(semaphores_[i].max) +
          " that SEMINIT set: no thread waited until it was below (a SEMWAIT, or "
          "tile_regs_acquire where MATH hands over Dst, is missing or stands before a loop)"));
}

bool SyncUnit::keeps_waiting(const WaitLatch& latch) const {
  for (unsigned i = 0; i < kSemaphores; ++i) {
    if (((latch.semaphore_mask >> i) & 1U) == 0) continue;
    const Semaphore& semaphore = semaphores_[i];
    if ((latch.condition_mask & 1U) != 0 && semaphore.value == 0) return true;
    if ((latch.condition_mask & 2U) != 0 && semaphore.value >= semaphore.max) return true;
  }
  return false;
}

}  // namespace tvp::tensix::coprocessor
