#include "models/tensix/coprocessor/coprocessor.h"

namespace tvp::tensix::coprocessor {

Coprocessor::Coprocessor(const sc_core::sc_module_name& name, const std::string& where, L1Port& l1,
                         support::WatchHub& watch_hub, foundation::FaultPolicy& faults,
                         CoprocessorClient& client, const MovementConfig& movement,
                         const CoprocessorConfig& config, Generation generation)
    : sc_module(name),
      faults_(faults),
      thcon_port_(where + ".thcon", state_.write_back, issue_, faults_),
      backend_(where,
               {.state = state_,
                .l1 = l1,
                .registers = thcon_port_,
                .client = client,
                .mover_client = mover_targets_,
                .agent = issue_,
                .watch_hub = watch_hub,
                .offered = faults_.offered(),
                .faults = faults_,
                .generation = generation},
               movement, config),
      issue_(where, backend_, state_, watch_hub, faults_, config, generation),
      mover_targets_(backend_, issue_, client, watch_hub),
      windows_(state_, backend_, issue_, watch_hub) {}

const MovementConfig& Coprocessor::default_movement() {
  static const MovementConfig config;
  return config;
}

const CoprocessorConfig& Coprocessor::default_config() {
  static const CoprocessorConfig config;
  return config;
}

void Coprocessor::set_probe(support::Probe* probe) {
  state_.registers.dst_reports.set_probe(probe);
  if (probe != nullptr) probe->set_offered(&backend_.offered());
}

std::uint32_t Coprocessor::config_word(unsigned word) const {
  std::uint32_t value = 0;
  backend_.configuration().read_window(word, value);
  return value;
}

}  // namespace tvp::tensix::coprocessor
