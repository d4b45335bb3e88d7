// A compute kernel in the public API: e^(a + b), tile by tile.

#include <cstdint>

#include "compute_kernel_api/common.h"
#include "compute_kernel_api/eltwise_binary.h"
#include "compute_kernel_api/eltwise_unary/exp.h"
#include "compute_kernel_api/tile_move_copy.h"

namespace NAMESPACE {
void MAIN {
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  constexpr auto cb_in0 = tt::CBIndex::c_0;
  constexpr auto cb_in1 = tt::CBIndex::c_1;
  constexpr auto cb_out0 = tt::CBIndex::c_16;
  binary_op_init_common(cb_in0, cb_in1, cb_out0);
  add_tiles_init(cb_in0, cb_in1);
  exp_tile_init();
  for (uint32_t i = 0; i < tiles; ++i) {
    cb_wait_front(cb_in0, 1);
    cb_wait_front(cb_in1, 1);
    tile_regs_acquire();
    add_tiles(cb_in0, cb_in1, 0, 0, 0);
    exp_tile(0);
    tile_regs_commit();
    cb_pop_front(cb_in0, 1);
    cb_pop_front(cb_in1, 1);
    cb_reserve_back(cb_out0, 1);
    tile_regs_wait();
    pack_tile(0, cb_out0);
    tile_regs_release();
    cb_push_back(cb_out0, 1);
  }
}
}  // namespace NAMESPACE
