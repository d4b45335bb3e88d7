// Packets to each neighbor of a chip in turn, from one core, as tt-metal's benchmark of routers
// sends them (tt_fabric_test_sender.cpp): only headers, behind which a slot still holds the payload
// of a packet before, so that the core has little to do for a packet of any size. The first packets
// bring those payloads. What the core knows of its neighbors is in L1.

#include "firmware/kernels/microbenchmarks/fabric_client.h"

using namespace tvp::kernels::microbenchmarks;

namespace {

constexpr uint32_t kNeighbors = get_compile_time_arg_val(0);

struct Stream {
  Connection* connection;
  Header* header;
  uint32_t packets;  ///< to send
  uint32_t sent;

  bool has_packets() const { return sent < packets; }
};

/// In L1, as in the benchmark: streams are reached through pointers, and connections through those
/// of streams.
struct State {
  Stream* streams[kNeighbors];
  Stream stream[kNeighbors];
  Connection connections[kNeighbors];
};

State* make_state() {
  constexpr uint32_t kBlock = kNeighborArgs + tvp::contract::fabric::kConnectionRuntimeArgs;
  auto* state = reinterpret_cast<State*>(arg(kNeighborsState));
  for (uint32_t i = 0; i < kNeighbors; ++i) {
    const uint32_t block = kNeighborsArgs + i * kBlock;
    size_t next = block + kNeighborArgs;
    const auto x = static_cast<uint8_t>(arg(next + tvp::contract::fabric::kConnectionArgX));
    const auto y = static_cast<uint8_t>(arg(next + tvp::contract::fabric::kConnectionArgY));
    Stream* stream = &state->stream[i];
    state->streams[i] = stream;
    stream->connection = &state->connections[i];
    stream->packets = arg(kNeighborsPackets);
    stream->sent = 0;
    *stream->connection = Connection::build_from_args<ProgrammableCoreType::TENSIX>(next);
    tt::tt_fabric::wait_for_fabric_endpoint_ready(
        x, y, arg(kNeighborsRouterStatus), get_semaphore(fabric_status_semaphore(kNeighbors)));
    stream->connection->open();
    stream->header = PacketHeaderPool::allocate_header();
    fabric_set_unicast_route<false>(stream->header, 1);
    const uint32_t x_there = arg(kNeighborsOtherX);
    const uint32_t y_there = arg(kNeighborsOtherY);
    const uint64_t to = get_noc_addr(x_there, y_there, arg(block + kNeighborDestination));
    const uint32_t counter = arg(block + kNeighborCounter);
    if (counter == 0) {
      stream->header->to_noc_unicast_write(tt::tt_fabric::NocUnicastCommandHeader{to},
                                           arg(kNeighborsBytes));
    } else {
      stream->header->to_noc_fused_unicast_write_atomic_inc(
          {to, get_noc_addr(x_there, y_there, counter), 1, true}, arg(kNeighborsBytes));
    }
  }
  return state;
}

}  // namespace

void kernel_main() {
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kNeighborsResults));
  PacketHeaderPool::reset();
  State* state = make_state();
  const uint32_t warm_up = arg(kNeighborsWarmUp);
  for (uint32_t packet = 0; packet < warm_up; ++packet) {
    for (const Stream* stream : state->streams)
      send(*stream->connection, stream->header, arg(kNeighborsSource), arg(kNeighborsBytes));
  }
  results[0] = get_timestamp_32b();
  bool left = true;
  while (left) {
    left = false;
    for (Stream* stream : state->streams) {
      if (!stream->has_packets()) continue;
      Connection& connection = *stream->connection;
      connection.wait_for_empty_write_slot();
      connection.send_payload_flush_non_blocking_from_address(
          reinterpret_cast<uintptr_t>(stream->header), sizeof(Header));
      ++stream->sent;
      left |= stream->has_packets();
    }
  }
  results[1] = get_timestamp_32b();
  for (const Stream* stream : state->streams) fabric_client_disconnect(*stream->connection);
  noc_async_full_barrier();
}
