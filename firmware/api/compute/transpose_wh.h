#pragma once

// DST[dst] = 32x32 tile with rows and columns exchanged.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

ALWI void transpose_wh_init_short([[maybe_unused]] uint32_t cb) {
  reconfig_data_format_srca(cb);
  UNPACK((use_operand_a(cb, true)));
  MATH((llk::init_transpose()));
}
ALWI void transpose_wh_init(uint32_t cb, uint32_t out) {
  compute_kernel_hw_startup(cb, cb, out);
  transpose_wh_init_short(cb);
}
ALWI void transpose_wh_uninit([[maybe_unused]] uint32_t cb, [[maybe_unused]] uint32_t out) {
  UNPACK((use_operand_a(cb)));
}
ALWI void transpose_wh_tile([[maybe_unused]] uint32_t cb, [[maybe_unused]] uint32_t tile,
                            [[maybe_unused]] uint32_t dst) {
  UNPACK((llk::unpack_tile<llk::Source::kA>(tile_address(cb, tile))));
  MATH((llk::transpose(thread_state.half, dst)));
}

}  // namespace ckernel
