#include "platform/machine/profile/tasklet_meter.h"

namespace tvp::platform {

using support::Cycle;

TaskletMeter::TaskletMeter(pim::TaskletCore& core) : last_(core.tasklets(), kNoCode) {
  core.set_observer(this);
}

void TaskletMeter::started(Cycle now) {
  has_run_ = true;
  if (now > at_) booked_[kNoCode].of(Spent::kIdle) += now - at_;
  at_ = std::max(at_, now);
  last_.assign(last_.size(), kNoCode);
}

void TaskletMeter::dispatched(unsigned tasklet, std::uint32_t pc, Cycle now, Behind behind,
                              bool has_progress) {
  if (now > at_) {
    const Spent spent = behind == Behind::kMove      ? Spent::kDma
                        : behind == Behind::kMeeting ? Spent::kSemaphore
                                                     : Spent::kBusy;
    booked_[last_[tasklet] == kNoCode ? pc : last_[tasklet]].of(spent) += now - at_;
  }
  // Without progress, the DMA engine uses the port of WRAM, or a register does not respond.
  booked_[pc].of(has_progress ? Spent::kBusy : Spent::kDma) += 1;
  last_[tasklet] = pc;
  at_ = now + 1;
}

CyclesByPc TaskletMeter::until(Cycle now) const {
  CyclesByPc cycles = booked_;
  // After its last instruction the unit has no program, or waits without end.
  if (now > at_) cycles[kNoCode].of(Spent::kIdle) += now - at_;
  return cycles;
}

}  // namespace tvp::platform
