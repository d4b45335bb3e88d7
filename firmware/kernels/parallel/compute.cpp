// Adds up the tiles of a product in Dst. On request, negative numbers become zero.

#include "api/compute/eltwise_unary.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "firmware/kernels/parallel/arguments.h"

void kernel_main() {
  using namespace tvp::kernels::parallel;
  constexpr bool kRelu = get_compile_time_arg_val(0) != 0;
  const uint32_t tiles = get_arg_val<uint32_t>(kComputeTiles);
  const uint32_t inner = get_arg_val<uint32_t>(kComputeInner);

  mm_init(kLeft, kRight, kProduct);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < inner; ++k) {
      cb_wait_front(kLeft, 1);
      cb_wait_front(kRight, 1);
      matmul_tiles(kLeft, kRight, 0, 0, 0);
      cb_pop_front(kLeft, 1);
      cb_pop_front(kRight, 1);
    }
    if constexpr (kRelu) {
      relu_tile_init();
      relu_tile(0);
    }
    tile_regs_commit();

    cb_reserve_back(kProduct, 1);
    tile_regs_wait();
    pack_tile(0, kProduct);
    tile_regs_release();
    cb_push_back(kProduct, 1);
  }
}
