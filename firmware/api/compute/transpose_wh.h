#pragma once

// DST[dst] = 32x32 tile with rows and columns exchanged, of a buffer or of DST itself.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

ALWI void transpose_wh_init_short([[maybe_unused]] uint32_t cb) {
  reconfig_data_format_srca(cb);
  UNPACK((use_operand_a(cb, true)));
  MATH((llk::init_transpose()));
}
ALWI void transpose_wh_init(uint32_t cb, uint32_t out = 16) {
  startup_again(cb, cb, out);
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

// ---- In DST -------------------------------------------------------------------------------------

template <bool kIs32Bit = false>
ALWI void transpose_wh_dest_init_short() {
  static_assert(!kIs32Bit || DST_ACCUM_MODE, "transpose_wh_dest: DST has 16 bits a datum");
  MATH((llk::init_transpose_dst()));
}
/// All bits that DST has of a datum come through, whatever `kIs32Bit`. UNPACK lends a bank of SrcB.
template <bool kIs32Bit = false>
ALWI void transpose_wh_dest([[maybe_unused]] uint32_t dst) {
  UNPACK((llk::give_source_b()));
  MATH((llk::transpose_dst_tile<DST_ACCUM_MODE>(
      thread_state.half, dst, thread_state.format_a,
      kHasInt16 && llk::keeps_zero_exponents(thread_state.format_a))));
}

}  // namespace ckernel
