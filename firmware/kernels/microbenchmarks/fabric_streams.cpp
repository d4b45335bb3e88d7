// Sends streams into the routers of a chip from one core, one packet of each in turn, as in
// tt-metal's benchmark of routers (tt_fabric_test_sender.cpp). A stream that waits for a slot
// blocks all of them. The first packets bring the payloads. Later packets send only headers, and
// the slot still holds an earlier payload, so that the core's work does not depend on the size. The
// state of the streams is in L1.

#include "firmware/kernels/microbenchmarks/fabric_client.h"

using namespace tvp::kernels::microbenchmarks;

namespace {

constexpr uint32_t kStreams = get_compile_time_arg_val(0);
constexpr uint32_t kConnections = get_compile_time_arg_val(1);

struct Stream {
  Connection* connection;
  Header* header;
  uint32_t packets;  ///< remaining packets
  uint32_t sent;

  bool has_packets() const { return sent < packets; }
};

/// In L1, as in the benchmark: streams are accessed through pointers, and connections through those
/// of streams.
struct State {
  Stream* streams[kStreams];
  Stream stream[kStreams];
  Connection connections[kConnections];
};

/// Sets the command that a stream's packets execute at their destination.
void set_command(Header* header, uint32_t block) {
  const auto at = [block](uint32_t address) {
    return get_noc_addr(arg(block + kStreamToX), arg(block + kStreamToY), address);
  };
  const uint32_t bytes = arg(kStreamsBytes);
  const uint32_t destination = arg(block + kStreamDestination);
  const uint32_t counter = arg(block + kStreamCounter);
  if (arg(kStreamsScatters) != 0) {
    header->to_noc_unicast_scatter_write(
        tt::tt_fabric::NocUnicastScatterCommandHeader(
            {at(destination), at(destination + bytes / 2)}, {static_cast<uint16_t>(bytes / 2)}),
        bytes);
  } else if (counter != 0) {
    header->to_noc_fused_unicast_write_atomic_inc({at(destination), at(counter), 1, true}, bytes);
  } else {
    header->to_noc_unicast_write({at(destination)}, bytes);
  }
}

#ifdef FABRIC_2D
void set_route(Header* header, uint32_t route) {
  using namespace tvp::contract::fabric;
  const uint32_t east = arg(route + kRouteEast);
  const uint32_t west = arg(route + kRouteWest);
  const uint32_t south = arg(route + kRouteSouth);
  const uint32_t column = south != 0 ? south : arg(route + kRouteNorth);
  const Direction along_column = south != 0 ? kSouth : kNorth;
  if (arg(route + kRouteMulticast) != 0) {
    header->set_multicast(column, along_column, east, west);
  } else {
    header->set_unicast(column, along_column, east + west, east != 0 ? kEast : kWest);
  }
}
#else
void set_route(Header* header, uint32_t route) {
  header->to_chip_multicast({static_cast<uint8_t>(arg(route + kRouteFirst)),
                             static_cast<uint8_t>(arg(route + kRouteRange))});
}
#endif

State* make_state() {
  auto* state = reinterpret_cast<State*>(arg(kStreamsState));
  size_t next = kStreamsArgs + kStreams * kStreamArgs;
  for (Connection& connection : state->connections) {
    const auto x = static_cast<uint8_t>(arg(next + tvp::contract::fabric::kConnectionArgX));
    const auto y = static_cast<uint8_t>(arg(next + tvp::contract::fabric::kConnectionArgY));
    connection = Connection::build_from_args<ProgrammableCoreType::TENSIX>(next);
    tt::tt_fabric::wait_for_fabric_endpoint_ready(
        x, y, arg(kStreamsRouterStatus), get_semaphore(fabric_status_semaphore(kConnections)));
    connection.open();
  }
  for (uint32_t i = 0; i < kStreams; ++i) {
    const uint32_t block = kStreamsArgs + i * kStreamArgs;
    Stream* stream = &state->stream[i];
    state->streams[i] = stream;
    stream->connection = &state->connections[arg(block + kStreamConnection)];
    stream->packets = arg(kStreamsPackets);
    stream->sent = 0;
    stream->header = PacketHeaderPool::allocate_header();
    set_route(stream->header, block + kStreamRoute);
    set_command(stream->header, block);
  }
  return state;
}

}  // namespace

void kernel_main() {
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kStreamsResults));
  PacketHeaderPool::reset();
  State* state = make_state();
  const uint32_t warm_up = arg(kStreamsWarmUp);
  for (uint32_t packet = 0; packet < warm_up; ++packet) {
    for (const Stream* stream : state->streams)
      send(*stream->connection, stream->header, arg(kStreamsSource), arg(kStreamsBytes));
  }
  results[0] = c_tensix_core::read_wall_clock_l();
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
  results[1] = c_tensix_core::read_wall_clock_l();
  for (Connection& connection : state->connections) fabric_client_disconnect(connection);
  noc_async_full_barrier();
}
