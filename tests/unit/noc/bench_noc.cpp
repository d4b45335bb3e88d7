// Speed of the two networks: uniform random packets of five flits among 8 x 8 tiles of the torus.
// Prints routers times cycles, and packets, per CPU second.
#include <cstdio>
#include <ctime>
#include <systemc>

#include "tests/unit/noc/torus_bench.h"

namespace {

using namespace tvp;
using namespace tvp::noc;

constexpr unsigned kSide = 8;
constexpr unsigned kFlits = 5;
constexpr support::Cycle kCycles = 100000;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int sc_main(int, char**) {
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
    bench.start_traffic(loads[i % 3], kFlits, kSide, kSide, kCycles, 1);
    const double start = cpu_seconds();
    bench.calendar.run_until(kCycles);
    const double seconds = cpu_seconds() - start;
    std::printf("%-9s %5.2f %16.3g %12.3g %9.1f %8.2g\n", i < 3 ? "fast" : "detailed", loads[i % 3],
                kSide * kSide * static_cast<double>(kCycles) / seconds,
                static_cast<double>(bench.packets()) / seconds, bench.mean_latency(),
                static_cast<double>(bench.calendar.events_fired()));
  }
  return 0;
}
