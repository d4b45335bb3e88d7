#include "platform/checks/noc/one_packet_stores.h"

#include "foundation/regs/noc.h"

namespace tvp::checks {

void OnePacketStores::on(const ProbeEvent& event) {
  if (event.packets <= 1) return;
  const TileContext::Core* const core = tile_.core(event.core);
  if (core == nullptr || !tile_.names.is_of("noc_send_one_packet", tile_.owner(*core), event.pc))
    return;
  const char* const niu = event.agent == BusMaster::kNoc1 ? ".niu1" : ".niu0";
  tile_.faults.raise(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where + niu,
      "request of " + std::to_string(event.bytes) +
          " bytes by a call that counts one packet, which holds at most " +
          std::to_string(regs::noc::kMaxPacketBytes) + ": the NIU makes " +
          std::to_string(event.packets) + " of it, and barriers wait for a wrong count"));
}

}  // namespace tvp::checks
