#pragma once

// DST[dst] = a transposed 32x32 tile of a buffer or of DST.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

ALWI void transpose_wh_init_short(uint32_t cb) {
  MATH((moves_to_dst(cb)));
  reconfig_data_format_srca(cb);
  UNPACK((use_operand_a(cb, true)));
  MATH((llk::init_transpose()));
}
ALWI void transpose_wh_init(uint32_t cb, uint32_t out = 16) {
  startup_again(cb, cb, out);
  transpose_wh_init_short(cb);
}
ALWI void transpose_wh_uninit(uint32_t cb, uint32_t out) { UNPACK((use_operand_a(cb))); }
ALWI void transpose_wh_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
  UNPACK((llk::unpack_tile<llk::Source::kA>(tile_address(cb, tile))));
  MATH((llk::transpose(thread_state.half, dst)));
}

// Names since summer 2026.
ALWI void transpose_init(uint32_t cb) { transpose_wh_init_short(cb); }
ALWI void transpose_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
  transpose_wh_tile(cb, tile, dst);
}
/// Transposes consecutive tiles to consecutive tiles of DST.
template <auto...>
ALWI void transpose_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; ++i) transpose_wh_tile(cb, tile + i, dst + i);
}

// ---- In DST -------------------------------------------------------------------------------------

template <bool kIs32Bit = false>
ALWI void transpose_wh_dest_init_short() {
  static_assert(!kIs32Bit || DST_ACCUM_MODE, "transpose_wh_dest: DST has 16 bits a datum");
  MATH((llk::init_transpose_dst()));
}
/// Keeps all bits of a datum in DST for any `kIs32Bit`. UNPACK provides a bank of SrcB.
template <bool kIs32Bit = false>
ALWI void transpose_wh_dest(uint32_t dst) {
  UNPACK((llk::give_source_b()));
  MATH((llk::transpose_dst_tile<DST_ACCUM_MODE>(
      thread_state.half, dst, thread_state.format_a,
      kHasInt16 && llk::keeps_zero_exponents(thread_state.format_a))));
}

template <bool kIs32Bit = false, bool kFaces = true>
ALWI void transpose_dest_init(uint32_t cb = 0) {
  static_assert(kFaces, "transpose_dest: faces alone are transposed only with their tile here");
  transpose_wh_dest_init_short<kIs32Bit>();
}
template <bool kIs32Bit = false, bool kFaces = true>
ALWI void transpose_dest(uint32_t dst) {
  static_assert(kFaces, "transpose_dest: faces alone are transposed only with their tile here");
  transpose_wh_dest<kIs32Bit>(dst);
}

}  // namespace ckernel
