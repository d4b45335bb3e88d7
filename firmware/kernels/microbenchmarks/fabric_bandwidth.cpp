// Sends a stream of packets into one router, to the chips of a line in turn. In the long run the
// router takes as much as its link carries, so the clock is read after all slots on the way are
// full.

#include "firmware/kernels/microbenchmarks/fabric_client.h"

using namespace tvp::kernels::microbenchmarks;

void kernel_main() {
  constexpr uint32_t kMostDevices = 3;
  const uint32_t bytes = arg(kFabricBytes);
  const uint32_t devices = arg(kFabricDevices);
  const uint32_t packets = arg(kFabricPackets);
  const uint32_t warm_up = arg(kFabricWarmUp);
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kFabricResults));

  PacketHeaderPool::reset();
  Header* headers[kMostDevices];
  for (uint32_t i = 0; i < devices; ++i) {
    headers[i] = PacketHeaderPool::allocate_header();
    fabric_set_unicast_route<false>(headers[i], static_cast<uint8_t>(i + 1));
  }
  Connection connection = connect();

  uint32_t source = arg(kFabricSource);
  uint64_t destination =
      get_noc_addr(arg(kFabricOtherX), arg(kFabricOtherY), arg(kFabricDestination));
  const uint32_t counter = arg(kFabricCounter);
  const uint64_t count_at = get_noc_addr(arg(kFabricOtherX), arg(kFabricOtherY), counter);
  uint32_t device = 0;
  for (uint32_t i = 0; i < packets; ++i) {
    if (i == warm_up) results[0] = c_tensix_core::read_wall_clock_l();
    Header* header = headers[device];
    // Waits until the header's last copy to the router has been read.
    if (device == 0) noc_async_writes_flushed();
    if (counter == 0) {
      header->to_noc_unicast_write(tt::tt_fabric::NocUnicastCommandHeader{destination}, bytes);
    } else {
      header->to_noc_fused_unicast_write_atomic_inc({destination, count_at, 1, true}, bytes);
    }
    send(connection, header, source, bytes);
    source += kFabricSourceStep;
    if (++device == devices) {
      device = 0;
      destination += bytes;
    }
  }
  results[1] = c_tensix_core::read_wall_clock_l();
  fabric_client_disconnect(connection);
  noc_async_full_barrier();
}
