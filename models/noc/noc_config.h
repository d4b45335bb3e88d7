#pragma once

#include <cstdint>

#include "foundation/settings.h"
#include "models/support/calendar.h"

namespace tvp::noc {

/// Settings of a NoC: its NIUs, its routers, its links.
struct NocConfig : foundation::SettingGroup {
  NocConfig();

  foundation::Choice torus;

  foundation::Setting<unsigned> hop_cycles;
  foundation::Setting<unsigned> broadcast_hop_cycles;
  foundation::Setting<unsigned> niu_to_router_cycles;
  foundation::Setting<unsigned> router_to_niu_cycles;
  foundation::Setting<unsigned> vc_reserved_flits;
  foundation::Setting<unsigned> pool_flits;
  foundation::Setting<unsigned> pool_spare_flits;
  foundation::Setting<unsigned> vc_pool_flits;
  foundation::Setting<unsigned> credit_cycles;
  foundation::Setting<unsigned> niu_buffer_flits;

  foundation::Setting<unsigned> register_load_cycles;
  foundation::Setting<unsigned> assign_cycles;
  foundation::Setting<unsigned> request_cycles;
  foundation::Setting<unsigned> target_cycles;
  foundation::Setting<unsigned> response_cycles;
  foundation::Setting<unsigned> receive_cycles;
  foundation::Setting<unsigned> l1_read_cycles;
  foundation::Setting<unsigned> l1_write_cycles;
  foundation::Setting<double> answer_bytes_per_cycle;
  foundation::Setting<double> dram_request_cycles;
  foundation::Setting<unsigned> dram_answer_flits;
  foundation::Setting<double> dram_write_bytes_per_cycle;
  foundation::Setting<unsigned> packets_per_vc;
  foundation::Setting<unsigned> path_reserve_hop_cycles;
  foundation::Setting<unsigned> jitter;
  foundation::Setting<std::uint64_t> jitter_seed;
};

/// Limits how far the tiles of a chip may run ahead of each other with this network. The chip's
/// Calendar is made with it.
support::Calendar::Lookahead lookahead(const NocConfig& config);

}  // namespace tvp::noc
