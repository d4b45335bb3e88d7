// Sums of rows: those of the tiles of a row add up in column 0 of Dst.

#include "api/compute/common.h"
#include "api/compute/reduce.h"

void kernel_main() {
  constexpr uint32_t kNumbers = 0;
  constexpr uint32_t kOnes = 1;
  constexpr uint32_t kSums = 16;
  const uint32_t rows = get_arg_val<uint32_t>(0);
  const uint32_t columns = get_arg_val<uint32_t>(1);

  compute_kernel_hw_startup(kNumbers, kOnes, kSums);
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(kNumbers, kOnes, kSums);
  cb_wait_front(kOnes, 1);
  for (uint32_t row = 0; row < rows; ++row) {
    tile_regs_acquire();
    for (uint32_t column = 0; column < columns; ++column) {
      cb_wait_front(kNumbers, 1);
      reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(kNumbers, kOnes, 0, 0, 0);
      cb_pop_front(kNumbers, 1);
    }
    tile_regs_commit();

    cb_reserve_back(kSums, 1);
    tile_regs_wait();
    pack_tile(0, kSums);
    tile_regs_release();
    cb_push_back(kSums, 1);
  }
  reduce_uninit();
}
