#pragma once

// Sum, average and maximum of 32x32 tiles. The first rows of the faces of tile `scaler` hold the
// factor of sums and averages, and one for maxima. The factor is applied once along a row or a
// column, twice along both. REDUCE_COL gives row 0, REDUCE_ROW column 0, REDUCE_SCALAR the first
// datum. Results of several tiles combine in DST. Until reduce_uninit() packers write zeros
// elsewhere.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/threads/operation_common.h"
#include "api/compute/threads/thread_semaphores.h"

namespace ckernel {

// The host may define what a kernel reduces by default. The names stay undefined otherwise, because
// kernels ask for them in conditions.
#if defined(REDUCE_OP)
inline constexpr PoolType kUsualPool = REDUCE_OP;
#else
inline constexpr PoolType kUsualPool = PoolType::SUM;
#endif
#if defined(REDUCE_DIM)
inline constexpr ReduceDim kUsualReduceDim = REDUCE_DIM;
#else
inline constexpr ReduceDim kUsualReduceDim = ReduceDim::REDUCE_ROW;
#endif

/// Sums along rows, alone or before those along columns, multiply the tile by the scaler's column.
template <PoolType kPool, ReduceDim kDim>
inline constexpr bool kTileInB = kPool != PoolType::MAX&& kDim != ReduceDim::REDUCE_COL;

template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim, auto...>
ALWI void reduce_init(uint32_t in, uint32_t scaler, uint32_t out = 16) {
#if COMPILE_FOR_TRISC == 0
  use_operand_a(kTileInB<kPool, kDim> ? scaler : in,
                kPool == PoolType::MAX ? kDim == ReduceDim::REDUCE_ROW : kTileInB<kPool, kDim>);
  use_operand_b(kTileInB<kPool, kDim> ? in : scaler);
#elif COMPILE_FOR_TRISC == 1
  moves_to_dst(in);
  reconfig_data_format(kTileInB<kPool, kDim> ? scaler : in, kTileInB<kPool, kDim> ? in : scaler);
  if constexpr (kPool == PoolType::MAX && kDim == ReduceDim::REDUCE_COL) {
    llk::init_reduce_max_columns();
  } else {
    llk::reduce::init();
  }
#else
  llk::pack_only(kDim == ReduceDim::REDUCE_COL   ? llk::PackOnly::kRow
                 : kDim == ReduceDim::REDUCE_ROW ? llk::PackOnly::kColumn
                                                 : llk::PackOnly::kDatum);
#endif
}
/// Makes packers take whole tiles again. The datums of DST beside the results become zero.
template <auto...>
ALWI void reduce_uninit(uint32_t in = 0) {
#if COMPILE_FOR_TRISC == 1
  // After a commit PACK has the half, so no action is needed.
  if (thread_state.half.base_row != thread_state.reduced_base_row) return;
  uint32_t tiles = thread_state.defined_tiles >> 16;
  for (uint32_t dst = 0; tiles != 0; ++dst, tiles >>= 1) {
    if ((tiles & 1) != 0)
      llk::sfpu::zero_beside<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.reduced_along);
  }
  thread_state.defined_tiles &= 0xFFFF;
#elif COMPILE_FOR_TRISC == 2
  llk::pack_only(llk::PackOnly::kAll);
#endif
}
template <auto...>
ALWI void reduce_revert_delta(uint32_t out = 0) {
  reduce_uninit(out);
}

// Name of earlier releases, with which kernels begin. A template parameter may say so.
template <auto kAtStart, PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
requires std::is_same_v<decltype(kAtStart), bool> ALWI void reduce_init(uint32_t in,
                                                                        uint32_t scaler,
                                                                        uint32_t out = 16) {
  startup_again(in, scaler, out);
  reduce_init<kPool, kDim>(in, scaler, out);
}
template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
ALWI void reduce_init_short(uint32_t in, uint32_t scaler, uint32_t out = 16) {
  reduce_init<kPool, kDim>(in, scaler, out);
}
#if defined(TVP_REDUCE_DELTA_OUT_FIRST)
// Name in kernels of 2024.
template <bool kAtStart, PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
ALWI void reduce_init_delta(uint32_t out, uint32_t in, uint32_t scaler) {
  reduce_init<kPool, kDim>(in, scaler, out);
}
#else
template <bool kAtStart, PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
ALWI void reduce_init_delta(uint32_t in, uint32_t scaler, uint32_t out) {
  reduce_init<kPool, kDim>(in, scaler, out);
}
#endif
/// Initializes for buffers 0 and 1.
template <bool kAtStart, PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
ALWI void reduce_init_delta(uint32_t out = 16) {
  reduce_init<kPool, kDim>(0, 1, out);
}
/// Does not change the packers.
template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
ALWI void reduce_init_delta_no_pack(uint32_t in, uint32_t scaler) {
#if COMPILE_FOR_TRISC != 2
  reduce_init<kPool, kDim>(in, scaler, in);
#endif
}
template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim>
ALWI void reduce_init_delta_math() {
#if COMPILE_FOR_TRISC == 1
  if constexpr (kPool == PoolType::MAX && kDim == ReduceDim::REDUCE_COL) {
    llk::init_reduce_max_columns();
  } else {
    llk::reduce::init();
  }
#endif
}

// Name in kernels of early 2024, which also pass the operation as arguments. REDUCE_OP and
// REDUCE_DIM decide, as in that release.
template <bool kAtStart = true>
ALWI void reduce_init(PoolType, ReduceDim, uint32_t in, uint32_t scaler, uint32_t out = 16) {
  startup_again(in, scaler, out);
  reduce_init<kUsualPool, kUsualReduceDim>(in, scaler, out);
}
ALWI void reduce_init_short(PoolType, ReduceDim, uint32_t in, uint32_t scaler, uint32_t out = 16) {
  reduce_init<kUsualPool, kUsualReduceDim>(in, scaler, out);
}
template <bool kAtStart = true>
ALWI void reduce_init_delta(PoolType, ReduceDim, uint32_t out = 16, uint32_t in = 0,
                            uint32_t scaler = 1) {
  reduce_init<kUsualPool, kUsualReduceDim>(in, scaler, out);
}

/// MATH's part of reduce_tile(), for kernels with their own unpacking.
template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim, auto...>
ALWI void reduce_tile_math(uint32_t dst, uint32_t faces = 4) {
#if COMPILE_FOR_TRISC == 1
  constexpr llk::ReduceAlong kAlong = kDim == ReduceDim::REDUCE_COL   ? llk::ReduceAlong::kColumns
                                      : kDim == ReduceDim::REDUCE_ROW ? llk::ReduceAlong::kRows
                                                                      : llk::ReduceAlong::kBoth;
  thread_state.defined_tiles |= 0x10000u << dst;
  thread_state.reduced_base_row = thread_state.half.base_row;
  thread_state.reduced_along = kAlong;
  if constexpr (kPool == PoolType::MAX) {
    llk::reduce_max(thread_state.half, dst, kAlong, (thread_state.defined_tiles >> dst & 1) != 0);
    thread_state.defined_tiles |= 1u << dst;
  } else {
    llk::reduce_sum(thread_state.half, dst, kAlong, math_fidelity());
  }
#endif
}

#if COMPILE_FOR_TRISC == 0
/// For inits that do not name the operation (llk_unpack_AB_reduce_init() of early 2025): the first
/// tile sets it.
static bool reduction_begins = false;
#endif

template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim, auto...>
ALWI void reduce_tile(uint32_t in, uint32_t scaler, uint32_t tile, uint32_t tile_scaler,
                      uint32_t dst) {
#if COMPILE_FOR_TRISC == 0
  using llk::Source;
  if (reduction_begins) {
    reduction_begins = false;
    reduce_init<kPool, kDim>(in, scaler);
  }
  if constexpr (kTileInB<kPool, kDim>) {
    llk::unpack_tile<Source::kA>(tile_address(scaler, tile_scaler));
    llk::unpack_tile<Source::kB>(tile_address(in, tile));
    if constexpr (kDim == ReduceDim::REDUCE_SCALAR) {
      use_operand_b(scaler);
      llk::unpack_tile<Source::kB>(tile_address(scaler, tile_scaler));
      use_operand_b(in);
    }
  } else {
    llk::unpack_tile<Source::kA>(tile_address(in, tile));
    llk::unpack_tile<Source::kB>(tile_address(scaler, tile_scaler));
  }
#elif COMPILE_FOR_TRISC == 1
  reduce_tile_math<kPool, kDim>(dst);
#endif
}

/// Form of early 2024: several consecutive tiles, each into its own tile of DST.
template <PoolType kPool = kUsualPool, ReduceDim kDim = kUsualReduceDim, auto...>
ALWI void reduce_block(uint32_t in, uint32_t scaler, uint32_t tile, uint32_t tile_scaler,
                       uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; ++i)
    reduce_tile<kPool, kDim>(in, scaler, tile + i, tile_scaler, dst + i);
}
ALWI void reduce_tile(PoolType, ReduceDim, uint32_t in, uint32_t scaler, uint32_t tile,
                      uint32_t tile_scaler, uint32_t dst) {
  reduce_tile<kUsualPool, kUsualReduceDim>(in, scaler, tile, tile_scaler, dst);
}

/// Column 0 becomes the maximum of each row of kTiles adjacent tiles. The scaler holds ones.
template <uint32_t kTiles, bool = false>
ALWI void reduce_block_max_row_init(uint32_t out = 16) {
  static_assert(kTiles > 0, "reduce_block_max_row: of one tile or more");
}
/// With `respect_trigger`, UNPACK waits until PACK has posted FPU_SFPU. (tt-metal's waits only
/// before the second half, so it depends on timing for the first.)
ALWI void reduce_max_row_of(uint32_t in, uint32_t scaler, uint32_t first, uint32_t dst,
                            uint32_t tiles, bool respect_trigger) {
  reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(in, scaler, in);
#if COMPILE_FOR_TRISC == 0
  if (respect_trigger)
    t6_semaphore_wait_on_zero<p_stall::STALL_SYNC | p_stall::STALL_UNPACK>(semaphore::FPU_SFPU);
#endif
  for (uint32_t i = 0; i < tiles; ++i)
    reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(in, scaler, first + i, 0, dst);
}
ALWI void reduce_max_row_end(uint32_t in, bool respect_trigger) {
  reduce_uninit(in);
#if COMPILE_FOR_TRISC == 0
  if (respect_trigger) t6_semaphore_get<>(semaphore::FPU_SFPU);
#endif
}
template <uint32_t kTiles, bool kTrigger = false>
ALWI void reduce_block_max_row(uint32_t in, uint32_t scaler, uint32_t first, uint32_t dst) {
  reduce_max_row_of(in, scaler, first, dst, kTiles, kTrigger);
}
template <auto = 1, auto kTrigger = false, auto...>
ALWI void reduce_block_max_row_uninit(uint32_t in) {
  reduce_max_row_end(in, kTrigger);
}

/// The same for a number of tiles that is known at run time.
static uint32_t block_max_row_tiles = 0;
ALWI void reduce_block_max_row_init_runtime(uint32_t out, uint32_t tiles,
                                            bool respect_trigger = false) {
  block_max_row_tiles = tiles;
}
ALWI void reduce_block_max_row_runtime(uint32_t in, uint32_t scaler, uint32_t first, uint32_t dst,
                                       bool respect_trigger = false) {
  reduce_max_row_of(in, scaler, first, dst, block_max_row_tiles, respect_trigger);
}
ALWI void reduce_block_max_row_uninit_runtime(uint32_t in, bool respect_trigger = false) {
  reduce_max_row_end(in, respect_trigger);
}
// Initializes again after another operation. Every name does the complete init.
template <uint32_t kTiles, bool kTrigger = false>
ALWI void reduce_block_max_row_reinit_short(uint32_t out = 16) {
  reduce_block_max_row_init<kTiles, kTrigger>(out);
}
template <uint32_t kTiles, bool kTrigger = false>
ALWI void reduce_block_max_row_reinit_minimal(uint32_t out = 16) {
  reduce_block_max_row_init<kTiles, kTrigger>(out);
}
ALWI void reduce_block_max_row_reinit_short_runtime(uint32_t out, uint32_t tiles,
                                                    bool respect_trigger = false) {
  reduce_block_max_row_init_runtime(out, tiles, respect_trigger);
}
ALWI void reduce_block_max_row_reinit_minimal_runtime(uint32_t out, uint32_t tiles,
                                                      bool respect_trigger = false) {
  reduce_block_max_row_init_runtime(out, tiles, respect_trigger);
}

// One thread's part of these functions, under the LLK names.
#if COMPILE_FOR_TRISC == 0
template <PoolType kPool, ReduceDim kDim, auto...>
ALWI void llk_unpack_AB_reduce_init(uint32_t in, uint32_t scaler) {
  reduce_init<kPool, kDim>(in, scaler);
}
template <ReduceDim kDim, auto...>
ALWI void llk_unpack_AB_reduce_init(uint32_t in, uint32_t scaler) {
  reduction_begins = true;
}
template <PoolType kPool, ReduceDim kDim, auto...>
ALWI void llk_unpack_AB_reduce(uint32_t in, uint32_t scaler, uint32_t tile, uint32_t tile_scaler) {
  reduce_tile<kPool, kDim>(in, scaler, tile, tile_scaler, 0);
}
#elif COMPILE_FOR_TRISC == 1
template <PoolType kPool, ReduceDim kDim, auto...>
ALWI void llk_math_reduce_init() {
  reduce_init_delta_math<kPool, kDim>();
}
#else
template <ReduceDim kDim, auto...>
ALWI void llk_pack_reduce_mask_config(uint32_t out = 0) {
  reduce_init<PoolType::SUM, kDim>(0, 0);
}
template <bool kUntilize, ReduceDim kDim, auto... kRest>
ALWI void llk_pack_reduce_mask_config() {
  llk_pack_reduce_mask_config<kDim, kRest...>();
}
ALWI void llk_pack_reduce_mask_clear() { reduce_uninit(); }
#endif

}  // namespace ckernel
