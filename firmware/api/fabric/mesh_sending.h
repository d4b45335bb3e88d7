#pragma once
// Sends packets of any command (packet_commands.h) through a mesh of chips. Either one connection
// with one header sends to a named chip, or all connections of a RoutingPlaneConnectionManager send
// to the chips that the host gave them.

#include <stdint.h>

#include "fabric/mesh_pages.h"
#include "fabric/noc_addr.h"
#include "fabric/packet_sending.h"
#include "fabric/tt_fabric_api.h"

namespace tt::tt_fabric::mesh::experimental {

/// Numbers of chips to the east, west, north and south of the sender, for fabric_set_mcast_route.
struct MeshMcastRange {
  uint8_t e;
  uint8_t w;
  uint8_t n;
  uint8_t s;
};

}  // namespace tt::tt_fabric::mesh::experimental

namespace tvp::fabric {

using tt::tt_fabric::mesh::experimental::MeshMcastRange;

/// The rest of a call after its route: [source, bytes,] fields.
template <typename Command, typename Client>
requires(Command::kPayload) FORCE_INLINE
    void send_command(Client* client, PacketHeader* header, uint32_t source, uint32_t bytes,
                      const typename Command::Fields& fields) {
  header->noc_send_type = Command::kType;
  Command::template update<Command::Mask::All>(header, fields, static_cast<uint16_t>(bytes));
  send_filled<Command>(client, header, source);
}
template <typename Command, typename Client>
requires(!Command::kPayload) FORCE_INLINE
    void send_command(Client* client, PacketHeader* header,
                      const typename Command::Fields& fields) {
  header->noc_send_type = Command::kType;
  header->payload_size_bytes = 0;
  Command::template update<Command::Mask::All>(header, fields, 0);
  send_filled<Command>(client, header, 0);
}
/// The fields of the mask, [fields, bytes], for many packets.
template <typename Command, typename Command::Mask mask, typename Given = decltype(nullptr)>
requires(!AddressGenerator<Given>) FORCE_INLINE
    void set_command(PacketHeader* header, const Given& given = nullptr, uint16_t bytes = 0) {
  header->noc_send_type = Command::kType;
  if constexpr (!Command::kPayload) header->payload_size_bytes = 0;
  Command::template update<mask>(header, given, bytes);
}

// Templates, so that kernels of lines, whose headers have no such routes, may include this.
template <typename Header>
FORCE_INLINE void set_mesh_route(Header* header, uint16_t device, uint16_t mesh) {
  tt::tt_fabric::fabric_set_unicast_route(header, device, mesh);
}
template <typename Header>
FORCE_INLINE void set_mesh_route(Header* header, uint16_t device, uint16_t mesh,
                                 const MeshMcastRange& to) {
  tt::tt_fabric::fabric_set_mcast_route(header, device, mesh, to.e, to.w, to.n, to.s);
}

// To a chip.
template <typename Command, typename Client, typename... Rest>
FORCE_INLINE void mesh_unicast(Client* client, PacketHeader* header, uint16_t device, uint16_t mesh,
                               const Rest&... rest) {
  set_mesh_route(header, device, mesh);
  send_command<Command>(client, header, rest...);
}
template <typename Command, typename... Rest>
FORCE_INLINE void mesh_unicast(Connections& connections, uint8_t route_id, const Rest&... rest) {
  PacketHeaderPool::for_each_header(route_id, [&](PacketHeader* header, uint8_t i) {
    auto& slot = connections.get(i);
    mesh_unicast<Command>(&slot.sender, header, slot.dst_dev_id, slot.dst_mesh_id, rest...);
  });
}
template <typename Command, typename Command::Mask mask, typename... Rest>
FORCE_INLINE void set_mesh_unicast(PacketHeader* header, uint16_t device, uint16_t mesh,
                                   const Rest&... rest) {
  set_mesh_route(header, device, mesh);
  set_command<Command, mask>(header, rest...);
}
template <typename Command, typename Command::Mask mask, typename... Rest>
FORCE_INLINE void set_mesh_unicast(Connections& connections, uint8_t route_id,
                                   const Rest&... rest) {
  PacketHeaderPool::for_each_header(route_id, [&](PacketHeader* header, uint8_t i) {
    auto& slot = connections.get(i);
    set_mesh_unicast<Command, mask>(header, slot.dst_dev_id, slot.dst_mesh_id, rest...);
  });
}

// Sends to a block of chips, or with several connections to one block each.
template <typename Command, typename Client, typename... Rest>
FORCE_INLINE void mesh_multicast(Client* client, PacketHeader* header, uint16_t device,
                                 uint16_t mesh, const MeshMcastRange& to, const Rest&... rest) {
  set_mesh_route(header, device, mesh, to);
  send_command<Command>(client, header, rest...);
}
template <typename Command, typename... Rest>
FORCE_INLINE void mesh_multicast(Connections& connections, uint8_t route_id,
                                 const MeshMcastRange* to, const Rest&... rest) {
  PacketHeaderPool::for_each_header(route_id, [&](PacketHeader* header, uint8_t i) {
    auto& slot = connections.get(i);
    mesh_multicast<Command>(&slot.sender, header, slot.dst_dev_id, slot.dst_mesh_id, to[i],
                            rest...);
  });
}
template <typename Command, typename Command::Mask mask, typename... Rest>
FORCE_INLINE void set_mesh_multicast(PacketHeader* header, uint16_t device, uint16_t mesh,
                                     const MeshMcastRange& to, const Rest&... rest) {
  set_mesh_route(header, device, mesh, to);
  set_command<Command, mask>(header, rest...);
}
template <typename Command, typename Command::Mask mask, typename... Rest>
FORCE_INLINE void set_mesh_multicast(Connections& connections, uint8_t route_id,
                                     const MeshMcastRange* to, const Rest&... rest) {
  PacketHeaderPool::for_each_header(route_id, [&](PacketHeader* header, uint8_t i) {
    auto& slot = connections.get(i);
    set_mesh_multicast<Command, mask>(header, slot.dst_dev_id, slot.dst_mesh_id, to[i], rest...);
  });
}

}  // namespace tvp::fabric
