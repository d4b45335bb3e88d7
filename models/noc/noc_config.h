#pragma once

#include "models/support/calendar.h"
#include "models/support/settings.h"

namespace tvp::noc {

/// Settings of a NoC: its NIUs, its routers, its links.
struct NocConfig : support::SettingGroup {
  NocConfig();

  support::Choice torus;

  support::Setting<unsigned> hop_cycles;
  support::Setting<unsigned> niu_to_router_cycles;
  support::Setting<unsigned> router_to_niu_cycles;
  support::Setting<unsigned> vc_reserved_flits;
  support::Setting<unsigned> pool_flits;
  support::Setting<unsigned> vc_pool_flits;
  support::Setting<unsigned> credit_cycles;
  support::Setting<unsigned> niu_buffer_flits;

  support::Setting<unsigned> register_load_cycles;
  support::Setting<unsigned> assign_cycles;
  support::Setting<unsigned> request_cycles;
  support::Setting<unsigned> target_cycles;
  support::Setting<unsigned> response_cycles;
  support::Setting<unsigned> receive_cycles;
  support::Setting<unsigned> l1_read_cycles;
  support::Setting<unsigned> l1_write_cycles;
  support::Setting<double> answer_bytes_per_cycle;
  support::Setting<unsigned> packets_per_vc;
  support::Setting<unsigned> path_reserve_hop_cycles;
};

/// How far the tiles of a chip may run ahead of each other with this network; the numbers that the
/// chip's Calendar is made with.
support::Calendar::Lookahead lookahead(const NocConfig& config);

}  // namespace tvp::noc
