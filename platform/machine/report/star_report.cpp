// The report of PimMachine about the switches that connect its units.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/machine/pim_machine.h"

namespace tvp::platform {

using Json = nlohmann::ordered_json;

/// Adds bytes and times of every link in both directions, and the busiest port.
void PimMachine::describe_star(Json& json) const {
  const pim::StarNetwork::Stats& s = star_->stats();
  const auto metric = [&](const std::string& name, double value, const char* unit) {
    json["metrics"]["switch." + name] = {{"value", value}, {"unit", unit}};
  };
  const auto ns = [](pim::StarLink::Ps ps) { return static_cast<double>(ps) / 1000; };
  metric("packets", static_cast<double>(s.injected), "packets");
  metric("multicasts", static_cast<double>(s.multicasts), "packets");
  metric("reductions", static_cast<double>(s.reductions), "packets");
  metric("packets_lost", static_cast<double>(s.lost), "packets");
  metric("most_to_combine", static_cast<double>(s.most_to_combine), "packets");
  std::uint64_t most_out = 0;
  std::uint64_t most_in = 0;
  pim::StarLink::Ps first = ~pim::StarLink::Ps{0};
  pim::StarLink::Ps last = 0;
  for (unsigned node = 0; node < star_->tree().nodes(); ++node) {
    if (star_->tree().parent(node) == switching::SwitchTree::kNone) continue;
    for (const pim::StarLink* const link : {&star_->up(node), &star_->down(node)}) {
      const pim::StarLink::Stats& t = link->stats;
      if (t.packets == 0) continue;
      json["links"].push_back({{"name", star_->name_of(*link)},
                               {"bytes", t.bytes},
                               {"busy_ns", ns(t.busy)},
                               {"packets", t.packets},
                               {"waited_ns", ns(t.waited)},
                               {"most_queued", t.most_queued},
                               {"peak", 1000 / link->ps_per_byte}});
      first = std::min(first, t.first);
      last = std::max(last, t.last);
    }
    if (!star_->tree().is_participant(node)) continue;
    most_out = std::max(most_out, star_->up(node).stats.bytes);
    most_in = std::max(most_in, star_->down(node).stats.bytes);
  }
  metric("port_bytes_out", static_cast<double>(most_out), "bytes");
  metric("port_bytes_in", static_cast<double>(most_in), "bytes");
  if (last == 0) return;
  // Time from the first byte that left a participant to the last one that arrived.
  metric("first_byte", ns(first), "ns");
  metric("last_byte", ns(last) + config_.switches.cut_through_ns, "ns");
  for (const std::string& line : star_->waiting()) json["waiting"].push_back(line);
}

}  // namespace tvp::platform
