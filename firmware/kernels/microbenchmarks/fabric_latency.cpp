// Exchanges of one packet each way over the fabric, between two chips of a line. The last word of a
// payload counts the exchanges: a core answers when it sees the next count. As in tt-metal's
// latency test (tt_fabric_latency_sender.cpp), the beginner's time starts when it has given its
// packet to the NIU, and includes the answerer's, which is left beside it for the host to take off.

#include "firmware/kernels/microbenchmarks/fabric_client.h"

using namespace tvp::kernels::microbenchmarks;

void kernel_main() {
  const bool begins = arg(kFabricBegins) != 0;
  const uint32_t bytes = arg(kFabricBytes);
  const uint32_t samples = arg(kFabricSamples);
  const uint32_t source = arg(kFabricSource);
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kFabricResults));
  auto* last_sent = reinterpret_cast<volatile uint32_t*>(source + bytes - sizeof(uint32_t));
  auto* last_arrived =
      reinterpret_cast<volatile uint32_t*>(arg(kFabricDestination) + bytes - sizeof(uint32_t));

  PacketHeaderPool::reset();
  Header* header = PacketHeaderPool::allocate_header();
  Connection connection = connect();
  fabric_set_unicast_route<false>(header, static_cast<uint8_t>(arg(kFabricHops)));
  header->to_noc_unicast_write(
      tt::tt_fabric::NocUnicastCommandHeader{
          get_noc_addr(arg(kFabricOtherX), arg(kFabricOtherY), arg(kFabricDestination))},
      bytes);

  for (uint32_t i = 0; i < samples; ++i) {
    *last_sent = i + 1;
    if (begins) {
      send(connection, header, source, bytes);
      const uint32_t start = get_timestamp_32b();
      noc_async_writes_flushed();
      noc_semaphore_wait(last_arrived, i + 1);
      results[i] = get_timestamp_32b() - start;
    } else {
      noc_semaphore_wait(last_arrived, i + 1);
      const uint32_t start = get_timestamp_32b();
      send(connection, header, source, bytes);
      results[i] = get_timestamp_32b() - start;
    }
    noc_async_writes_flushed();
  }
  fabric_client_disconnect(connection);
  noc_async_full_barrier();
}
