// Speed of the detailed mesh: uniform random packets of one flit on 8 x 8 routers with two virtual
// channels of eight flits. Prints routers times cycles, and packets, per CPU second.
//   bench_mesh [--short] [--json FILE]
#include <array>
#include <cstdio>
#include <string>
#include <systemc>

#include "models/mesh/make_mesh.h"
#include "models/mesh/traffic_generator.h"
#include "tests/support/bench_report.h"

namespace {

using namespace tvp;
using namespace tvp::mesh;
using test::BenchReport;

constexpr unsigned kSide = 8;

struct Row {
  const char* load;
  double bar;  ///< router-cycles a CPU second
};
// Ten times what BookSim2 does at the first load, five times at the others.
constexpr std::array<Row, 3> kRows{{{"0.02", 18.7e6}, {"0.1", 3.4e6}, {"0.2", 1.75e6}}};

void run(const Row& row, support::Cycle cycles, BenchReport& report) {
  MeshConfig config;
  config.width.set("8");
  config.height.set("8");
  TrafficConfig traffic;
  support::Calendar calendar({1, 1});
  const auto mesh = make_mesh(config, Topology(kSide, kSide), calendar);
  TrafficGenerator generator(traffic, *mesh, calendar);
  generator.start(std::stod(row.load), 0, cycles, cycles);
  const double start = test::cpu_seconds();
  calendar.run_until(support::kNever);
  const double seconds = test::cpu_seconds() - start;
  mesh->check_at_end();
  const auto packets = static_cast<double>(mesh->statistics().packets_delivered);
  const double routers = kSide * kSide * static_cast<double>(cycles) / seconds;
  std::printf("%5s %16.3g %12.3g %9.1f\n", row.load, routers, packets / seconds,
              generator.latency(0).mean());
  const std::string at = "at " + std::string(row.load);
  report.add(at + " router-cycles", routers, "1/s", BenchReport::Better::kHigher, row.bar);
  report.add(at + " packets", packets / seconds, "1/s", BenchReport::Better::kHigher);
}

}  // namespace

int sc_main(int argc, char** argv) {
  BenchReport report("mesh", argc, argv);
  const support::Cycle cycles = report.is_short() ? 1000 : 300'000;
  std::printf("%5s %16s %12s %9s\n", "load", "router-cycles/s", "packets/s", "latency");
  for (const Row& row : kRows) run(row, cycles, report);
  return report.finish();
}
