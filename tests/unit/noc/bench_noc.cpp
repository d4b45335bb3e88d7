// Speed of the two networks: uniform random packets of five flits among 8 x 8 tiles of the torus.
// Prints routers times cycles, and packets, per CPU second.
//   bench_noc [--json FILE]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <systemc>
#include <vector>

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

struct Result {
  std::string metric;
  double value;
  const char* unit;
  double bar;
};

void write_json(const char* path, const std::vector<Result>& results) {
  std::FILE* const out = std::fopen(path, "w");
  if (out == nullptr) {
    std::perror(path);
    std::exit(2);
  }
  const char* separator = "[";
  for (const Result& r : results) {
    std::fprintf(out,
                 "%s{\"bench\": \"noc\", \"metric\": \"%s\", \"value\": %.4g, "
                 "\"unit\": \"%s\", \"better\": \"higher\", \"bar\": %.4g}",
                 separator, r.metric.c_str(), r.value, r.unit, r.bar);
    separator = ",\n ";
  }
  std::fprintf(out, "]\n");
  std::fclose(out);
}

}  // namespace

int sc_main(int argc, char** argv) {
  const char* json = argc > 2 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr;
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
  std::vector<Result> results;
  for (std::size_t i = 0; i < benches.size(); ++i) {
    TorusBench& bench = *benches[i];
    for (auto& node : bench.nodes) node->recording = false;
    bench.start_traffic(loads[i % 3], kFlits, kSide, kSide, kCycles, 1);
    const double start = cpu_seconds();
    bench.calendar.run_until(kCycles);
    const double seconds = cpu_seconds() - start;
    const char* kind = i < 3 ? "fast" : "detailed";
    const double routers = kSide * kSide * static_cast<double>(kCycles) / seconds;
    const double packets = static_cast<double>(bench.packets()) / seconds;
    std::printf("%-9s %5.2f %16.3g %12.3g %9.1f %8.2g\n", kind, loads[i % 3], routers, packets,
                bench.mean_latency(), static_cast<double>(bench.calendar.events_fired()));
    const std::string at = std::string(kind) + " at " + std::to_string(loads[i % 3]).substr(0, 4);
    // The goal that the design sets: 10 M router-cycles a second when hardly anything moves.
    results.push_back({at + " router-cycles", routers, "1/s", i % 3 == 0 ? 10e6 : 1e6});
    results.push_back({at + " packets", packets, "1/s", 1e5});
  }
  if (json != nullptr) write_json(json, results);
  return 0;
}
