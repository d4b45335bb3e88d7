#pragma once

#include <deque>
#include <string>

#include "models/riscv/core.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::platform {

/// Rows with the states of cores.
class CoreWaves {
 public:
  /// Adds the row `path`.state.
  void watch(support::WaveRecorder& recorder, riscv::Core& core, const std::string& path);

 private:
  /// Forwards the states of a core to a signal.
  class State : public riscv::CoreStateListener {
   public:
    void core_state(const riscv::Core& core, riscv::CoreState state, support::Cycle when) override;
    support::Signal signal;
  };

  std::deque<State> states_;
};

}  // namespace tvp::platform
