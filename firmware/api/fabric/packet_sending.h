#pragma once
// Sends packets of any command (packet_commands.h). Packets use one connection with one header, or
// all connections of a RoutingPlaneConnectionManager with the headers of a route of the
// PacketHeaderPool. In the second case, arguments that differ between connections are arrays.

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "fabric/packet_commands.h"
#include "fabric/packet_header_pool.h"
#include "fabric/routing_plane_connection_manager.hpp"

namespace tvp::fabric {

using Connections = tt::tt_fabric::RoutingPlaneConnectionManager;

/// Destination of a packet on a line.
struct Unicast {
  using Part = uint8_t;
  uint8_t hops;
  FORCE_INLINE void set(PacketHeader* header) const { header->to_chip_unicast(hops); }
};
struct Multicast {
  using Part = uint8_t;
  uint8_t start;
  uint8_t range;
  FORCE_INLINE void set(PacketHeader* header) const { header->to_chip_multicast({start, range}); }
};
/// Bit n - 1 selects the chip n hops away.
struct SparseMulticast {
  using Part = uint16_t;
  uint16_t hops;
  template <typename Header>
  FORCE_INLINE void set(Header* header) const {
    header->to_chip_sparse_multicast({hops});
  }
};

// f(connection, header, index)
template <typename Client, typename F>
FORCE_INLINE void for_each_packet(Client* client, PacketHeader* header, F&& f) {
  f(client, header, 0);
}
template <typename F>
FORCE_INLINE void for_each_packet(Connections& connections, uint8_t route_id, F&& f) {
  PacketHeaderPool::for_each_header(
      route_id, [&](PacketHeader* header, uint8_t i) { f(&connections.get(i).sender, header, i); });
}
// f(header, index)
template <typename F>
FORCE_INLINE void for_each_header(PacketHeader* header, F&& f) {
  f(header, 0);
}
template <typename F>
FORCE_INLINE void for_each_header(uint8_t route_id, F&& f) {
  PacketHeaderPool::for_each_header(route_id, f);
}

/// The route of packet `i`, from numbers or arrays of them.
template <typename Part, typename Given>
FORCE_INLINE Part part_of(uint32_t i, const Given& given) {
  if constexpr (std::is_integral_v<Given>) {
    return static_cast<Part>(given);
  } else {
    return given[i];
  }
}
template <typename Route, typename... Parts>
FORCE_INLINE Route route_of(uint32_t i, const Parts&... parts) {
  return {part_of<typename Route::Part>(i, parts)...};
}

template <typename Command, typename Client>
FORCE_INLINE void send_filled(Client* client, PacketHeader* header, uint32_t source) {
  client->wait_for_empty_write_slot();
  if constexpr (Command::kPayload)
    client->send_payload_without_header_non_blocking_from_address(source,
                                                                  header->payload_size_bytes);
  client->send_payload_flush_non_blocking_from_address(
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(header)), sizeof(PACKET_HEADER_TYPE));
}
template <typename Command, typename Command::Mask mask, typename Route, typename Given>
FORCE_INLINE void fill(PacketHeader* header, const Route& route, const Given& given,
                       uint32_t bytes) {
  route.set(header);
  header->noc_send_type = Command::kType;
  if constexpr (!Command::kPayload) header->payload_size_bytes = 0;
  Command::template update<mask>(header, given, static_cast<uint16_t>(bytes));
}

/// Sets all fields. Source and bytes are only for commands with a payload. `to` and `by` are
/// connection and header, or connections and route.
template <typename Command, typename Route, typename To, typename By, typename... Parts>
requires(Command::kPayload) FORCE_INLINE
    void send(To&& to, By by, uint32_t source, uint32_t bytes,
              const typename Command::Fields& fields, const Parts&... parts) {
  for_each_packet(to, by, [&](auto* client, PacketHeader* header, uint32_t i) {
    fill<Command, Command::Mask::All>(header, route_of<Route>(i, parts...), fields, bytes);
    send_filled<Command>(client, header, source);
  });
}
template <typename Command, typename Route, typename To, typename By, typename... Parts>
requires(!Command::kPayload) FORCE_INLINE
    void send(To&& to, By by, const typename Command::Fields& fields, const Parts&... parts) {
  for_each_packet(to, by, [&](auto* client, PacketHeader* header, uint32_t i) {
    fill<Command, Command::Mask::All>(header, route_of<Route>(i, parts...), fields, 0);
    send_filled<Command>(client, header, 0);
  });
}

/// Fills in headers for many packets: the route, and the fields of the mask.
template <typename Command, typename Command::Mask mask, typename By, typename Hops,
          typename Given = decltype(nullptr)>
FORCE_INLINE void set_unicast(By by, const Hops& hops, const Given& given = nullptr,
                              uint16_t bytes = 0) {
  for_each_header(by, [&](PacketHeader* header, uint32_t i) {
    fill<Command, mask>(header, route_of<Unicast>(i, hops), given, bytes);
  });
}
template <typename Command, typename Command::Mask mask, typename By, typename Hops,
          typename Given = decltype(nullptr)>
FORCE_INLINE void set_multicast(By by, const Hops& start, const Hops& range,
                                const Given& given = nullptr, uint16_t bytes = 0) {
  for_each_header(by, [&](PacketHeader* header, uint32_t i) {
    fill<Command, mask>(header, route_of<Multicast>(i, start, range), given, bytes);
  });
}

/// Changes the fields of the mask and sends.
template <typename Command, typename Command::Mask mask, typename To, typename By,
          typename Given = decltype(nullptr)>
requires(Command::kPayload) FORCE_INLINE
    void with_state(To&& to, By by, uint32_t source, const Given& given = nullptr,
                    uint16_t bytes = 0) {
  for_each_packet(to, by, [&](auto* client, PacketHeader* header, uint32_t) {
    Command::template update<mask>(header, given, bytes);
    send_filled<Command>(client, header, source);
  });
}
template <typename Command, typename Command::Mask mask, typename To, typename By,
          typename Given = decltype(nullptr)>
requires(!Command::kPayload) FORCE_INLINE
    void with_state(To&& to, By by, const Given& given = nullptr) {
  for_each_packet(to, by, [&](auto* client, PacketHeader* header, uint32_t) {
    Command::template update<mask>(header, given, 0);
    send_filled<Command>(client, header, 0);
  });
}

}  // namespace tvp::fabric
