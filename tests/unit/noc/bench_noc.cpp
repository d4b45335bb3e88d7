// Speed of the two networks: uniform random packets of five flits among 8 x 8 tiles of the torus.
// Prints routers times cycles, and packets, per CPU second.
//   bench_noc [--short] [--json FILE]
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "tests/support/bench_report.h"
#include "tests/unit/noc/torus_bench.h"

namespace {

using namespace tvp;
using namespace tvp::noc;
using test::BenchReport;
using test::cpu_seconds;

constexpr unsigned kSide = 8;
constexpr unsigned kFlits = 5;

}  // namespace

int sc_main(int argc, char** argv) {
  BenchReport report("noc", argc, argv);
  const support::Cycle cycles = report.is_short() ? 1000 : 100'000;
  const double loads[] = {0.02, 0.1, 0.2};
  std::vector<std::unique_ptr<TorusBench>> benches;
  for (const char* kind : {"fast", "detailed"}) {
    for (std::size_t i = 0; i < 3; ++i) {
      benches.push_back(std::make_unique<TorusBench>(kind + std::to_string(i), kind));
    }
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::printf("%-9s %5s %16s %12s %9s %8s\n", "torus", "load", "router-cycles/s", "packets/s",
              "latency", "events");
  for (std::size_t i = 0; i < benches.size(); ++i) {
    TorusBench& bench = *benches[i];
    for (auto& node : bench.nodes) node->recording = false;
    bench.start_traffic(loads[i % 3], kFlits, kSide, kSide, cycles, 1);
    const double start = cpu_seconds();
    bench.calendar.run_until(cycles);
    const double seconds = cpu_seconds() - start;
    const char* kind = i < 3 ? "fast" : "detailed";
    const double routers = kSide * kSide * static_cast<double>(cycles) / seconds;
    const double packets = static_cast<double>(bench.packets()) / seconds;
    std::printf("%-9s %5.2f %16.3g %12.3g %9.1f %8.2g\n", kind, loads[i % 3], routers, packets,
                bench.mean_latency(), static_cast<double>(bench.calendar.events_fired()));
    const std::string at = std::string(kind) + " at " + std::to_string(loads[i % 3]).substr(0, 4);
    // The bar applies to the detailed router with almost no traffic.
    const bool has_bar = i == 3;
    report.add(at + " router-cycles", routers, "1/s", BenchReport::Better::kHigher,
               has_bar ? std::optional(10e6) : std::nullopt);
    report.add(at + " packets", packets, "1/s", BenchReport::Better::kHigher);
  }
  return report.finish();
}
