// Exchanges one packet each way over the fabric, between two chips of a line or row. The last word
// of a payload, or a word that packets increment, counts the exchanges: a core answers when it sees
// the next count. As in tt-metal's latency test (tt_fabric_latency_sender.cpp), the first sender's
// time starts when its packet is in the NIU. It includes the answering core's time, which is stored
// separately for the host to subtract.

#include "firmware/kernels/microbenchmarks/fabric_client.h"

using namespace tvp::kernels::microbenchmarks;

namespace {

void set_route(Header* header) {
  const uint32_t hops = arg(kFabricHops);
#ifdef FABRIC_2D
  header->set_unicast(0, tvp::contract::fabric::kSouth, hops,
                      static_cast<tvp::contract::fabric::Direction>(arg(kFabricDirection)));
#else
  tt::tt_fabric::fabric_set_unicast_route<false>(header, static_cast<uint8_t>(hops));
#endif
}

void set_command(Header* header, uint32_t bytes) {
  const auto there = [](uint32_t address) {
    return get_noc_addr(arg(kFabricOtherX), arg(kFabricOtherY), address);
  };
  if (const uint32_t counter = arg(kFabricIncrements)) {
    header->to_noc_fused_unicast_write_atomic_inc(
        {there(arg(kFabricDestination)), there(counter), 1, false}, bytes);
  } else {
    header->to_noc_unicast_write({there(arg(kFabricDestination))}, bytes);
  }
}

}  // namespace

void kernel_main() {
  const bool begins = arg(kFabricBegins) != 0;
  const uint32_t bytes = arg(kFabricBytes);
  const uint32_t samples = arg(kFabricSamples);
  const uint32_t source = arg(kFabricSource);
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kFabricResults));
  auto* last_sent = reinterpret_cast<volatile uint32_t*>(source + bytes - sizeof(uint32_t));
  const uint32_t counter = arg(kFabricIncrements);
  auto* last_arrived = reinterpret_cast<volatile uint32_t*>(
      counter != 0 ? counter : arg(kFabricDestination) + bytes - sizeof(uint32_t));

  PacketHeaderPool::reset();
  Header* header = PacketHeaderPool::allocate_header();
  Connection connection = connect();
  set_route(header);
  set_command(header, bytes);

  for (uint32_t i = 0; i < samples; ++i) {
    *last_sent = i + 1;
    if (begins) {
      send(connection, header, source, bytes);
      const uint32_t start = c_tensix_core::read_wall_clock_l();
      noc_async_writes_flushed();
      noc_semaphore_wait(last_arrived, i + 1);
      results[i] = c_tensix_core::read_wall_clock_l() - start;
    } else {
      noc_semaphore_wait(last_arrived, i + 1);
      const uint32_t start = c_tensix_core::read_wall_clock_l();
      send(connection, header, source, bytes);
      results[i] = c_tensix_core::read_wall_clock_l() - start;
    }
    noc_async_writes_flushed();
  }
  fabric_client_disconnect(connection);
  noc_async_full_barrier();
}
