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

/// The part of a route that belongs to connection `i`: none on a line, where hops say all; in a
/// mesh the chip that the host gave the connection, or `range` chips in the direction of its tag.
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

// --- unicast write

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write(Args&&... args) {
  sending::send<sending::UnicastWrite, sending::Unicast>(args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write_set_state(tvp::fabric::PacketHeader* header,
                                                             const Args&... args) {
  sending::set_unicast<sending::UnicastWrite, mask>(header, args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write_set_state(RoutingPlaneConnectionManager&,
                                                             uint8_t route_id,
                                                             const Args&... args) {
  sending::set_unicast<sending::UnicastWrite, mask>(route_id, args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastWrite, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write(Args&&... args) {
  sending::send<sending::UnicastWrite, sending::Multicast>(args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write_set_state(tvp::fabric::PacketHeader* header,
                                                               const Args&... args) {
  sending::set_multicast<sending::UnicastWrite, mask>(header, args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write_set_state(RoutingPlaneConnectionManager&,
                                                               uint8_t route_id,
                                                               const Args&... args) {
  sending::set_multicast<sending::UnicastWrite, mask>(route_id, args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastWrite, mask>(args...);
}

// --- unicast atomic inc

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc(Args&&... args) {
  sending::send<sending::UnicastAtomicInc, sending::Unicast>(args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc_set_state(tvp::fabric::PacketHeader* header,
                                                                  const Args&... args) {
  sending::set_unicast<sending::UnicastAtomicInc, mask>(header, args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc_set_state(RoutingPlaneConnectionManager&,
                                                                  uint8_t route_id,
                                                                  const Args&... args) {
  sending::set_unicast<sending::UnicastAtomicInc, mask>(route_id, args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::UnicastAtomicInc, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc(Args&&... args) {
  sending::send<sending::UnicastAtomicInc, sending::Multicast>(args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_multicast<sending::UnicastAtomicInc, mask>(header, args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc_set_state(RoutingPlaneConnectionManager&,
                                                                    uint8_t route_id,
                                                                    const Args&... args) {
  sending::set_multicast<sending::UnicastAtomicInc, mask>(route_id, args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::UnicastAtomicInc, mask>(args...);
}

// --- scatter write

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write(Args&&... args) {
  sending::send<sending::ScatterWrite, sending::Unicast>(args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write_set_state(tvp::fabric::PacketHeader* header,
                                                             const Args&... args) {
  sending::set_unicast<sending::ScatterWrite, mask>(header, args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write_set_state(RoutingPlaneConnectionManager&,
                                                             uint8_t route_id,
                                                             const Args&... args) {
  sending::set_unicast<sending::ScatterWrite, mask>(route_id, args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write_with_state(Args&&... args) {
  sending::with_state<sending::ScatterWrite, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write(Args&&... args) {
  sending::send<sending::ScatterWrite, sending::Multicast>(args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write_set_state(tvp::fabric::PacketHeader* header,
                                                               const Args&... args) {
  sending::set_multicast<sending::ScatterWrite, mask>(header, args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write_set_state(RoutingPlaneConnectionManager&,
                                                               uint8_t route_id,
                                                               const Args&... args) {
  sending::set_multicast<sending::ScatterWrite, mask>(route_id, args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write_with_state(Args&&... args) {
  sending::with_state<sending::ScatterWrite, mask>(args...);
}

// --- unicast inline write

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write(Args&&... args) {
  sending::send<sending::UnicastInlineWrite, sending::Unicast>(args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_unicast<sending::UnicastInlineWrite, mask>(header, args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write_set_state(RoutingPlaneConnectionManager&,
                                                                    uint8_t route_id,
                                                                    const Args&... args) {
  sending::set_unicast<sending::UnicastInlineWrite, mask>(route_id, args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastInlineWrite, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write(Args&&... args) {
  sending::send<sending::UnicastInlineWrite, sending::Multicast>(args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_multicast<sending::UnicastInlineWrite, mask>(header, args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write_set_state(
    RoutingPlaneConnectionManager&, uint8_t route_id, const Args&... args) {
  sending::set_multicast<sending::UnicastInlineWrite, mask>(route_id, args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastInlineWrite, mask>(args...);
}

// --- fused unicast with atomic inc

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc(Args&&... args) {
  sending::send<sending::FusedWriteAtomicInc, sending::Unicast>(args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_unicast<sending::FusedWriteAtomicInc, mask>(header, args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc_set_state(
    RoutingPlaneConnectionManager&, uint8_t route_id, const Args&... args) {
  sending::set_unicast<sending::FusedWriteAtomicInc, mask>(route_id, args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedWriteAtomicInc, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc(Args&&... args) {
  sending::send<sending::FusedWriteAtomicInc, sending::Multicast>(args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_multicast<sending::FusedWriteAtomicInc, mask>(header, args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc_set_state(
    RoutingPlaneConnectionManager&, uint8_t route_id, const Args&... args) {
  sending::set_multicast<sending::FusedWriteAtomicInc, mask>(route_id, args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedWriteAtomicInc, mask>(args...);
}

// --- fused scatter write with atomic inc

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc(Args&&... args) {
  sending::send<sending::FusedScatterWriteAtomicInc, sending::Unicast>(args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_unicast<sending::FusedScatterWriteAtomicInc, mask>(header, args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc_set_state(
    RoutingPlaneConnectionManager&, uint8_t route_id, const Args&... args) {
  sending::set_unicast<sending::FusedScatterWriteAtomicInc, mask>(route_id, args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedScatterWriteAtomicInc, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc(Args&&... args) {
  sending::send<sending::FusedScatterWriteAtomicInc, sending::Multicast>(args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc_set_state(
    tvp::fabric::PacketHeader* header, const Args&... args) {
  sending::set_multicast<sending::FusedScatterWriteAtomicInc, mask>(header, args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc_set_state(
    RoutingPlaneConnectionManager&, uint8_t route_id, const Args&... args) {
  sending::set_multicast<sending::FusedScatterWriteAtomicInc, mask>(route_id, args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedScatterWriteAtomicInc, mask>(args...);
}

// --- sparse multicast: in place of start and range a word, whose bit n - 1 is the chip n hops away

template <typename... Args>
FORCE_INLINE void fabric_sparse_multicast_noc_unicast_write(Args&&... args) {
  sending::send<sending::UnicastWrite, sending::SparseMulticast>(args...);
}

}  // namespace tt::tt_fabric::linear::experimental

// Kernels use the masks without their namespace.
using namespace tt::tt_fabric::common::experimental;
