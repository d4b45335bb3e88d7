#pragma once
// Packets through meshes and tori by tt-metal's names (mesh/api.h): the functions of mesh_sending.h
// for each command, in kernels that are compiled with FABRIC_2D. Arguments, in this order:
//   fabric_unicast_noc_COMMAND            connection, header, device, mesh, [source, bytes,] fields
//   fabric_multicast_noc_COMMAND          connection, header, device, mesh, range, […,] fields
//   fabric_unicast_noc_…_set_state<mask>  header, device, mesh, fields, [bytes]
//   fabric_multicast_…_set_state<mask>    header, device, mesh, range, fields, [bytes]
//   …_with_state<mask>                    connection, header, [source,] fields, [bytes]
// Connection and header may be connections and the number of a route of the PacketHeaderPool;
// device and mesh are then those of each connection, and range is an array. In the functions with a
// state, fields and bytes that no mask names can be left out. None of them waits until its packet
// has left.

#include <stdint.h>

#include "fabric/linear_api.h"
#include "fabric/mesh_sending.h"

namespace tt::tt_fabric::mesh::experimental {

namespace sending = tvp::fabric;
using namespace tt::tt_fabric::common::experimental;

// --- unicast write

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write(Args&&... args) {
  sending::mesh_unicast<sending::UnicastWrite>(args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write_set_state(Args&&... args) {
  sending::set_mesh_unicast<sending::UnicastWrite, mask>(args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastWrite, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write(Args&&... args) {
  sending::mesh_multicast<sending::UnicastWrite>(args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write_set_state(Args&&... args) {
  sending::set_mesh_multicast<sending::UnicastWrite, mask>(args...);
}
template <UnicastWriteUpdateMask mask = UnicastWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastWrite, mask>(args...);
}

// --- unicast atomic inc

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc(Args&&... args) {
  sending::mesh_unicast<sending::UnicastAtomicInc>(args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc_set_state(Args&&... args) {
  sending::set_mesh_unicast<sending::UnicastAtomicInc, mask>(args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::UnicastAtomicInc, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc(Args&&... args) {
  sending::mesh_multicast<sending::UnicastAtomicInc>(args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc_set_state(Args&&... args) {
  sending::set_mesh_multicast<sending::UnicastAtomicInc, mask>(args...);
}
template <UnicastAtomicIncUpdateMask mask = UnicastAtomicIncUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::UnicastAtomicInc, mask>(args...);
}

// --- scatter write

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write(Args&&... args) {
  sending::mesh_unicast<sending::ScatterWrite>(args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write_set_state(Args&&... args) {
  sending::set_mesh_unicast<sending::ScatterWrite, mask>(args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_scatter_write_with_state(Args&&... args) {
  sending::with_state<sending::ScatterWrite, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write(Args&&... args) {
  sending::mesh_multicast<sending::ScatterWrite>(args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write_set_state(Args&&... args) {
  sending::set_mesh_multicast<sending::ScatterWrite, mask>(args...);
}
template <UnicastScatterWriteUpdateMask mask = UnicastScatterWriteUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_scatter_write_with_state(Args&&... args) {
  sending::with_state<sending::ScatterWrite, mask>(args...);
}

// --- unicast inline write

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write(Args&&... args) {
  sending::mesh_unicast<sending::UnicastInlineWrite>(args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write_set_state(Args&&... args) {
  sending::set_mesh_unicast<sending::UnicastInlineWrite, mask>(args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_unicast_noc_unicast_inline_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastInlineWrite, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write(Args&&... args) {
  sending::mesh_multicast<sending::UnicastInlineWrite>(args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write_set_state(Args&&... args) {
  sending::set_mesh_multicast<sending::UnicastInlineWrite, mask>(args...);
}
template <UnicastInlineWriteUpdateMask mask = UnicastInlineWriteUpdateMask::None, typename... Args>
FORCE_INLINE void fabric_multicast_noc_unicast_inline_write_with_state(Args&&... args) {
  sending::with_state<sending::UnicastInlineWrite, mask>(args...);
}

// --- fused unicast with atomic inc

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc(Args&&... args) {
  sending::mesh_unicast<sending::FusedWriteAtomicInc>(args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc_set_state(Args&&... args) {
  sending::set_mesh_unicast<sending::FusedWriteAtomicInc, mask>(args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_unicast_with_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedWriteAtomicInc, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc(Args&&... args) {
  sending::mesh_multicast<sending::FusedWriteAtomicInc>(args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc_set_state(Args&&... args) {
  sending::set_mesh_multicast<sending::FusedWriteAtomicInc, mask>(args...);
}
template <UnicastFusedAtomicIncUpdateMask mask = UnicastFusedAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_unicast_with_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedWriteAtomicInc, mask>(args...);
}

// --- fused scatter write with atomic inc

template <typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc(Args&&... args) {
  sending::mesh_unicast<sending::FusedScatterWriteAtomicInc>(args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc_set_state(Args&&... args) {
  sending::set_mesh_unicast<sending::FusedScatterWriteAtomicInc, mask>(args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_unicast_noc_fused_scatter_write_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedScatterWriteAtomicInc, mask>(args...);
}

template <typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc(Args&&... args) {
  sending::mesh_multicast<sending::FusedScatterWriteAtomicInc>(args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc_set_state(Args&&... args) {
  sending::set_mesh_multicast<sending::FusedScatterWriteAtomicInc, mask>(args...);
}
template <UnicastFusedScatterWriteAtomicIncUpdateMask mask =
              UnicastFusedScatterWriteAtomicIncUpdateMask::None,
          typename... Args>
FORCE_INLINE void fabric_multicast_noc_fused_scatter_write_atomic_inc_with_state(Args&&... args) {
  sending::with_state<sending::FusedScatterWriteAtomicInc, mask>(args...);
}

}  // namespace tt::tt_fabric::mesh::experimental
