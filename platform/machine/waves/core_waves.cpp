#include "platform/machine/waves/core_waves.h"

namespace tvp::platform {

namespace {

std::string state_name(std::uint64_t value) {
  return riscv::to_string(static_cast<riscv::CoreState>(value));
}

}  // namespace

void CoreWaves::State::core_state(const riscv::Core&, riscv::CoreState state, support::Cycle when) {
  signal.set(when, static_cast<std::uint64_t>(state));
}

void CoreWaves::watch(support::WaveRecorder& recorder, riscv::Core& core, const std::string& path) {
  State& state = states_.emplace_back();
  recorder.watch(state.signal, {.path = path + ".state",
                                .text_of = state_name,
                                .initial = static_cast<std::uint64_t>(core.state()),
                                .always = true,
                                .rest = riscv::to_string(riscv::CoreState::kInReset)});
  if (state.signal.on()) core.set_state_listener(&state);
}

}  // namespace tvp::platform
