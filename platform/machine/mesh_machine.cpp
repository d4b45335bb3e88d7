#include "platform/machine/mesh_machine.h"

#include <bit>

#include "models/rtl/rtl_module.h"
#include "platform/machine/report/state_digest.h"
#include "platform/machine/waves/mesh_waves.h"

namespace tvp::platform {

using mesh::LoadPoint;

MeshMachine::MeshMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
                         PlatformConfig& config)
    : Machine(name, system, config, config.mesh.clock_mhz),
      calendar_(mesh::lookahead(config.mesh)),
      topology_(config.mesh.width, config.mesh.height),
      rtl_(rtl::make_rtl_routers("mesh", config.mesh, topology_)),
      sweep_(config.mesh, config.traffic, calendar_, rtl_.get()) {
  add_calendar(calendar_);
  sweep_.set_time_text([this](support::Cycle cycle) { return time_of(cycle); });
}

void MeshMachine::start() {
  Machine::start();
  sweep_.start();
}

void MeshMachine::watch(support::WaveRecorder& recorder) {
  watch_links(recorder, "mesh", sweep_.topology(), link_signals_);
  sweep_.set_link_signals(link_signals_.data());
  if (rtl_) watch_pins(recorder, "mesh", topology_, *rtl_);
}

void MeshMachine::check_at_end() const {
  sweep_.check_conservation();
  // The host may end the run while packets are in flight.
  if (idle()) sweep_.check_at_end();
}

std::uint64_t MeshMachine::state_digest() const {
  StateDigest digest;
  for (const LoadPoint& point : sweep_.points()) {
    digest.add_value(point.cycles);
    digest.add_value(std::bit_cast<std::uint64_t>(point.mean_latency));
    for (const std::uint64_t flits : point.statistics.link_flits) digest.add_value(flits);
  }
  return digest.value();
}

}  // namespace tvp::platform
