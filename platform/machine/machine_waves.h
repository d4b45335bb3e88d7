#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/ethernet/link.h"
#include "models/riscv/core.h"
#include "models/support/waves/wave_recorder.h"
#include "platform/machine/chip.h"
#include "platform/machine/platform_config.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// Which signals of a machine a wave file can show, and under which paths:
/// chip0.tensix_1_2.BRISC.state, chip0.link_14_to_chip1.busy, and the rows that the host names.
class MachineWaves {
 public:
  MachineWaves(const WaveConfig& config, const SystemDescription& system,
               const std::vector<std::unique_ptr<Chip>>& chips,
               const std::vector<std::unique_ptr<ethernet::Link>>& links);

  support::WaveRecorder& recorder() { return recorder_; }

 private:
  /// Forwards the states of a core to a signal.
  class CoreState : public riscv::CoreStateListener {
   public:
    void core_state(const riscv::Core& core, riscv::CoreState state, support::Cycle when) override;
    support::Signal signal;
  };
  void watch_core(riscv::Core& core);

  support::WaveRecorder recorder_;
  std::deque<CoreState> core_states_;
};

}  // namespace tvp::platform
