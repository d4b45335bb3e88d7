// Computes output tiles, each the sum of as many products as there are pages.
#include "api/compute/matmul.h"

#include "api/compute/pack.h"
#include "api/compute/reg_api.h"

namespace NAMESPACE {

void MAIN {
  constexpr uint32_t kPages = get_compile_time_arg_val(0);
  const uint32_t outputs = get_arg_val<uint32_t>(0);
  mm_init(0, 1, 16);
  cb_wait_front(0, kPages);
  cb_wait_front(1, kPages);
  for (uint32_t i = 0; i < outputs; ++i) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < kPages; ++k) matmul_tiles(0, 1, k, k, 0, 0);
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
