#include "api/compute/common.h"
#include "api/compute/eltwise_binary.h"

void kernel_main() {
  constexpr uint32_t kLeft = 0;
  constexpr uint32_t kRight = 1;
  constexpr uint32_t kSum = 16;
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  binary_op_init_common(kLeft, kRight, kSum);
  mul_tiles_init(kLeft, kRight);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(kLeft, 1);
    cb_wait_front(kRight, 1);
    tile_regs_acquire();
    add_tiles(kLeft, kRight, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(kLeft, 1);
    cb_pop_front(kRight, 1);
    cb_reserve_back(kSum, 1);
    tile_regs_wait();
    pack_tile(0, kSum);
    tile_regs_release();
    cb_push_back(kSum, 1);
  }
}
