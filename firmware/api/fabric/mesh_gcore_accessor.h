#pragma once
// Cores of all chips of a mesh by global coordinates (tt-metal's
// experimental/udm/accessor/mesh_gcore_accessor.h). The host describes the chips and their cores by
// the macros MESH_NUM_DIMS, MESH_DIMS, MESH_STRIDES, GRID_NUM_DIMS, GRID_DIMS, GRID_STRIDES,
// NUM_GRIDS, FABRIC_MESH_IDS, FABRIC_CHIP_IDS, NUM_WORKER_CORES, WORKER_CORE_NOC_X and
// WORKER_CORE_NOC_Y. Without the first there is no accessor.

#include <stdint.h>

#include <cstddef>

#include "dataflow/noc_addresses.h"
#include "debug/assert.h"

#if defined(MESH_NUM_DIMS)

struct GridBankMapping {
  size_t grid_id;  ///< the chip
  size_t bank_id;  ///< the core
};
struct GcoreNocAddrWithFabricNode {
  uint64_t noc_addr;
  uint32_t fabric_mesh_id;
  uint32_t fabric_chip_id;
};

/// The accessor has its values from the macros.
struct MeshGlobalCoreAccessorArgs {};

template <uint32_t MeshNumDims, uint32_t GridNumDims, uint32_t NumGrids, uint32_t NumWorkerCores>
struct MeshGlobalCoreAccessor {
  static_assert(MeshNumDims == GridNumDims,
                "the shape of the chips and that of their cores have the same rank");

  constexpr MeshGlobalCoreAccessor() = default;
  constexpr explicit MeshGlobalCoreAccessor(const MeshGlobalCoreAccessorArgs&) {}
  constexpr void init(const MeshGlobalCoreAccessorArgs&) {}

  template <typename Coordinates>
  FORCE_INLINE GridBankMapping get_grid_and_bank_id(const Coordinates& coord) const {
    GridBankMapping mapping{0, 0};
    for (uint32_t i = 0; i < MeshNumDims; ++i) {
      mapping.grid_id += coord[i] / kGridDims[i] * kMeshStrides[i];
      mapping.bank_id += coord[i] % kGridDims[i] * kGridStrides[i];
    }
    return mapping;
  }
  template <typename Coordinates>
  FORCE_INLINE GcoreNocAddrWithFabricNode get_fabric_node_and_noc_addr(
      const Coordinates& coord, uint32_t offset = 0, uint8_t noc = noc_index) const {
    const GridBankMapping mapping = get_grid_and_bank_id(coord);
    ASSERT(mapping.grid_id < NumGrids && mapping.bank_id < NumWorkerCores);
    return {get_noc_addr(kNocX[mapping.bank_id], kNocY[mapping.bank_id], offset, noc),
            kMeshIds[mapping.grid_id], kChipIds[mapping.grid_id]};
  }

 private:
  static constexpr uint32_t kMeshStrides[MeshNumDims] = MESH_STRIDES;
  static constexpr uint32_t kGridDims[GridNumDims] = GRID_DIMS;
  static constexpr uint32_t kGridStrides[GridNumDims] = GRID_STRIDES;
  static constexpr uint32_t kMeshIds[NumGrids] = FABRIC_MESH_IDS;
  static constexpr uint32_t kChipIds[NumGrids] = FABRIC_CHIP_IDS;
  static constexpr uint8_t kNocX[NumWorkerCores] = WORKER_CORE_NOC_X;
  static constexpr uint8_t kNocY[NumWorkerCores] = WORKER_CORE_NOC_Y;
};

using DefaultMeshGlobalCoreAccessor =
    MeshGlobalCoreAccessor<MESH_NUM_DIMS, GRID_NUM_DIMS, NUM_GRIDS, NUM_WORKER_CORES>;

#endif
