// Exponentials of a tile in DST: first of the tile, then of its result, and of a fresh copy.
#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"

namespace NAMESPACE {

void MAIN {
  constexpr uint32_t kPages = get_compile_time_arg_val(0);
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  init_sfpu(0, 16);
  exp_tile_init();
  cb_wait_front(0, kPages);
  cb_wait_front(1, kPages);
  for (uint32_t i = 0; i < tiles; ++i) {
    tile_regs_acquire();
    copy_tile(0, i % kPages, 0);
    exp_tile(0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}

}  // namespace NAMESPACE
