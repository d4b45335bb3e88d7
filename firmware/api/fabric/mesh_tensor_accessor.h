#pragma once
// Pages of a tensor over all chips of a mesh, each chip with a block of it, by page number or by
// coordinates (tt-metal's experimental/udm/accessor/mesh_tensor_accessor.h). Compile-time words
// after those of the chip's tensor: address, page size, rank, six shapes and strides, number of
// chips, mesh and chip number of each.

#include <stdint.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "dataflow/tensor_accessor.h"
#include "debug/assert.h"

struct PageMapping {
  size_t grid_id;  ///< the chip
  size_t local_page_id;
};
struct NocAddrWithFabricNode {
  uint64_t noc_addr;
  uint32_t fabric_mesh_id;
  uint32_t fabric_chip_id;
};

/// Shapes are in pages. A shape of chips has the tensor's rank.
template <uint32_t Rank>
struct MeshDSpec {
  static constexpr uint32_t rank = Rank;
  using Words = std::array<uint32_t, Rank>;
  Words mesh_tensor_shape{};
  Words mesh_tensor_strides{};
  Words tensor_shape{};
  Words tensor_strides{};
  Words mesh_shape{};
  Words mesh_strides{};
};

template <uint32_t NumGrids>
struct GridToFabricNodeMapping {
  static constexpr uint32_t num_grids = NumGrids;
  std::array<std::pair<uint32_t, uint32_t>, NumGrids> fabric_node_ids{};  ///< mesh and chip
};

template <size_t TENSOR_ACCESSOR_CTA_OFFSET, size_t TENSOR_ACCESSOR_CRTA_OFFSET>
struct MeshTensorAccessorArgs {
  using TensorAccessorArgsT =
      TensorAccessorArgs<TENSOR_ACCESSOR_CTA_OFFSET, TENSOR_ACCESSOR_CRTA_OFFSET>;
  static constexpr uint32_t tensor_accessor_args_size =
      TensorAccessorArgsT::num_compile_time_args();
  static constexpr uint32_t BufferAddressOffset =
      TENSOR_ACCESSOR_CTA_OFFSET + tensor_accessor_args_size;
  static constexpr uint32_t AlignedPageSizeOffset = BufferAddressOffset + 1;
  static constexpr uint32_t MeshDSpecRankOffset = AlignedPageSizeOffset + 1;
  static constexpr uint32_t mesh_dspec_rank = get_ct_arg<MeshDSpecRankOffset>();
  static_assert(mesh_dspec_rank >= 1 && mesh_dspec_rank <= tensor_accessor::MAX_RANK,
                "a tensor over a mesh has 1 to 8 dimensions");
  static constexpr uint32_t MeshTensorShapeOffset = MeshDSpecRankOffset + 1;
  static constexpr uint32_t NumGridsOffset = MeshTensorShapeOffset + 6 * mesh_dspec_rank;
  static constexpr uint32_t num_grids = get_ct_arg<NumGridsOffset>();
  static_assert(num_grids >= 1, "a mesh has chips");
  static constexpr uint32_t FabricMeshIdsOffset = NumGridsOffset + 1;
  static constexpr uint32_t FabricChipIdsOffset = FabricMeshIdsOffset + num_grids;

  static constexpr TensorAccessorArgsT get_tensor_accessor_args() { return {}; }
  static constexpr uint64_t get_buffer_address() { return get_ct_arg<BufferAddressOffset>(); }
  static constexpr uint32_t get_aligned_page_size() { return get_ct_arg<AlignedPageSizeOffset>(); }
  static constexpr uint32_t num_compile_time_args() {
    return FabricChipIdsOffset + num_grids - TENSOR_ACCESSOR_CTA_OFFSET;
  }
  static constexpr uint32_t next_compile_time_args_offset() {
    return TENSOR_ACCESSOR_CTA_OFFSET + num_compile_time_args();
  }
  static void populate_mesh_dspec(MeshDSpec<mesh_dspec_rank>& shapes) {
    uint32_t next = MeshTensorShapeOffset;
    for (auto* words :
         {&shapes.mesh_tensor_shape, &shapes.mesh_tensor_strides, &shapes.tensor_shape,
          &shapes.tensor_strides, &shapes.mesh_shape, &shapes.mesh_strides})
      for (uint32_t i = 0; i < mesh_dspec_rank; ++i) (*words)[i] = kernel_compile_time_args[next++];
  }
  static void populate_fabric_node_mapping(GridToFabricNodeMapping<num_grids>& mapping) {
    for (uint32_t i = 0; i < num_grids; ++i)
      mapping.fabric_node_ids[i] = {kernel_compile_time_args[FabricMeshIdsOffset + i],
                                    kernel_compile_time_args[FabricChipIdsOffset + i]};
  }
};

template <typename TensorAccessorT, uint32_t Rank, uint32_t NumGrids>
struct MeshTensorAccessor {
  using TensorAccessorType = TensorAccessorT;
  static constexpr uint32_t rank = Rank;
  static constexpr uint32_t num_grids = NumGrids;

  template <size_t CTA_OFFSET, size_t CRTA_OFFSET>
  explicit MeshTensorAccessor(const MeshTensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>& args)
      : tensor_accessor_(args.get_tensor_accessor_args(),
                         static_cast<uint32_t>(args.get_buffer_address()),
                         args.get_aligned_page_size()) {
    args.populate_mesh_dspec(mesh_dspec_);
    args.populate_fabric_node_mapping(fabric_node_mapping_);
  }

  constexpr const TensorAccessorType& tensor_accessor() const { return tensor_accessor_; }
  constexpr uint32_t page_size() const { return tensor_accessor_.get_aligned_page_size(); }
  const MeshDSpec<Rank>& mesh_dspec() const { return mesh_dspec_; }
  const GridToFabricNodeMapping<NumGrids>& fabric_node_mapping() const {
    return fabric_node_mapping_;
  }

  template <typename Coordinates>
  FORCE_INLINE void get_global_page_coord(uint32_t global_page_id, Coordinates& coord) const {
    for (uint32_t i = Rank; i-- > 0;) {
      coord[i] = global_page_id % mesh_dspec_.mesh_tensor_shape[i];
      global_page_id /= mesh_dspec_.mesh_tensor_shape[i];
    }
  }
  template <typename Coordinates>
  FORCE_INLINE PageMapping get_grid_and_local_page(const Coordinates& coord) const {
    PageMapping mapping{0, 0};
    for (uint32_t i = 0; i < Rank; ++i) {
      mapping.grid_id += coord[i] / mesh_dspec_.tensor_shape[i] * mesh_dspec_.mesh_strides[i];
      mapping.local_page_id +=
          coord[i] % mesh_dspec_.tensor_shape[i] * mesh_dspec_.tensor_strides[i];
    }
    return mapping;
  }
  template <typename Coordinates>
  FORCE_INLINE NocAddrWithFabricNode get_fabric_node_and_noc_addr(const Coordinates& coord,
                                                                  uint32_t offset = 0,
                                                                  uint8_t noc = noc_index) const {
    if constexpr (std::is_integral_v<Coordinates>) {
      uint32_t all[Rank];
      get_global_page_coord(coord, all);
      return get_fabric_node_and_noc_addr(all, offset, noc);
    } else {
      const PageMapping mapping = get_grid_and_local_page(coord);
      ASSERT(mapping.grid_id < NumGrids);
      const auto [mesh, chip] = fabric_node_mapping_.fabric_node_ids[mapping.grid_id];
      return {
          tensor_accessor_.get_noc_addr(static_cast<uint32_t>(mapping.local_page_id), offset, noc),
          mesh, chip};
    }
  }

 private:
  TensorAccessorType tensor_accessor_;
  MeshDSpec<Rank> mesh_dspec_;
  GridToFabricNodeMapping<NumGrids> fabric_node_mapping_;
};

template <size_t CTA_OFFSET, size_t CRTA_OFFSET>
MeshTensorAccessor(const MeshTensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>&) -> MeshTensorAccessor<
    decltype(TensorAccessor(
        typename MeshTensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>::TensorAccessorArgsT(), 0u, 0u)),
    MeshTensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>::mesh_dspec_rank,
    MeshTensorAccessorArgs<CTA_OFFSET, CRTA_OFFSET>::num_grids>;
