// One tile of the product: a sum over the inner dimension, in Dst.

#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"

void kernel_main() {
  constexpr uint32_t kLeft = 0;
  constexpr uint32_t kRight = 1;
  constexpr uint32_t kProduct = 16;
  const uint32_t inner = get_arg_val<uint32_t>(0);

  mm_init(kLeft, kRight, kProduct);
  tile_regs_acquire();
  for (uint32_t k = 0; k < inner; ++k) {
    cb_wait_front(kLeft, 1);
    cb_wait_front(kRight, 1);
    matmul_tiles(kLeft, kRight, 0, 0, 0);
    cb_pop_front(kLeft, 1);
    cb_pop_front(kRight, 1);
  }
  tile_regs_commit();

  cb_reserve_back(kProduct, 1);
  tile_regs_wait();
  pack_tile(0, kProduct);
  tile_regs_release();
  cb_push_back(kProduct, 1);
}
