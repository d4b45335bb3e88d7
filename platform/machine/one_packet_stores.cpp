#include "platform/machine/one_packet_stores.h"

namespace tvp::platform {

bool OnePacketStores::counts_one_packet(support::BusMaster core) const {
  for (const KnownCore& known : cores_) {
    if (known.core->master() != core) continue;
    return symbols_.is_of("noc_send_one_packet", chip_, x_, y_, known.kind,
                          *known.core->pc_of_access());
  }
  return false;
}

}  // namespace tvp::platform
