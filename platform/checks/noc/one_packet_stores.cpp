#include "platform/checks/noc/one_packet_stores.h"

#include "foundation/regs/noc.h"

namespace tvp::checks {

void OnePacketStores::on(const ProbeEvent& event) {
  if (event.packets <= 1) return;
  const TileContext::Core* const core = tile_.core(event.core);
  if (core == nullptr || !tile_.names.is_of("noc_send_one_packet", tile_.owner(*core), event.pc))
    return;
  const char* const niu = event.agent == BusMaster::kNoc1 ? ".niu1" : ".niu0";
  tile_.faults.raise(
      foundation::Fault(foundation::FaultKind::kFirmware, tile_.where + niu,
                        "a call that counts one packet requests " + std::to_string(event.bytes) +
                            " bytes, which the NIU splits into " + std::to_string(event.packets) +
                            " packets, so barriers wait for a wrong count. Expected at most " +
                            std::to_string(regs::noc::kMaxPacketBytes) +
                            " bytes. Use the call for any number of bytes."));
}

}  // namespace tvp::checks
