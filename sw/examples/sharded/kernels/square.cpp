// Squares the tiles of a shard, from one circular buffer to another; both lie over a buffer.

#include "api/compute/common.h"
#include "api/compute/eltwise_binary.h"

void kernel_main() {
  constexpr uint32_t kNumbers = 0;
  constexpr uint32_t kSquares = 16;
  const uint32_t tiles = get_arg_val<uint32_t>(0);

  binary_op_init_common(kNumbers, kNumbers, kSquares);
  mul_tiles_init(kNumbers, kNumbers);
  cb_wait_front(kNumbers, tiles);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    tile_regs_acquire();
    mul_tiles(kNumbers, kNumbers, tile, tile, 0);
    tile_regs_commit();
    cb_reserve_back(kSquares, 1);
    tile_regs_wait();
    pack_tile(0, kSquares);
    tile_regs_release();
    cb_push_back(kSquares, 1);
  }
  cb_pop_front(kNumbers, tiles);
}
