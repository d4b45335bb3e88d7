// Speed of the detailed mesh. Uniform random packets of one flit on 8 x 8 routers with two virtual
// channels of eight flits, at three loads. Then the cost of a flit's hop on 8 x 8 to 64 x 64
// routers. Prints routers times cycles, packets and hops per CPU second.
//   bench_mesh [--short] [--json FILE]
#include <array>
#include <cstdio>
#include <string>
#include <systemc>

#include "models/mesh/make_mesh.h"
#include "models/mesh/traffic/traffic_generator.h"
#include "tests/support/bench_report.h"

namespace {

using namespace tvp;
using namespace tvp::mesh;
using test::BenchReport;

struct Row {
  const char* load;
  double bar;  ///< router-cycles per CPU second
};
// Ten times the speed of BookSim2 at the first load, five times at the others.
constexpr std::array<Row, 3> kRows{{{"0.02", 18.7e6}, {"0.1", 3.4e6}, {"0.2", 1.75e6}}};
constexpr std::array<unsigned, 4> kSides{8, 16, 32, 64};

struct Measured {
  double setup_s;
  double run_s;
  double router_cycles;
  double flit_hops;
  double packets;
  double latency;
};

Measured run(unsigned side, double load, support::Cycle cycles) {
  MeshConfig config;
  config.width.set(std::to_string(side));
  config.height.set(std::to_string(side));
  MeshTrafficConfig traffic;
  support::Calendar calendar({1, 1});
  const double begin = test::cpu_seconds();
  const auto mesh = make_mesh(config, MeshTopology(side, side), calendar);
  TrafficGenerator generator(traffic, *mesh, calendar);
  generator.start(load, 0, cycles, cycles);
  const double start = test::cpu_seconds();
  calendar.run_until(support::kNever);
  const double end = test::cpu_seconds();
  mesh->check_at_end();
  const Statistics& done = mesh->statistics();
  double hops = 0;
  for (const std::uint64_t flits : done.link_flits) hops += static_cast<double>(flits);
  return {.setup_s = start - begin,
          .run_s = end - start,
          .router_cycles = static_cast<double>(side) * side * static_cast<double>(cycles),
          .flit_hops = hops,
          .packets = static_cast<double>(done.packets_delivered),
          .latency = generator.latency(0).mean()};
}

void measure_loads(support::Cycle cycles, BenchReport& report) {
  std::printf("%5s %16s %12s %9s\n", "load", "router-cycles/s", "packets/s", "latency");
  for (const Row& row : kRows) {
    const Measured m = run(8, std::stod(row.load), cycles);
    std::printf("%5s %16.3g %12.3g %9.1f\n", row.load, m.router_cycles / m.run_s,
                m.packets / m.run_s, m.latency);
    const std::string at = "at " + std::string(row.load);
    report.add(at + " router-cycles", m.router_cycles / m.run_s, "1/s",
               BenchReport::Better::kHigher, row.bar);
    report.add(at + " packets", m.packets / m.run_s, "1/s", BenchReport::Better::kHigher);
  }
}

/// Larger meshes with equal work per router and cycle. Packets are fewer but travel further, so the
/// middle links have equal load.
void measure_sizes(support::Cycle cycles, BenchReport& report) {
  constexpr double kLoadTimesSide = 0.8;
  constexpr double kMostGrowth = 1.5;  ///< largest growth of a hop's cost from 8 x 8 on
  constexpr double kSetupBar_s = 1;
  std::printf("%5s %8s %16s %12s %9s %8s\n", "side", "set-up s", "router-cycles/s", "flit-hops/s",
              "ns a hop", "growth");
  double first = 0;
  for (const unsigned side : kSides) {
    const Measured m = run(side, kLoadTimesSide / side, cycles * 64 / side / side);
    const double hop_s = m.run_s / m.flit_hops;
    if (first == 0) first = hop_s;
    std::printf("%5u %8.3f %16.3g %12.3g %9.1f %8.2f\n", side, m.setup_s, m.router_cycles / m.run_s,
                m.flit_hops / m.run_s, hop_s * 1e9, hop_s / first);
    const std::string name = std::to_string(side) + " x " + std::to_string(side) + " ";
    report.add(name + "router-cycles", m.router_cycles / m.run_s, "1/s",
               BenchReport::Better::kHigher);
    report.add(name + "flit-hops", m.flit_hops / m.run_s, "1/s", BenchReport::Better::kHigher);
    report.add(name + "growth of a hop", hop_s / first, "times", BenchReport::Better::kLower,
               kMostGrowth);
    report.add(name + "set-up", m.setup_s, "s", BenchReport::Better::kLower, kSetupBar_s);
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  BenchReport report("mesh", argc, argv);
  const support::Cycle cycles = report.is_short() ? 1000 : 300'000;
  measure_loads(cycles, report);
  measure_sizes(cycles, report);
  return report.finish();
}
