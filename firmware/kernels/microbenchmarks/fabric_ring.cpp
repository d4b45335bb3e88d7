// A stream of multicasts into one router, all with one content and to one place, so that the core
// has little to do for a packet. The clock runs until all of them have left the router, as in
// tt-metal's benchmark of routers (tt_fabric_test_sender.cpp).

#include "firmware/kernels/microbenchmarks/fabric_client.h"

using namespace tvp::kernels::microbenchmarks;

void kernel_main() {
  const uint32_t bytes = arg(kFabricBytes);
  const uint32_t packets = arg(kFabricPackets);
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kFabricResults));
  const auto at = [](uint32_t address) {
    return get_noc_addr(arg(kFabricOtherX), arg(kFabricOtherY), address);
  };

  PacketHeaderPool::reset();
  Header* header = PacketHeaderPool::allocate_header();
  header->to_chip_multicast({1, static_cast<uint8_t>(arg(kFabricRange))});
  const uint32_t destination = arg(kFabricDestination);
  if (arg(kFabricScatters) != 0) {
    header->to_noc_unicast_scatter_write(
        tt::tt_fabric::NocUnicastScatterCommandHeader(
            {at(destination), at(destination + bytes / 2)}, {static_cast<uint16_t>(bytes / 2)}),
        bytes);
  } else if (arg(kFabricCounter) != 0) {
    header->to_noc_fused_unicast_write_atomic_inc(
        {at(destination), at(arg(kFabricCounter)), 1, true}, bytes);
  } else {
    header->to_noc_unicast_write({at(destination)}, bytes);
  }
  Connection connection = connect();
  results[0] = get_timestamp_32b();
  for (uint32_t packet = 0; packet < packets; ++packet)
    send(connection, header, arg(kFabricSource), bytes);
  fabric_client_disconnect(connection);
  results[1] = get_timestamp_32b();
  noc_async_full_barrier();
}
