#pragma once
// Unified data movement: reads, writes and increments by pages of a tensor over a mesh, or by
// global coordinates of cores (tt-metal's experimental/udm/udm_api.hpp). Accesses to the own chip
// use the NoC, others the relay.

#include <stdint.h>

#include <type_traits>
#include <utility>

#include "dataflow/dataflow_api.h"
#include "fabric/mesh_gcore_accessor.h"
#include "fabric/mesh_tensor_accessor.h"
#include "fabric/udm_requests.h"

namespace tt::tt_fabric::experimental::udm {

template <typename T>
struct is_mesh_tensor_accessor : std::false_type {};
template <typename TensorAccessorT, uint32_t Rank, uint32_t NumGrids>
struct is_mesh_tensor_accessor<MeshTensorAccessor<TensorAccessorT, Rank, NumGrids>>
    : std::true_type {};

/// Other meshes are not connected.
FORCE_INLINE bool dest_is_local(uint32_t dest_fabric_mesh_id, uint32_t dest_fabric_chip_id) {
  return routing_table().mesh == dest_fabric_mesh_id &&
         routing_table().device == dest_fabric_chip_id;
}

FORCE_INLINE void async_read_impl(uint32_t fabric_mesh_id, uint32_t fabric_chip_id,
                                  uint64_t noc_addr, uint32_t local_addr, uint32_t size) {
  if (dest_is_local(fabric_mesh_id, fabric_chip_id)) {
    noc_async_read(noc_addr, local_addr, size);
  } else {
    tt_fabric::udm::fabric_fast_read_any_len(static_cast<uint16_t>(fabric_chip_id),
                                             static_cast<uint16_t>(fabric_mesh_id), noc_addr,
                                             local_addr, size);
  }
}
template <uint8_t posted = 0>
FORCE_INLINE void async_write_impl(uint32_t fabric_mesh_id, uint32_t fabric_chip_id,
                                   uint64_t noc_addr, uint32_t src_addr, uint32_t size) {
  if (dest_is_local(fabric_mesh_id, fabric_chip_id)) {
    noc_async_write(src_addr, noc_addr, size);
  } else {
    tt_fabric::udm::fabric_fast_write_any_len(static_cast<uint16_t>(fabric_chip_id),
                                              static_cast<uint16_t>(fabric_mesh_id), src_addr,
                                              noc_addr, size, false, 1, 0, posted);
  }
}
template <uint8_t posted = 0>
FORCE_INLINE void semaphore_inc_impl(uint32_t fabric_mesh_id, uint32_t fabric_chip_id,
                                     uint64_t noc_addr, uint32_t incr_val, uint8_t noc) {
  if (dest_is_local(fabric_mesh_id, fabric_chip_id)) {
    noc_semaphore_inc<posted>(noc_addr, incr_val, noc);
  } else {
    tt_fabric::udm::fabric_fast_atomic_inc(static_cast<uint16_t>(fabric_chip_id),
                                           static_cast<uint16_t>(fabric_mesh_id), incr_val,
                                           noc_addr, 0, posted);
  }
}

/// The chip and the address that an accessor gives. Addresses on other chips are those of the
/// packets' NoC.
template <typename Accessor, typename CoordT>
FORCE_INLINE auto place_of(const Accessor& accessor, const CoordT& coord, uint32_t offset,
                           uint8_t noc) {
  auto place = accessor.get_fabric_node_and_noc_addr(coord, offset, noc);
  if (noc != edm_to_local_chip_noc && !dest_is_local(place.fabric_mesh_id, place.fabric_chip_id))
    place = accessor.get_fabric_node_and_noc_addr(coord, offset, edm_to_local_chip_noc);
  return place;
}

// --- pages of a tensor, by page number or coordinates

template <typename TensorAccessorT, uint32_t Rank, uint32_t NumGrids, typename CoordT>
FORCE_INLINE void async_read(const MeshTensorAccessor<TensorAccessorT, Rank, NumGrids>& accessor,
                             const CoordT& coord, uint32_t src_addr, uint32_t size,
                             uint32_t offset = 0, uint8_t noc = noc_index) {
  const auto place = place_of(accessor, coord, offset, noc);
  async_read_impl(place.fabric_mesh_id, place.fabric_chip_id, place.noc_addr, src_addr, size);
}
template <uint8_t posted = 0, typename TensorAccessorT, uint32_t Rank, uint32_t NumGrids,
          typename CoordT>
FORCE_INLINE void async_write(const MeshTensorAccessor<TensorAccessorT, Rank, NumGrids>& accessor,
                              const CoordT& coord, uint32_t src_addr, uint32_t size,
                              uint32_t offset = 0, uint8_t noc = noc_index) {
  const auto place = place_of(accessor, coord, offset, noc);
  async_write_impl<posted>(place.fabric_mesh_id, place.fabric_chip_id, place.noc_addr, src_addr,
                           size);
}
template <uint8_t posted = 0, typename TensorAccessorT, uint32_t Rank, uint32_t NumGrids,
          typename CoordT>
FORCE_INLINE void semaphore_inc(const MeshTensorAccessor<TensorAccessorT, Rank, NumGrids>& accessor,
                                const CoordT& coord, uint32_t incr_val, uint32_t offset = 0,
                                uint8_t noc = noc_index) {
  const auto place = place_of(accessor, coord, offset, noc);
  semaphore_inc_impl<posted>(place.fabric_mesh_id, place.fabric_chip_id, place.noc_addr, incr_val,
                             noc);
}

#if defined(MESH_NUM_DIMS)
// --- cores, by their global coordinates and an address in L1

FORCE_INLINE std::pair<DefaultMeshGlobalCoreAccessor, bool> get_or_init_gcore_accessor() {
  return {DefaultMeshGlobalCoreAccessor(), true};
}

template <typename CoordT>
concept CoreCoordinates =
    !std::is_same_v<CoordT, uint32_t> && !is_mesh_tensor_accessor<CoordT>::value;

template <CoreCoordinates CoordT>
FORCE_INLINE void async_read(const CoordT& coord, uint32_t src_addr, uint32_t size,
                             uint32_t offset = 0, uint8_t noc = noc_index) {
  const auto place = place_of(DefaultMeshGlobalCoreAccessor(), coord, offset, noc);
  async_read_impl(place.fabric_mesh_id, place.fabric_chip_id, place.noc_addr, src_addr, size);
}
template <uint8_t posted = 0, CoreCoordinates CoordT>
FORCE_INLINE void async_write(const CoordT& coord, uint32_t src_addr, uint32_t size,
                              uint32_t offset = 0, uint8_t noc = noc_index) {
  const auto place = place_of(DefaultMeshGlobalCoreAccessor(), coord, offset, noc);
  async_write_impl<posted>(place.fabric_mesh_id, place.fabric_chip_id, place.noc_addr, src_addr,
                           size);
}
template <uint8_t posted = 0, CoreCoordinates CoordT>
FORCE_INLINE void semaphore_inc(const CoordT& coord, uint32_t incr_val, uint32_t offset = 0,
                                uint8_t noc = noc_index) {
  const auto place = place_of(DefaultMeshGlobalCoreAccessor(), coord, offset, noc);
  semaphore_inc_impl<posted>(place.fabric_mesh_id, place.fabric_chip_id, place.noc_addr, incr_val,
                             noc);
}
#endif

// --- semaphores of this core, and barriers for both kinds of accesses

FORCE_INLINE void semaphore_wait(uint32_t semaphore_addr, uint32_t target_value) {
  noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(semaphore_addr), target_value);
}
FORCE_INLINE void semaphore_set(uint32_t semaphore_addr, uint32_t value) {
  noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(semaphore_addr), value);
}
FORCE_INLINE void async_read_barrier(uint8_t noc = noc_index) {
  noc_async_read_barrier(noc);
  tt_fabric::udm::fabric_read_barrier();
}
FORCE_INLINE void async_write_barrier(uint8_t noc = noc_index) {
  noc_async_write_barrier(noc);
  tt_fabric::udm::fabric_write_barrier();
}
FORCE_INLINE void atomic_barrier(uint8_t noc = noc_index) {
  noc_async_atomic_barrier(noc);
  tt_fabric::udm::fabric_atomic_barrier();
}

}  // namespace tt::tt_fabric::experimental::udm
