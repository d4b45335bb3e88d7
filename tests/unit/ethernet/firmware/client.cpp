// Sends the packets that its arguments describe through a router or a mux.

#include "fabric/tt_fabric_mux_interface.hpp"
#include "tests/unit/ethernet/firmware/bare_map.h"

namespace {

using namespace tt::tt_fabric;
using namespace tvp::bare;

uint64_t wide(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

}  // namespace

void kernel_main() {
  size_t index = 0;
  const auto x =
      static_cast<uint8_t>(get_arg_val<uint32_t>(tvp::contract::fabric::kConnectionArgX));
  const auto y =
      static_cast<uint8_t>(get_arg_val<uint32_t>(tvp::contract::fabric::kConnectionArgY));
  auto connection =
      WorkerToFabricEdmSender::build_from_args<ProgrammableCoreType::ACTIVE_ETH>(index);
  const auto arg = [&](uint32_t i) { return get_arg_val<uint32_t>(static_cast<int>(index + i)); };
  const uint32_t status = arg(kClientStatusAddress);
  const uint32_t termination = arg(kClientTerminationAddress);
  const uint32_t packets = arg(kClientPackets);
  index += kClientArgs;

  wait_for_fabric_endpoint_ready(x, y, status,
                                 get_semaphore<ProgrammableCoreType::ACTIVE_ETH>(kStatusSemaphore));
  auto* results = reinterpret_cast<volatile uint32_t*>(kResults);
  results[0] = get_timestamp_32b();
  fabric_client_connect(connection);
  results[1] = get_timestamp_32b();

  auto* header = reinterpret_cast<volatile LowLatencyPacketHeader*>(kHeader);
  for (uint32_t i = 0; i < packets; ++i, index += kPacketArgs) {
    const uint64_t address = wide(arg(kPacketAddressLow), arg(kPacketAddressHigh));
    const uint64_t semaphore = wide(arg(kPacketSemaphoreLow), arg(kPacketSemaphoreHigh));
    const uint32_t bytes = arg(kPacketBytes);
    const uint32_t value = arg(kPacketValue);
    const bool flush = arg(kPacketFlush) != 0;
    if (arg(kPacketRange) == 0) {
      fabric_set_unicast_route<false>(header, static_cast<uint8_t>(arg(kPacketHops)));
    } else {
      fabric_set_mcast_route(header, static_cast<uint8_t>(arg(kPacketHops)),
                             static_cast<uint8_t>(arg(kPacketRange)));
    }
    switch (arg(kPacketKind)) {
      case NOC_UNICAST_WRITE:
        header->to_noc_unicast_write(NocUnicastCommandHeader{address}, bytes);
        break;
      case NOC_UNICAST_INLINE_WRITE:
        header->to_noc_unicast_inline_write(NocUnicastInlineWriteCommandHeader{address, value});
        break;
      case NOC_UNICAST_ATOMIC_INC:
        header->to_noc_unicast_atomic_inc(NocUnicastAtomicIncCommandHeader{address, value, flush});
        break;
      case NOC_FUSED_UNICAST_ATOMIC_INC:
        header->to_noc_fused_unicast_write_atomic_inc(
            NocUnicastAtomicIncFusedCommandHeader{address, semaphore, value, flush}, bytes);
        break;
      case NOC_UNICAST_SCATTER_WRITE: {
        // Half of the data to the address, half to the semaphore's address.
        NocUnicastScatterCommandHeader scatter{{address, semaphore},
                                               {static_cast<uint16_t>(bytes / 2)}};
        header->to_noc_unicast_scatter_write(scatter, bytes);
        break;
      }
    }
    connection.wait_for_empty_write_slot();
    if (header->payload_size_bytes != 0) {
      connection.send_payload_without_header_non_blocking_from_address(arg(kPacketSource), bytes);
    }
    results[2] = get_timestamp_32b();
    connection.send_payload_flush_blocking_from_address(kHeader, sizeof(LowLatencyPacketHeader));
  }
  results[3] = get_timestamp_32b();
  fabric_client_disconnect(connection);
  results[4] = get_timestamp_32b();
  if (termination != 0) fabric_endpoint_terminate(x, y, termination);
}
