#pragma once

#include <utility>
#include <vector>

#include "models/pim/tasklets/tasklet_core.h"
#include "models/support/time.h"
#include "platform/machine/profile/spent.h"

namespace tvp::platform {

/// Books the cycles of a core with tasklets. A cycle belongs to the instruction that the core
/// dispatches. A cycle without one belongs to the last instruction of the tasklet that goes next.
class TaskletMeter : public pim::TaskletObserver {
 public:
  /// The meter must live as long as the core runs.
  explicit TaskletMeter(pim::TaskletCore& core);
  TaskletMeter(const TaskletMeter&) = delete;
  TaskletMeter& operator=(const TaskletMeter&) = delete;

  void started(support::Cycle now) override;
  void dispatched(unsigned tasklet, std::uint32_t pc, support::Cycle now, Behind behind,
                  bool has_progress) override;

  bool has_run() const { return has_run_; }
  CyclesByPc take() { return std::exchange(booked_, {}); }
  CyclesByPc until(support::Cycle now) const;

 private:
  CyclesByPc booked_;
  std::vector<std::uint32_t> last_;  ///< pc of each tasklet's last instruction
  support::Cycle at_ = 0;            ///< all earlier cycles are in booked_
  bool has_run_ = false;
};

}  // namespace tvp::platform
