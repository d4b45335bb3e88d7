#pragma once

// Maximum down the columns of 32x32 tiles; `scaler` is a tile of ones. The result is row 0.

#include "api/compute/cb_api.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

template <PoolType kPool, ReduceDim kDim>
ALWI void reduce_init([[maybe_unused]] uint32_t in, [[maybe_unused]] uint32_t scaler,
                      [[maybe_unused]] uint32_t out) {
  static_assert(kPool == PoolType::MAX && kDim == ReduceDim::REDUCE_COL,
                "only the maximum down columns is implemented");
  UNPACK((use_operand_a(in)));
  UNPACK((use_operand_b(scaler)));
  MATH((llk::init_reduce_max_columns()));
}
ALWI void reduce_uninit() {}

template <PoolType kPool, ReduceDim kDim>
ALWI void reduce_tile([[maybe_unused]] uint32_t in, [[maybe_unused]] uint32_t scaler,
                      [[maybe_unused]] uint32_t tile, [[maybe_unused]] uint32_t tile_scaler,
                      [[maybe_unused]] uint32_t dst) {
  static_assert(kPool == PoolType::MAX && kDim == ReduceDim::REDUCE_COL,
                "only the maximum down columns is implemented");
#if COMPILE_FOR_TRISC == 0
  llk::unpack_tile<llk::Source::kA>(tile_address(in, tile));
  llk::unpack_tile<llk::Source::kB>(tile_address(scaler, tile_scaler));
#elif COMPILE_FOR_TRISC == 1
  llk::reduce_max_columns(thread_state.half, dst);
#endif
}

}  // namespace ckernel
