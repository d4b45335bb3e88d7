#include "api/compute/common.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/tile_move_copy.h"
#include "api/debug/dprint_tensix.h"

void kernel_main() {
  // Places in Dst.
  constexpr uint32_t kNumerator1 = 0, kSum1 = 1, kMax1 = 2;
  constexpr uint32_t kNumerator2 = 3, kSum2 = 4, kMax2 = 5;
  constexpr uint32_t kMax = 6;
  constexpr uint32_t kPartials = 0, kOutput = 16;

  init_sfpu(kPartials, kOutput);
  cb_wait_front(kPartials, 6);
  tile_regs_acquire();
  copy_tile_init(kPartials);
  for (uint32_t tile = 0; tile < 6; ++tile) copy_tile(kPartials, tile, tile);

  binary_max_tile_init();
  binary_max_tile(kMax1, kMax2, kMax);
  // Factors that bring both partials to the common maximum.
  sub_binary_tile_init();
  sub_binary_tile(kMax1, kMax, kMax1);
  sub_binary_tile(kMax, kMax2, kMax2);
  exp_tile_init();
  exp_tile(kMax1);
  exp_tile(kMax2);
  dprint_tensix_dest_reg(kMax2);
  mul_binary_tile_init();
  mul_binary_tile(kNumerator1, kMax1, kNumerator1);
  mul_binary_tile(kSum1, kMax1, kSum1);
  mul_binary_tile(kNumerator2, kMax2, kNumerator2);
  mul_binary_tile(kSum2, kMax2, kSum2);
  add_binary_tile_init();
  add_binary_tile(kNumerator1, kNumerator2, kNumerator1);
  add_binary_tile(kSum1, kSum2, kSum1);
  recip_tile_init();
  recip_tile(kSum1);
  mul_binary_tile_init();
  mul_binary_tile(kNumerator1, kSum1, kNumerator1);
  tile_regs_commit();
  cb_pop_front(kPartials, 6);

  cb_reserve_back(kOutput, 1);
  tile_regs_wait();
  pack_tile(kNumerator1, kOutput);
  tile_regs_release();
  cb_push_back(kOutput, 1);
}
