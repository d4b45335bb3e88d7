#pragma once
// Packets on lines and rings by tt-metal's names (linear/api.h): the functions of packet_sending.h
// for each command. Arguments, in this order:
//   fabric_unicast_noc_COMMAND            connection, header, [source, bytes,] fields, hops
//   fabric_multicast_noc_COMMAND          … fields, start, range
//   fabric_unicast_noc_…_set_state<mask>  header, hops, fields, [bytes]
//   fabric_multicast_…_set_state<mask>    header, start, range, fields, [bytes]
//   …_with_state<mask>                    connection, header, [source,] fields, [bytes]
// Connection and header may be connections and the number of a route of the PacketHeaderPool; hops,
// start and range are then arrays. In the functions with a state, fields and bytes that no mask
// names can be left out. None of them waits until its packet has left.

#include <stdint.h>

#include "fabric/noc_addr.h"
#include "fabric/packet_sending.h"
#include "fabric/tt_fabric_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"

namespace tt::tt_fabric::common::experimental {

/// Takes the run-time arguments of the connections and opens them.
FORCE_INLINE void open_connections(RoutingPlaneConnectionManager& connections, uint32_t count,
                                   size_t& rt_arg_idx) {
  connections = RoutingPlaneConnectionManager::build_from_args<
      RoutingPlaneConnectionManager::BUILD_AND_OPEN_CONNECTION>(rt_arg_idx, count);
}
FORCE_INLINE void close_connections(RoutingPlaneConnectionManager& connections) {
  connections.close();
}

}  // namespace tt::tt_fabric::common::experimental

namespace tt::tt_fabric::linear::experimental {

namespace sending = tvp::fabric;
using namespace tt::tt_fabric::common::experimental;
using tt::tt_fabric::fabric_set_mcast_route;
using tt::tt_fabric::fabric_set_unicast_route;

/// Sets the part of a route that depends on connection `i`. On a line the hops suffice. In a mesh
/// it is the chip that the host gave the connection, or a range of chips in the direction of its
/// tag.
FORCE_INLINE void fabric_set_unicast_route(RoutingPlaneConnectionManager& connections,
                                           tvp::fabric::PacketHeader* header, uint8_t i) {
#if defined(FABRIC_2D)
  const auto& slot = connections.get(i);
  fabric_set_unicast_route(header, slot.dst_dev_id, slot.dst_mesh_id);
#endif
}
FORCE_INLINE void fabric_set_mcast_route(RoutingPlaneConnectionManager& connections,
                                         tvp::fabric::PacketHeader* header, const uint8_t* range,
                                         uint8_t i) {
#if defined(FABRIC_2D)
  const auto& slot = connections.get(i);
  const auto hops = [&](eth_chan_directions to) -> uint16_t {
    return slot.tag == to ? range[i] : 0;
  };
  if (range[i] != 0)
    fabric_set_mcast_route(header, slot.dst_dev_id, slot.dst_mesh_id, hops(EAST), hops(WEST),
                           hops(NORTH), hops(SOUTH));
#endif
}

#define TVP_FABRIC_FUNCTIONS(name, Command, cast, Cast)                                       \
  template <typename... Args>                                                                 \
  FORCE_INLINE void fabric_##cast##_noc_##name(Args&&... args) {                              \
    sending::send<sending::Command, sending::Cast>(args...);                                  \
  }                                                                                           \
  template <sending::Command::Mask mask = sending::Command::Mask::None, typename... Args>     \
  FORCE_INLINE void fabric_##cast##_noc_##name##_set_state(tvp::fabric::PacketHeader* header, \
                                                           const Args&... args) {             \
    sending::set_##cast<sending::Command, mask>(header, args...);                             \
  }                                                                                           \
  template <sending::Command::Mask mask = sending::Command::Mask::None, typename... Args>     \
  FORCE_INLINE void fabric_##cast##_noc_##name##_set_state(                                   \
      RoutingPlaneConnectionManager&, uint8_t route_id, const Args&... args) {                \
    sending::set_##cast<sending::Command, mask>(route_id, args...);                           \
  }                                                                                           \
  template <sending::Command::Mask mask = sending::Command::Mask::None, typename... Args>     \
  FORCE_INLINE void fabric_##cast##_noc_##name##_with_state(Args&&... args) {                 \
    sending::with_state<sending::Command, mask>(args...);                                     \
  }
#define TVP_UNICAST(name, Command) TVP_FABRIC_FUNCTIONS(name, Command, unicast, Unicast)
#define TVP_MULTICAST(name, Command) TVP_FABRIC_FUNCTIONS(name, Command, multicast, Multicast)
TVP_FABRIC_COMMANDS(TVP_UNICAST)
TVP_FABRIC_COMMANDS(TVP_MULTICAST)
#undef TVP_MULTICAST
#undef TVP_UNICAST
#undef TVP_FABRIC_FUNCTIONS

// --- sparse multicast: in place of start and range a word, whose bit n - 1 is the chip n hops away

template <typename... Args>
FORCE_INLINE void fabric_sparse_multicast_noc_unicast_write(Args&&... args) {
  sending::send<sending::UnicastWrite, sending::SparseMulticast>(args...);
}

}  // namespace tt::tt_fabric::linear::experimental

// Kernels use the masks without their namespace.
using namespace tt::tt_fabric::common::experimental;
