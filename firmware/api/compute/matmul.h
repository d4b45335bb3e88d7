#pragma once

// DST[dst] += in0 x in1 for 32x32 tiles. in0 goes to SrcB, in1 to SrcA.

#include "api/compute/cb_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

ALWI void mm_init_short([[maybe_unused]] uint32_t in0, [[maybe_unused]] uint32_t in1) {
  UNPACK((use_operand_a(in1)));
  UNPACK((use_operand_b(in0)));
  MATH((llk::init_matmul()));
}
ALWI void mm_init_short_with_dt(uint32_t in0, uint32_t in1, [[maybe_unused]] uint32_t old) {
  reconfig_data_format(in1, in0);
  mm_init_short(in0, in1);
}
ALWI void mm_init(uint32_t in0, uint32_t in1, uint32_t out) {
  compute_kernel_hw_startup(in1, in0, out);
  mm_init_short(in0, in1);
}

ALWI void matmul_tiles([[maybe_unused]] uint32_t in0, [[maybe_unused]] uint32_t in1,
                       [[maybe_unused]] uint32_t tile0, [[maybe_unused]] uint32_t tile1,
                       [[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 0
  llk::unpack_tile<llk::Source::kB>(tile_address(in0, tile0));
  llk::unpack_tile<llk::Source::kA>(tile_address(in1, tile1));
#elif COMPILE_FOR_TRISC == 1
  llk::matmul(thread_state.half, dst, math_fidelity());
#endif
}

}  // namespace ckernel
