#include "platform/machine/dram_machine.h"

#include <nlohmann/json.hpp>

#include "platform/machine/dram_waves.h"
#include "platform/machine/state_digest.h"

namespace tvp::platform {

using Json = nlohmann::ordered_json;

namespace {

/// Whole megahertz: all presets have them.
std::uint64_t ck_mhz(const dram::Preset& preset) {
  return 1'000'000 * preset.timing.tck.ps_den / preset.timing.tck.ps_num;
}

}  // namespace

DramMachine::DramMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
                         PlatformConfig& config)
    : Machine(name, system, config, ck_mhz(config.dram.banked_preset())),
      calendar_(support::Calendar::Lookahead{}),
      memory_(config.dram.banked_preset(), config.dram.channel_options(),
              config.dram.mapping.value(), config.dram.hash_banks),
      source_(config.dram_traffic.make_source(memory_)),
      player_(memory_, *source_, config.dram_traffic.outstanding,
              config.dram_traffic.reach(memory_)) {
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

double DramMachine::to_ns(dram::MemCycle cycles) const {
  return static_cast<double>(cycles) * memory_.preset().timing.tck.ns();
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

void DramMachine::describe(Json& json) const {
  const auto latency = [&](const support::LatencyHistogram& histogram) {
    return Json{{"count", histogram.count()},
                {"mean_ns", histogram.mean() * memory_.preset().timing.tck.ns()},
                {"p50_ns", to_ns(histogram.percentile(0.5))},
                {"p99_ns", to_ns(histogram.percentile(0.99))},
                {"max_ns", to_ns(histogram.max())}};
  };
  const auto& totals = player_.totals();
  const double elapsed_ns = to_ns(totals.last_done);
  const double burst = memory_.mapping().burst_bytes();
  json["executed_instructions"] = 0;
  json["slept_instructions"] = 0;
  json["traffic"] = {{"finished", player_.finished()},
                     {"issued", totals.issued},
                     {"answered", totals.answered},
                     {"error", player_.error()},
                     {"elapsed_ns", elapsed_ns},
                     {"bytes", static_cast<double>(totals.answered) * burst},
                     {"read_latency", latency(totals.read_latency)},
                     {"write_latency", latency(totals.write_latency)}};
  json["dram"] = Json::array();
  for (std::size_t i = 0; i < memory_.channels(); ++i) {
    const dram::ChannelStats& s = memory_.channel(i).stats();
    const double bytes = static_cast<double>(s.reads + s.writes) * burst;
    const double bank_cycles =
        static_cast<double>(totals.last_done) * memory_.preset().organization.banks();
    Json commands;
    for (unsigned c = 0; c < dram::kCommands; ++c) {
      commands[dram::name_of(static_cast<dram::Command>(c))] = s.commands[c];
    }
    json["dram"].push_back(
        {{"name", "channel" + std::to_string(i)},
         {"reads", s.reads},
         {"writes", s.writes},
         {"forwarded", s.forwarded},
         {"row_hits", s.row_hits},
         {"row_misses", s.row_misses},
         {"row_conflicts", s.row_conflicts},
         {"bytes_per_ns", elapsed_ns > 0 ? bytes / elapsed_ns : 0},
         {"refresh_share",
          bank_cycles > 0 ? static_cast<double>(s.refresh_bank_cycles) / bank_cycles : 0},
         {"commands", commands},
         {"read_latency", latency(s.read_latency)},
         {"write_latency", latency(s.write_latency)}});
  }
}

}  // namespace tvp::platform
