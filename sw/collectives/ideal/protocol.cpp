#include "sw/collectives/ideal/protocol.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sw/collectives/ideal/ideal_fabric.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

const Protocol& protocol_named(const std::string& name) {
  const auto found =
      std::ranges::find_if(kProtocols, [&](const Protocol& each) { return name == each.name; });
  if (found == kProtocols.end())
    runtime::bad_use("protocol " + name, "expected one of simple, ll, ll128");
  return *found;
}

double time_by(const Protocol& protocol, const Schedule& schedule, double bytes,
               double bytes_per_ns) {
  constexpr double kTicks = 1000;  // ps
  IdealMachine machine;
  machine.alpha = static_cast<std::uint64_t>(std::llround(protocol.alpha_ns * kTicks));
  machine.chunk = static_cast<std::uint64_t>(std::llround(
      kTicks * bytes / schedule.vector_chunks() / (bytes_per_ns * protocol.data_share)));
  return static_cast<double>(IdealFabric(schedule, machine).run().time) / kTicks;
}

std::string text(const Protocol& protocol, const Schedule& schedule, double bytes,
                 double bytes_per_ns) {
  char line[160];
  std::snprintf(line, sizeof line,
                "  protocol %-10s alpha %g ns, beta %.4g ns/B, %g bytes in %.2f us\n",
                protocol.name, protocol.alpha_ns, 1 / (bytes_per_ns * protocol.data_share), bytes,
                time_by(protocol, schedule, bytes, bytes_per_ns) / 1000);
  return line;
}

}  // namespace tvp::collectives
