#pragma once
// Enumerations of the host's side that kernels get as compile-time arguments
// (tt-metalium/buffer_types.hpp). The numbers are what hosts pass.

#include <stdint.h>

namespace tt::tt_metal {

enum class TensorMemoryLayout {
  INTERLEAVED = 0,
  SINGLE_BANK = 1,
  HEIGHT_SHARDED = 2,
  WIDTH_SHARDED = 3,
  BLOCK_SHARDED = 4,
};
enum class ShardOrientation { ROW_MAJOR, COL_MAJOR };
enum class ShardMode { PHYSICAL, LOGICAL };
enum class ShardDistributionStrategy { ROUND_ROBIN_1D, GRID_2D };
enum class BufferType { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };

}  // namespace tt::tt_metal
