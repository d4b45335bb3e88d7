// The report of channels under synthetic traffic.

#include <nlohmann/json.hpp>

#include "platform/machine/dram_machine.h"

namespace tvp::platform {

using Json = nlohmann::ordered_json;

double DramMachine::to_ns(dram::MemCycle cycles) const {
  return static_cast<double>(cycles) * memory_.preset().timing.tck.ns();
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
      commands[dram::name_of(static_cast<dram::DramCommand>(c))] = s.commands[c];
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
