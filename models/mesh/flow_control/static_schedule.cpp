#include "models/mesh/flow_control/static_schedule.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

StaticSchedule::StaticSchedule(const MeshTopology& topology, const RoutingTable& table)
    : topology_(topology),
      table_(table),
      uses_(std::size_t{topology.nodes()} * kPorts + topology.endpoints()) {}

const std::vector<std::uint32_t>& StaticSchedule::route(unsigned source, unsigned destination) {
  find_route(topology_, table_, source, destination, route_);
  return route_;
}

Cycle StaticSchedule::add(const Transfer& transfer) {
  Cycle cycle = transfer.start;
  take(std::size_t{topology_.nodes()} * kPorts + transfer.source,
       {cycle, cycle + transfer.flits, transfer});
  for (const std::uint32_t link : route(transfer.source, transfer.destination)) {
    ++cycle;
    take(link, {cycle, cycle + transfer.flits, transfer});
  }
  return cycle + transfer.flits;
}

void StaticSchedule::take(std::size_t link, const Use& use) {
  std::vector<Use>& uses = uses_[link];
  const auto after = std::lower_bound(uses.begin(), uses.end(), use.first,
                                      [](const Use& u, Cycle first) { return u.end <= first; });
  if (after != uses.end() && after->first < use.end) conflict(link, *after, use);
  uses.insert(after, use);
}

void StaticSchedule::forget(Cycle now) {
  for (std::vector<Use>& uses : uses_) {
    const auto live =
        std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.end > now; });
    uses.erase(uses.begin(), live);
  }
}

std::string StaticSchedule::name_of(const Transfer& transfer) const {
  return topology_.name_of_endpoint(transfer.source) + " to " +
         topology_.name_of_endpoint(transfer.destination) + " (" + std::to_string(transfer.flits) +
         " flits from cycle " + std::to_string(transfer.start) + ", tag " +
         std::to_string(transfer.tag) + ")";
}

void StaticSchedule::conflict(std::size_t link, const Use& a, const Use& b) const {
  const std::size_t links = std::size_t{topology_.nodes()} * kPorts;
  const auto number = static_cast<unsigned>(link);
  const std::string name =
      link < links
          ? topology_.name_of_link(number / kPorts, static_cast<Port>(number % kPorts))
          : "the link into " + topology_.name_of_endpoint(static_cast<unsigned>(link - links));
  throw Fault(FaultKind::kFirmware, "mesh",
              "conflict in the static schedule: " + name + " is driven in cycle " +
                  std::to_string(std::max(a.first, b.first)) + " by " + name_of(a.transfer) +
                  " and by " + name_of(b.transfer));
}

}  // namespace tvp::mesh
