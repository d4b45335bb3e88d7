#include "sw/workloads/pim/headline_workload.h"

#include <array>
#include <chrono>
#include <cstdio>

#include "sw/collectives/pim/pim_run.h"
#include "sw/runtime/pim_system.h"

namespace tvp::workloads::pim {

namespace {

/// The times that the PIM interconnect document prints under "Performance" of the ring all-reduce.
struct Printed {
  unsigned nodes;
  double us;
};
constexpr std::array<Printed, 2> kPrinted{{{4, 38}, {32, 1300}}};
constexpr unsigned kRouters = 32;  // routers of the document's mesh, 4 x 8

unsigned steps(unsigned nodes) { return 2 * (nodes - 1); }

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

}  // namespace

HeadlineWorkload::Row HeadlineWorkload::measure(runtime::PimSystem& system, unsigned nodes,
                                                std::uint64_t seed, Result& result) const {
  collectives::PimRequest request(collectives::pim_collective("allreduce"));
  request.name = name();
  request.nodes = nodes;
  request.type = "int64";  // the document's only type
  request.bytes = 8;       // and its operand: one value a node
  request.seed = seed;
  Row row;
  row.nodes = nodes;
  for (const bool as_written : {false, true}) {
    request.as_written = as_written;
    collectives::PimRun run(system, request);
    run.place_operands();
    collectives::PimRun::Outcome outcome;
    const double compiled = system.compile_seconds();
    const auto start = std::chrono::steady_clock::now();
    run.run_units(outcome);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    run.judge(outcome);
    const double us = system.ns(outcome.end - outcome.begin) / 1000;
    row.longest_hop = ring_hops(run.plan(), system.line_units()).longest;
    if (!as_written) {
      row.standard_us = us;
      if (!outcome.reason.empty()) result.reason = outcome.reason;
      continue;
    }
    row.written_us = us;
    row.wall_us = (wall.count() - (system.compile_seconds() - compiled)) * 1e6;
    for (unsigned rank = 0; rank < nodes; ++rank) {
      const auto found = system.read_bank(rank, run.output_address(), 8);
      if (run.vectors().integer(found, 0) != run.vectors().as_written(rank, 0))
        result.reason = "rank " + std::to_string(rank) +
                        " does not have what the document's algorithm gives in closed form";
    }
  }
  return row;
}

Result HeadlineWorkload::run(Context& context) {
  runtime::PimSystem system(context.library);
  Result result;
  std::vector<Row> rows;
  for (const Printed& printed : kPrinted)
    rows.push_back(measure(system, printed.nodes, context.seed, result));
  context.compile_seconds += system.compile_seconds();
  result.passed = result.reason.empty();

  context.print("  nodes  steps  longest hop  simulated us   simulated us  wall us    document");
  context.print("                             (as written)   (by chunks)   (here)     (not said)");
  std::string routers;
  std::string cycles;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const Printed& printed = kPrinted[i];
    context.print(format("%7u%7u%13u%14.2f%15.2f%9.0f%9.0f us", row.nodes, steps(row.nodes),
                         row.longest_hop, row.written_us, row.standard_us, row.wall_us,
                         printed.us));
    // A step ends when the farthest packet has taken its hops and left.
    const unsigned mesh_cycles = steps(row.nodes) * (row.longest_hop + 1);
    routers +=
        format("%s%.0f", i == 0 ? "" : " and ", printed.us * 1000 / (mesh_cycles * kRouters));
    cycles += format("%s%.0f", i == 0 ? "" : " and ",
                     printed.us * static_cast<double>(system.clock_mhz()) / steps(row.nodes));
    const std::string prefix = "nodes_" + std::to_string(row.nodes) + "_";
    result.metrics.push_back({prefix + "as_written", row.written_us, "us simulated"});
    result.metrics.push_back({prefix + "by_chunks", row.standard_us, "us simulated"});
    result.metrics.push_back({prefix + "mesh_only", double(mesh_cycles), "cycles"});
    result.metrics.push_back({prefix + "wall", row.wall_us, "us of the host"});
    result.metrics.push_back({prefix + "document", printed.us, "us"});
  }
  context.print(
      "The document's figures can only be wall time of the program that simulated the mesh. As "
      "time "
      "of a machine a step");
  context.print("would take " + cycles + " cycles at " + std::to_string(system.clock_mhz()) +
                " MHz, for one packet over at most 3 and 10 hops. As wall time of 32 routers,");
  context.print("evaluated in every cycle, they agree with each other: " + routers +
                " ns a router and cycle. The algorithm's sums are wrong besides.");
  return result;
}

}  // namespace tvp::workloads::pim
