#include "sw/collectives/findings/claim.h"

#include <cmath>
#include <cstdio>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/ideal/figures.h"
#include "sw/collectives/ideal/ideal_fabric.h"
#include "sw/collectives/schedule/checker.h"

namespace tvp::collectives {

namespace {

IdealMachine with_ports(std::uint32_t ports) {
  IdealMachine machine;
  machine.ports = ports;
  return machine;
}

}  // namespace

Schedule built(const std::string& algorithm, Primitive primitive, std::uint32_t ranks,
               std::uint32_t segments, const std::string& variant, std::uint32_t buffer) {
  ScheduleRequest request;
  request.primitive = primitive;
  request.ranks = ranks;
  request.segments = segments;
  request.variant = variant;
  request.buffer = buffer;
  return algorithm_named(algorithm).schedule(request);
}

double alpha_count(const Schedule& schedule, std::uint32_t ports) {
  return n_alpha(schedule, with_ports(ports));
}

double beta_count(const Schedule& schedule, std::uint32_t ports) {
  return n_beta(schedule, with_ports(ports));
}

std::string figure(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", value);
  return buffer;
}

std::string cost_text(const Schedule& schedule, std::uint32_t ports) {
  return figure(alpha_count(schedule, ports)) + " α + " + figure(beta_count(schedule, ports)) +
         " M/BW";
}

std::uint64_t time_of(const Schedule& schedule, std::uint64_t alpha, std::uint64_t whole,
                      std::uint32_t slots) {
  IdealMachine machine;
  machine.slots = slots;
  machine.alpha = alpha;
  machine.chunk = whole / schedule.vector_chunks();
  return IdealFabric(schedule, machine).run().time;
}

std::uint64_t time_on(const Schedule& schedule, const std::string& topology, std::uint64_t chunk,
                      std::uint64_t hop) {
  IdealMachine machine;
  machine.chunk = chunk;
  machine.hop = hop;
  machine.ports = 0;
  machine.topology = topology_named(topology, schedule.size());
  return IdealFabric(schedule, machine).run().time;
}

bool near(double value, double expected) { return std::abs(value - expected) <= 0.01 * expected; }

Evidence cost_evidence(const Schedule& schedule, double alpha, double beta) {
  Evidence made{cost_text(schedule, 1), cost_text(schedule, 2), cost_text(schedule, 3)};
  made.holds = near(alpha_count(schedule, 1), alpha) && near(beta_count(schedule, 1), beta);
  return made;
}

Evidence steps_evidence(const char* algorithm, Primitive primitive,
                        std::uint32_t (*expected)(std::uint32_t ranks)) {
  Evidence made{.holds = true};
  const auto add = [](std::string& cell, double count) {
    cell += (cell.empty() ? "" : ", ") + figure(count);
  };
  std::string wanted;
  for (const std::uint32_t ranks : {8U, 15U, 16U, 64U, 72U, 512U}) {
    const Schedule schedule = built(algorithm, primitive, ranks);
    const double one = alpha_count(schedule, 1);
    add(made.one_port, one);
    add(made.two_ports, alpha_count(schedule, 2));
    add(made.three_ports, alpha_count(schedule, 3));
    add(made.elsewhere, alpha_count(schedule, 0));
    add(wanted, expected(ranks));
    made.holds = made.holds && one == expected(ranks);
  }
  made.elsewhere = "ports no limit: " + made.elsewhere + "; claimed: " + wanted;
  return made;
}

std::string judged(const Schedule& schedule) {
  const Verdict verdict = Checker(schedule).run();
  return verdict.right() ? "right" : verdict.problems.front().text;
}

}  // namespace tvp::collectives
