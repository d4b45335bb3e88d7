#include "platform/machine/dram_machine.h"

#include "platform/machine/report/state_digest.h"
#include "platform/machine/waves/dram_waves.h"

namespace tvp::platform {

namespace {

/// All presets have whole megahertz.
std::uint64_t ck_mhz(const dram::Preset& preset) {
  return 1'000'000 * preset.timing.tck.ps_den / preset.timing.tck.ps_num;
}

/// The part under test. A timing file of the run replaces the preset of the system.
dram::Preset part_of(PlatformConfig& config) {
  const std::string& file = config.dram_traffic.timing_file.value();
  if (!file.empty()) config.dram.read_part(file);
  return config.dram.banked_preset();
}

}  // namespace

DramMachine::DramMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
                         PlatformConfig& config)
    : Machine(name, system, config, ck_mhz(part_of(config))),
      calendar_(support::Calendar::Lookahead{}),
      memory_(config.dram.banked_preset(), config.dram.channel_options(),
              config.dram.mapping.value(), config.dram.hash_banks),
      source_(config.dram_traffic.make_source(memory_)),
      player_(memory_, *source_, config.dram_traffic.outstanding) {
  add_calendar(calendar_);
}

void DramMachine::start() {
  Machine::start();
  post_next();
}

void DramMachine::watch(support::WaveRecorder& recorder) {
  recorder_ = &recorder;
  logs_.resize(memory_.channels());
  for (std::size_t i = 0; i < logs_.size(); ++i) memory_.channel(i).set_log(&logs_[i]);
}

void DramMachine::finish() {
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    memory_.channel(i).set_log(nullptr);
    record_dram(*recorder_, "dram.channel_" + std::to_string(i), memory_.preset(), logs_[i]);
  }
  logs_.clear();
  Machine::finish();
}

void DramMachine::fire(support::Cycle now, std::uint64_t) {
  player_.run(now + 1);
  post_next();
}

void DramMachine::post_next() {
  const dram::MemCycle next = player_.next_time();
  if (next != dram::kNeverMem) calendar_.post(next, {}, *this, 0);
}

void DramMachine::check_at_end() const {
  const std::string error = player_.error();
  if (player_.finished() && !error.empty()) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "dram", error);
  }
}

std::uint64_t DramMachine::state_digest() const {
  StateDigest digest;
  digest.add_value(now());
  const auto& totals = player_.totals();
  for (const std::uint64_t value : {totals.issued, totals.answered, totals.last_done}) {
    digest.add_value(value);
  }
  for (std::size_t i = 0; i < memory_.channels(); ++i) {
    for (const std::uint64_t count : memory_.channel(i).stats().commands) digest.add_value(count);
  }
  return digest.value();
}

}  // namespace tvp::platform
