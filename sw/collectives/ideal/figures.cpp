#include "sw/collectives/ideal/figures.h"

#include <algorithm>
#include <cstdio>

#include "sw/collectives/ideal/ideal_fabric.h"
#include "sw/collectives/schedule/checker.h"

namespace tvp::collectives {

double n_alpha(const Schedule& schedule, IdealMachine machine) {
  // A message through the switch crosses each level up and down, and counts as one.
  machine.alpha = std::uint64_t{2} * machine.switch_levels;
  machine.switch_alpha = 1;
  machine.chunk = 0;
  machine.hop = 0;
  const auto alpha = static_cast<double>(machine.alpha);
  return static_cast<double>(IdealFabric(schedule, std::move(machine)).run().time) / alpha;
}

double n_beta(const Schedule& schedule, IdealMachine machine) {
  machine.alpha = 0;
  machine.chunk = 1;
  machine.hop = 0;
  return static_cast<double>(IdealFabric(schedule, std::move(machine)).run().time) /
         schedule.vector_chunks();
}

double n_gamma(const Schedule& schedule, IdealMachine machine) {
  machine.alpha = 0;
  machine.chunk = 0;
  machine.combine = 1;
  machine.hop = 0;
  return static_cast<double>(IdealFabric(schedule, std::move(machine)).run().time) /
         schedule.vector_chunks();
}

double busiest_port(const Schedule& schedule) {
  const FabricResult run = IdealFabric(schedule, {.ports = 0}).run();
  const std::uint64_t most = std::max(std::ranges::max(run.sent), std::ranges::max(run.received));
  return static_cast<double>(most) / schedule.vector_chunks();
}

Figures figures_of(const Schedule& schedule, std::shared_ptr<const IdealTopology> topology,
                   std::uint32_t slots) {
  Figures made;
  const double whole = schedule.vector_chunks();
  IdealMachine machine;
  machine.slots = slots;
  for (std::uint32_t ports = 1; ports <= 3; ++ports) {
    machine.ports = ports;
    made.n_alpha[ports - 1] = n_alpha(schedule, machine);
    made.n_beta[ports - 1] = n_beta(schedule, machine);
  }
  machine.ports = 0;
  made.chain = static_cast<std::uint64_t>(n_alpha(schedule, machine));
  made.busiest_port = busiest_port(schedule);
  made.scratch = schedule.scratch;
  made.peak_slots = Checker(schedule).run().peak_slots;
  if (!topology) return made;
  machine.topology = std::move(topology);
  machine.alpha = 0;
  machine.chunk = 1;
  const FabricResult wired = IdealFabric(schedule, machine).run();
  made.n_beta_on_links = static_cast<double>(wired.time) / whole;
  std::uint64_t all = 0;
  for (std::uint32_t link = 0; link < wired.carried.size(); ++link) {
    all += wired.carried[link];
    const double load = static_cast<double>(wired.carried[link]) / whole;
    if (load <= made.busiest_link_load) continue;
    made.busiest_link_load = load;
    made.busiest_link = machine.topology->link_name(link);
  }
  made.all_links = static_cast<double>(all) / whole;
  return made;
}

std::string text(const Figures& figures) {
  const auto line = [](const char* format, auto... values) {
    char buffer[160];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return std::string(buffer);
  };
  std::string made =
      line("  longest chain       %llu messages\n", static_cast<unsigned long long>(figures.chain));
  for (unsigned ports = 1; ports <= 3; ++ports)
    made += line("  %u port%s             n_alpha %-6g n_beta %.4f\n", ports, ports > 1 ? "s" : " ",
                 figures.n_alpha[ports - 1], figures.n_beta[ports - 1]);
  made += line("  busiest port        %.4f M\n", figures.busiest_port);
  made += line("  peak buffer         %u chunks of scratch, %u in slots of connections\n",
               figures.scratch, figures.peak_slots);
  if (!figures.busiest_link.empty())
    made +=
        line("  on links            n_beta %.4f, busiest link %s with %.4f M, all links %.4f M\n",
             figures.n_beta_on_links, figures.busiest_link.c_str(), figures.busiest_link_load,
             figures.all_links);
  return made;
}

}  // namespace tvp::collectives
