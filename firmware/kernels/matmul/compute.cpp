// Computes subblocks of the output, one block of the inner dimension after the other.

#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "compile_time_args.h"
#include "firmware/kernels/matmul/arguments.h"

namespace NAMESPACE {

using namespace tvp::kernels::matmul;

constexpr uint32_t kHeight = get_compile_time_arg_val(kSubblockRows);
constexpr uint32_t kWidth = get_compile_time_arg_val(kSubblockColumns);
constexpr uint32_t kTiles = kHeight * kWidth;
constexpr uint32_t kDown = get_compile_time_arg_val(kRowSubblocks);
constexpr uint32_t kAcross = get_compile_time_arg_val(kColumnSubblocks);
constexpr uint32_t kInner = get_compile_time_arg_val(kBlockTiles);
constexpr uint32_t kCount = get_compile_time_arg_val(kBlocks);
constexpr uint32_t kTranspose = get_compile_time_arg_val(kTransposeIn1);
constexpr bool kInL1 = get_compile_time_arg_val(kAccumulateInL1) != 0;
constexpr bool kByTile = get_compile_time_arg_val(kTileByTile) != 0;
constexpr uint32_t kIn0Tiles = kDown * kHeight * kInner;
constexpr uint32_t kIn1Tiles = kAcross * kWidth * kInner;
constexpr uint32_t kOutTiles = kDown * kAcross * kTiles;

static void resume_multiplication() {
  if constexpr (kByTile) {
    mm_init_short_with_dt(kIn0, kIn1, kPartials, kTranspose);
  } else {
    mm_block_init_short_with_dt(kIn0, kIn1, kPartials, kTranspose, kWidth, kHeight, kInner);
  }
}

/// Loads the partial sums of the earlier blocks into Dst.
static void reload() {
  copy_tile_to_dst_init_short_with_dt(kIn1, kPartials);
  cb_wait_front(kPartials, kTiles);
  copy_block_matmul_partials(kPartials, 0, 0, kTiles);
  cb_pop_front(kPartials, kTiles);
  resume_multiplication();
}

static void multiply(uint32_t down, uint32_t across) {
  const uint32_t in0 = down * kHeight * kInner;
  const uint32_t in1 = across * kWidth;
  if constexpr (kByTile) {
    for (uint32_t row = 0; row < kHeight; ++row)
      for (uint32_t column = 0; column < kWidth; ++column)
        for (uint32_t k = 0; k < kInner; ++k)
          matmul_tiles(kIn0, kIn1, in0 + row * kInner + k, in1 + k * kAcross * kWidth + column,
                       row * kWidth + column);
  } else {
    for (uint32_t k = 0; k < kInner; ++k)
      matmul_block(kIn0, kIn1, in0 + k, in1 + k * kAcross * kWidth, 0, kTranspose, kWidth, kHeight,
                   kInner);
  }
}

static void pack(uint32_t to) {
  cb_reserve_back(to, kTiles);
  tile_regs_wait();
  pack_tile_block(0, to, kTiles);
  tile_regs_release();
  cb_push_back(to, kTiles);
}

void MAIN {
  if constexpr (kByTile) {
    mm_init(kIn0, kIn1, kPartials, kTranspose);
  } else {
    mm_block_init(kIn0, kIn1, kPartials, kTranspose, kWidth, kHeight, kInner);
  }
  for (uint32_t block = 0; block < kCount; ++block) {
    const bool last = block + 1 == kCount;
    const bool reloads = block != 0 && (!kInL1 || last);
    if (last) {
      if constexpr (kInL1) pack_reconfig_l1_acc(0);
      pack_reconfig_data_format(kPartials, kOut);
    } else if (kInL1 && block == 1) {
      pack_reconfig_l1_acc(1);
    }
    cb_wait_front(kIn0, kIn0Tiles);
    cb_wait_front(kIn1, kIn1Tiles);
    for (uint32_t down = 0; down < kDown; ++down) {
      for (uint32_t across = 0; across < kAcross; ++across) {
        tile_regs_acquire();
        if (reloads) reload();
        multiply(down, across);
        tile_regs_commit();
        pack(last ? kOut : kPartials);
      }
    }
    // The next block is added at the same place, except that the last one goes through Dst.
    if (kInL1 && block + 2 < kCount) {
      cb_wait_front(kPartials, kOutTiles);
      cb_pop_front(kPartials, kOutTiles);
    }
    cb_pop_front(kIn0, kIn0Tiles);
    cb_pop_front(kIn1, kIn1Tiles);
  }
}

}  // namespace NAMESPACE
