#include "platform/machine/waves/core_waves.h"

#include <algorithm>

namespace tvp::platform {

using riscv::CoreState;
using support::Cycle;

namespace {

std::string core_state_name(std::uint64_t value) {
  return riscv::to_string(static_cast<CoreState>(value));
}

std::string without_folder(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string without_arguments(const std::string& function) {
  const std::size_t at = function.find('<');
  return at == 0 || function.starts_with("operator") ? function : function.substr(0, at);
}

/// For example "kernel_main reader.cpp:45 cb_wait_front": the kernel's own line and what it calls.
std::string line_text(const riscv::SourceLocation& place) {
  const riscv::SourceLocation* const own = place.own();
  const riscv::SourceLocation& shown = own != nullptr ? *own : place;
  const std::string called = own == nullptr ? "" : without_arguments(place.called());
  return without_arguments(shown.function) + " " + without_folder(shown.file) + ":" +
         std::to_string(shown.line) + (called.empty() ? "" : " " + called);
}

}  // namespace

void CoreWaves::Texts::set(Cycle when, const std::string& text) {
  auto found = std::find(known.begin(), known.end(), text);
  if (found == known.end()) found = known.insert(known.end(), text);
  signal.set(when, static_cast<std::uint64_t>(found - known.begin()));
}

/// A kernel begins with the last resumption before the core first waits in it. It ends when the
/// core waits in firmware again.
void CoreWaves::State::show_kernel(std::uint32_t pc, bool has_code, Cycle when) {
  const auto name = has_code && !symbols_.is_of_first(owner_, pc) ? symbols_.kernel(owner_)
                                                                  : std::function<std::string()>();
  if (static_cast<bool>(name) == in_kernel_) return;
  in_kernel_ = static_cast<bool>(name);
  if (in_kernel_) {
    kernel.set(resumed_, name());
  } else {
    kernel.set(when, "");
  }
}

void CoreWaves::State::core_state(const riscv::Core& core, CoreState state, Cycle when) {
  signal.set(when, static_cast<std::uint64_t>(state));
  if (state == CoreState::kRunning) resumed_ = when;
  if (!line.signal.on() && !kernel.signal.on()) return;
  const bool has_code = state != CoreState::kInReset;
  const auto place = has_code ? symbols_.place_of(owner_, core.pc()) : std::nullopt;
  line.set(when, place ? line_text(*place) : "");
  show_kernel(core.pc(), has_code, when);
}

void CoreWaves::watch(support::WaveRecorder& recorder, riscv::Core& core, const std::string& path,
                      const SymbolTable& symbols, const checks::CodeOwner& owner) {
  State& state = states_.emplace_back(symbols, owner);
  recorder.watch(state.signal, {.path = path + ".state",
                                .text_of = core_state_name,
                                .initial = static_cast<std::uint64_t>(core.state()),
                                .always = true,
                                .rest = riscv::to_string(CoreState::kInReset)});
  for (auto [texts, name] : {std::pair(&state.line, ".line"), std::pair(&state.kernel, ".kernel")})
    recorder.watch(texts->signal, {.path = path + name, .text_of = [texts](std::uint64_t value) {
                                     return texts->known[value];
                                   }});
  if (state.signal.on() || state.line.signal.on() || state.kernel.signal.on())
    core.set_state_listener(&state);
}

}  // namespace tvp::platform
