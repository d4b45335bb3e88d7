#pragma once

#include <deque>
#include <string>
#include <vector>

#include "models/riscv/core.h"
#include "models/support/wave_files/wave_recorder.h"
#include "platform/checks/code_names.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Rows of cores: state, kernel, and the line at which the state has last changed.
class CoreWaves {
 public:
  /// Adds the rows `path`.state, `path`.kernel and `path`.line.
  void watch(support::WaveRecorder& recorder, riscv::Core& core, const std::string& path,
             const SymbolTable& symbols, const checks::CodeOwner& owner);

 private:
  /// A signal whose values are texts.
  struct Texts {
    support::Signal signal;
    std::vector<std::string> known{""};
    void set(support::Cycle when, const std::string& text);
  };
  /// Forwards the states of a core to signals.
  class State : public riscv::CoreStateListener {
   public:
    State(const SymbolTable& symbols, const checks::CodeOwner& owner)
        : symbols_(symbols), owner_(owner) {}
    void core_state(const riscv::Core& core, riscv::CoreState state, support::Cycle when) override;
    support::Signal signal;
    Texts line;
    Texts kernel;

   private:
    void show_kernel(std::uint32_t pc, bool has_code, support::Cycle when);

    const SymbolTable& symbols_;
    const checks::CodeOwner owner_;
    support::Cycle resumed_ = 0;  ///< the core last began to run
    bool in_kernel_ = false;
  };

  std::deque<State> states_;
};

}  // namespace tvp::platform
