#pragma once

// The arguments that kernels and host share.

#include <stdint.h>

namespace tvp::kernels::matmul {

/// Circular buffers. Partial results share the memory of the output if they have its format.
enum Buffer : uint32_t { kIn0 = 0, kIn1 = 1, kOut = 16, kPartials = 24 };

/// Compile-time arguments of all three kernels.
enum Argument : uint32_t {
  kRowSubblocks,  ///< rows of subblocks of the output
  kColumnSubblocks,
  kSubblockRows,  ///< in tiles
  kSubblockColumns,
  kBlockTiles,  ///< tiles of a block along the inner dimension
  kBlocks,
  kResident,  ///< L1 holds one block of each operand, which is used kBlocks times
  kAccumulateInL1,
  kTransposeIn1,  ///< tiles of in1 are stored transposed
  kTileByTile,    ///< matmul_tiles instead of matmul_block
  kFirstAccessorArgument,
};

}  // namespace tvp::kernels::matmul
