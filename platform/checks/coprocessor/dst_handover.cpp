#include "platform/checks/coprocessor/dst_handover.h"

#include <utility>

#include "foundation/regs/tensix_opcodes.h"
#include "platform/checks/coprocessor/instructions.h"

namespace tvp::checks {

namespace op = regs::tensix;
using Kind = ProbeEvent::Kind;

namespace {

/// A thread has made a step. Returns true if its wait was missing, although the other thread keeps
/// to the order.
template <typename Thread>
bool step_without_wait(Thread& thread, const Thread& other) {
  return !std::exchange(thread.has_waited, false) && other.waits;
}

}  // namespace

Probe::Kinds DstHandover::kinds() const {
  if (!tile_.looks_at_config()) return 0;
  return Probe::bit(Kind::kProgramEnds) | Probe::bit(Kind::kSemaphore) |
         Probe::bit(Kind::kDstRead) | Probe::bit(Kind::kMath);
}

void DstHandover::on(const ProbeEvent& event) {
  if (event.kind == Kind::kProgramEnds) return program_ends();
  if (event.kind == Kind::kDstRead) {
    // Each packer of an instruction reports its rows.
    if (std::exchange(last_pack_at_, event.cycle) != event.cycle) packs(event);
    return;
  }
  if (event.kind == Kind::kMath) return result(event);
  if (event.index != kSemaphore) return;
  value_ = event.value;
  synchronized(event);
  if (looks_at_results() == asks_for_math_) return;
  asks_for_math_ = !asks_for_math_;
  tile_.probe->ask_for_math(asks_for_math_);
}

void DstHandover::synchronized(const ProbeEvent& event) {
  switch (op::opcode_of(event.instruction)) {
    case op::Opcode::kSemwait:
      return waited(event);
    case op::Opcode::kSeminit:
      posted_ = taken_ = false;
      return;
    case op::Opcode::kSempost:
      posted_ = event.thread == 1;
      if (posted_) commit(event);
      return;
    case op::Opcode::kSemget:
      taken_ = event.thread == 2;
      if (taken_ && step_without_wait(t2_, t1_)) warn_of_wait(event);
      return;
    default:
      return;  // The store of a core, which takes no part in the order.
  }
}

/// T1 waits while the semaphore is at its maximum, T2 while it is zero.
void DstHandover::waited(const ProbeEvent& event) {
  constexpr std::uint32_t kWhileZero = 1, kWhileMax = 2;
  const std::uint32_t conditions = op::Semwait::kConditionMask.of(event.instruction);
  if (event.thread == 1 && (conditions & kWhileMax) != 0) t1_ = {true, true};
  if (event.thread == 2 && (conditions & kWhileZero) != 0) t2_ = {true, true};
}

/// Ends the recording of T1's results for this part. A result before the wait is a mistake only if
/// none follows the wait: published kernels leave data in a part and fill it again after the wait.
void DstHandover::commit(const ProbeEvent& event) {
  const bool waited_late =
      std::exchange(result_too_early_, false) && !std::exchange(result_, false);
  result_ = false;
  const bool without_wait = step_without_wait(t1_, t2_);
  if (without_wait || (waited_late && t2_.waits)) warn_of_acquire(event);
}

void DstHandover::packs(const ProbeEvent& event) {
  last_pack_ = event.offered;
  if (event.thread != 2 || !posted_ || !taken_ || !packs_dst(event.instruction)) return;
  if (value_ == 0) {
    report(tile_.config_waits, tile_.where + ".coprocessor.T2",
           instruction_text(event.instruction, event.thread) +
               " packs rows of Dst that T1 has not committed (semaphore 1 is 0): a wait is "
               "missing. T2 may pack only a part that T1 has committed. Call tile_regs_wait before "
               "pack_tile" +
               origin_text(event.offered));
  } else if (t2_.waits && !t2_.has_waited) {
    warn_of_wait(event);
  }
}

/// The results of T1 matter if T1 has not waited since its commit, or made one before it waited.
bool DstHandover::looks_at_results() const {
  return (posted_ && t2_.waits && t1_.waits && !t1_.has_waited) || result_too_early_;
}

void DstHandover::result(const ProbeEvent& event) {
  if (event.thread != 1 || !looks_at_results() || !writes_result(event.instruction)) return;
  (t1_.has_waited ? result_ : result_too_early_) = true;
}

void DstHandover::program_ends() {
  if (value_ == 0 || !posted_ || !t1_.waits || !t2_.waits || !tile_.looks_at_config()) return;
  warn_coprocessor("the program has ended, but T2 has not released " + std::to_string(value_) +
                   (value_ == 1 ? " part" : " parts") +
                   " of Dst that T1 has committed. Each tile_regs_commit needs a "
                   "tile_regs_release: a tile_regs_release is missing. Call it after the last "
                   "pack_tile of the part" +
                   (last_pack_.pc == 0 ? "" : origin_text(last_pack_)));
}

void DstHandover::warn_of_acquire(const ProbeEvent& event) const {
  warn_coprocessor(instruction_text(event.instruction, event.thread) +
                   " commits a part of Dst that T1 did not wait for: the result is right only "
                   "because T2 had released the part by chance. T1 must wait until semaphore 1 is "
                   "below its maximum before it writes. A tile_regs_acquire is missing or comes "
                   "too late: call it before the first result" +
                   origin_text(event.offered));
}

void DstHandover::warn_of_wait(const ProbeEvent& event) const {
  warn_coprocessor(instruction_text(event.instruction, event.thread) +
                   " uses a part of Dst that T2 did not wait for: the result is right only because "
                   "T1 had committed the part by chance. T2 must wait until semaphore 1 is above "
                   "0. A tile_regs_wait is missing or comes too late: call it before pack_tile "
                   "and tile_regs_release" +
                   origin_text(event.offered));
}

void DstHandover::warn_coprocessor(const std::string& text) const {
  report(TileContext::Waits::kWarn, tile_.where + ".coprocessor", text);
}

}  // namespace tvp::checks
