#include "platform/machine/machine_waves.h"

namespace tvp::platform {

namespace {

support::WaveRecorder::Options options_of(const WaveConfig& config) {
  support::WaveRecorder::Options options;
  options.file = config.file.value();
  options.scope = config.scope.value();
  options.from_ps = config.from_ns * 1000;
  if (config.to_ns != 0) options.to_ps = config.to_ns * 1000;
  return options;
}

const char* state_name(std::uint64_t value) {
  return riscv::to_string(static_cast<riscv::CoreState>(value));
}

/// "chip0.tensix(1,2).BRISC" as a path of scopes: brackets and commas mean something to viewers.
std::string path_of(const std::string& where) {
  std::string path;
  for (const char c : where) {
    if (c == ')') continue;
    path += c == '(' || c == ',' ? '_' : c;
  }
  return path;
}

}  // namespace

void MachineWaves::CoreState::core_state(const riscv::Core&, riscv::CoreState state,
                                         support::Cycle when) {
  signal.set(when, static_cast<std::uint64_t>(state));
}

MachineWaves::MachineWaves(const WaveConfig& config, const SystemDescription& system,
                           const std::vector<std::unique_ptr<Chip>>& chips,
                           const std::vector<std::unique_ptr<ethernet::Link>>& links)
    : recorder_(options_of(config)) {
  for (const auto& chip : chips) {
    for (const auto& tile : chip->tensix_tiles()) {
      for (unsigned i = 0; i < tensix::kTileCores; ++i) {
        watch_core(tile->core(static_cast<tensix::TileCore>(i)));
      }
    }
    for (const auto& tile : chip->ethernet_tiles()) watch_core(tile->core());
  }
  for (unsigned i = 0; i < links.size(); ++i) {
    const LinkEnd ends[] = {system.links[i].a, system.links[i].b};
    for (unsigned from = 0; from < 2; ++from) {
      const std::string path = "chip" + std::to_string(ends[from].chip) + ".link_" +
                               std::to_string(ends[from].channel) + "_to_chip" +
                               std::to_string(ends[1 - from].chip) + ".busy";
      recorder_.watch(links[i]->busy_signal(from), path, 1, nullptr, 0);
    }
  }
}

void MachineWaves::watch_core(riscv::Core& core) {
  CoreState& state = core_states_.emplace_back();
  recorder_.watch(state.signal, path_of(core.where()) + ".state", 0, state_name,
                  static_cast<std::uint64_t>(core.state()));
  if (state.signal.on()) core.set_state_listener(&state);
}

}  // namespace tvp::platform
