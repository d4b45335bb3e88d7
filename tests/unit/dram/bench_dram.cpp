// Requests per CPU second of a DDR4-2400 channel with 64 outstanding requests, and of GDDR6's two
// channels.
//   bench_dram [--short] [--json FILE]
#include <cstdio>
#include <optional>
#include <string>
#include <systemc>

#include "models/dram/traffic/pattern_source.h"
#include "models/dram/traffic/traffic_player.h"
#include "tests/support/bench_report.h"

namespace {

using namespace tvp::dram;
using tvp::test::BenchReport;
using tvp::test::cpu_seconds;

struct Case {
  const char* name;
  const char* preset;
  PatternSource::Kind kind;
  double read_share;
  std::optional<double> bar;
};

constexpr Case kCases[] = {
    {"ddr4 stream", "ddr4_2400", PatternSource::Kind::kStream, 1, 1e6},
    {"ddr4 random", "ddr4_2400", PatternSource::Kind::kRandom, 1, 1e6},
    {"ddr4 random, half writes", "ddr4_2400", PatternSource::Kind::kRandom, 0.5, std::nullopt},
    {"gddr6 stream", "gddr6_12", PatternSource::Kind::kStream, 1, std::nullopt},
    {"gddr6 random", "gddr6_12", PatternSource::Kind::kRandom, 1, std::nullopt},
};

}  // namespace

// A build without optimization needs this function of the SystemC library.
int sc_main(int argc, char** argv) {
  BenchReport report("dram", argc, argv);
  const std::uint64_t requests = report.is_short() ? 10'000 : 1'000'000;
  for (const Case& c : kCases) {
    const Preset& preset = *find_preset(c.preset);
    MemorySystem memory(preset, {}, "row:rank:bank:bankgroup:column:channel", false);
    const PatternSource::Options options{.kind = c.kind,
                                         .requests = requests,
                                         .working_set_bytes = 1 << 26,
                                         .burst_bytes = preset.organization.burst_bytes(),
                                         .read_share = c.read_share};
    PatternSource source(options);
    TrafficPlayer player(memory, source, 64);
    const double start = cpu_seconds();
    player.run(kNeverMem);
    const double rate = static_cast<double>(requests) / (cpu_seconds() - start);
    std::printf("%-26s %12.3g requests/s\n", c.name, rate);
    report.add(std::string(c.name) + " requests", rate, "1/s", BenchReport::Better::kHigher, c.bar);
    if (!player.error().empty()) {
      std::fprintf(stderr, "%s: %s\n", c.name, player.error().c_str());
      return 1;
    }
  }
  return report.finish();
}
