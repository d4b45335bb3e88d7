// Sends a buffer of this core's L1 to the same address of a core one chip further.

#include "api/dataflow/dataflow_api.h"
#include "fabric/packet_header_pool.h"
#include "fabric/tt_fabric_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"

void kernel_main() {
  // The connection's own arguments come first.
  size_t next = 0;
  auto router =
      tt::tt_fabric::WorkerToFabricEdmSender::build_from_args<ProgrammableCoreType::TENSIX>(next);
  const auto router_x = static_cast<uint8_t>(get_arg_val<uint32_t>(0));
  const auto router_y = static_cast<uint8_t>(get_arg_val<uint32_t>(1));
  const auto arg = [&next] { return get_arg_val<uint32_t>(static_cast<int>(next++)); };
  const uint32_t router_status = arg();
  const uint32_t status = get_semaphore(arg());
  const uint32_t there_x = arg();
  const uint32_t there_y = arg();
  const uint32_t buffer = arg();
  const uint32_t packets = arg();
  const uint32_t packet_bytes = arg();
  const uint32_t arrived = arg();

  tt::tt_fabric::wait_for_fabric_endpoint_ready(router_x, router_y, router_status, status);
  router.open();
  PacketHeaderPool::reset();
  auto* header = PacketHeaderPool::allocate_header();
  fabric_set_unicast_route<false>(header, 1);  // one hop

  for (uint32_t packet = 0; packet < packets; ++packet) {
    const uint32_t payload = buffer + packet * packet_bytes;
    const uint64_t destination = get_noc_addr(there_x, there_y, payload);
    if (packet + 1 < packets) {
      header->to_noc_unicast_write(tt::tt_fabric::NocUnicastCommandHeader{destination},
                                   packet_bytes);
    } else {
      // The last one says that all is there: packets arrive in order.
      header->to_noc_fused_unicast_write_atomic_inc(
          tt::tt_fabric::NocUnicastAtomicIncFusedCommandHeader{
              destination, get_noc_addr(there_x, there_y, arrived), 1, true},
          packet_bytes);
    }
    router.wait_for_empty_write_slot();
    router.send_payload_without_header_non_blocking_from_address(payload, packet_bytes);
    router.send_payload_flush_blocking_from_address(reinterpret_cast<uintptr_t>(header),
                                                    sizeof *header);
  }
  tt::tt_fabric::fabric_client_disconnect(router);
  noc_async_full_barrier();
}
