// Compute kernel of the flash decode: attention of eight queries to the keys of a device, chunk by
// chunk. For each chunk it computes scores, their maxima, weights exp(score - maximum), the sums of
// the weights and the numerators. It merges them with those of the chunks before (merge.h).

#include "api/compute/matmul.h"
#include "api/compute/reduce.h"
#include "compile_time_args.h"
#include "firmware/kernels/sdpa/decode.h"
#include "firmware/kernels/sdpa/merge.h"

namespace NAMESPACE {

using namespace tvp::kernels::sdpa;

constexpr uint32_t kTiles = get_compile_time_arg_val(kDecodeHeadTiles);
constexpr uint32_t kKeyTiles = get_compile_time_arg_val(kDecodeKeyTiles);
constexpr uint32_t kChunkTiles = chunk_rows(kTiles);
constexpr Partial kTotal{kTotalNumerator, kTotalSum, kTotalMax};
constexpr Partial kChunk{kChunkNumerator, kChunkSum, kChunkMax};

/// Calls part(first, count) for all tiles in groups that fit into a half of Dst, and packs them.
template <typename Part>
ALWI void by_halves(uint32_t all, uint32_t out, Part part) {
  pack_reconfig_data_format(out);
  cb_reserve_back(out, all);
  for (uint32_t first = 0; first < all; first += kHalfTiles) {
    const uint32_t left = all - first;
    const uint32_t count = left < kHalfTiles ? left : kHalfTiles;
    tile_regs_acquire();
    part(first, count);
    tile_regs_commit();
    tile_regs_wait();
    for (uint32_t i = 0; i < count; ++i) pack_tile(i, out);
    tile_regs_release();
  }
  cb_push_back(out, all);
}

/// Scores of a chunk, scaled.
static void scores(uint32_t chunk_tiles) {
  matmul_init(kQueries, kKeys, 1);
  binop_with_scalar_tile_init();
  by_halves(
      chunk_tiles, kScores, [](uint32_t, uint32_t count) __attribute__((always_inline)) {
        for (uint32_t i = 0; i < count; ++i) {
          cb_wait_front(kKeys, kTiles);
          for (uint32_t d = 0; d < kTiles; ++d) matmul_tiles(kQueries, kKeys, d, d, i);
          cb_pop_front(kKeys, kTiles);
        }
        for (uint32_t i = 0; i < count; ++i)
          mul_unary_tile(i, get_compile_time_arg_val(kDecodeScale));
      });
  cb_wait_front(kScores, chunk_tiles);
}

/// Reduces the tiles of `in` along their rows to one tile.
template <PoolType kPool>
static void reduce_rows(uint32_t in, uint32_t tiles, uint32_t out) {
  pack_reconfig_data_format(out);
  reduce_init<kPool, ReduceDim::REDUCE_ROW>(in, kOnes, out);
  by_halves(
      1, out, [&](uint32_t, uint32_t) __attribute__((always_inline)) {
        for (uint32_t i = 0; i < tiles; ++i)
          reduce_tile<kPool, ReduceDim::REDUCE_ROW>(in, kOnes, i, 0, 0);
      });
  reduce_uninit(in);
}

/// Weights of a chunk.
static void weights(uint32_t chunk_tiles, uint32_t max) {
  cb_wait_front(max, 1);
  reconfig_data_format(kScores, max);
  sub_bcast_cols_init_short(kScores, max);
  exp_tile_init();
  by_halves(
      chunk_tiles, kWeights, [&](uint32_t first, uint32_t count) __attribute__((always_inline)) {
        for (uint32_t i = 0; i < count; ++i) sub_tiles_bcast_cols(kScores, max, first + i, 0, i);
        for (uint32_t i = 0; i < count; ++i) exp_tile(i);
      });
  cb_pop_front(kScores, chunk_tiles);
  cb_wait_front(kWeights, chunk_tiles);
}

static void numerators(uint32_t chunk_tiles, uint32_t out) {
  matmul_init(kWeights, kValues);
  cb_wait_front(kValues, chunk_tiles * kTiles);
  by_halves(
      kTiles, out, [&](uint32_t first, uint32_t count) __attribute__((always_inline)) {
        for (uint32_t i = 0; i < count; ++i)
          for (uint32_t key = 0; key < chunk_tiles; ++key)
            matmul_tiles(kWeights, kValues, key, key * kTiles + first + i, i);
      });
  cb_pop_front(kValues, chunk_tiles * kTiles);
  cb_pop_front(kWeights, chunk_tiles);
}

void MAIN {
  compute_kernel_hw_startup(kKeys, kQueries, kScores);
  cb_wait_front(kOnes, 1);
  cb_wait_front(kQueries, kTiles);
  for (uint32_t first = 0; first < kKeyTiles; first += kChunkTiles) {
    const uint32_t left = kKeyTiles - first;
    const uint32_t tiles = left < kChunkTiles ? left : kChunkTiles;
    const Partial& out = first == 0 ? kTotal : kChunk;
    scores(tiles);
    reduce_rows<PoolType::MAX>(kScores, tiles, out.max);
    weights(tiles, out.max);
    reduce_rows<PoolType::SUM>(kWeights, tiles, out.sum);
    numerators(tiles, out.numerator);
    if constexpr (kKeyTiles > kChunkTiles) {
      if (first == 0) continue;
      reconfig_data_format(kTotalMax, kScaleA);
      merge<kTiles, kTotal, kChunk, kTotal>();
    }
  }
  cb_reserve_back(kTotalDone, 1);
  cb_push_back(kTotalDone, 1);
}

}  // namespace NAMESPACE
