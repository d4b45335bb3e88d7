#pragma once

// Matrix multiplication of 32x32 tiles: in0 x in1. in0 goes to SrcB, in1 to SrcA. With `transpose`
// every tile of in1 is transposed.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/threads/operation_common.h"

// Level at which a host slows down a kernel's products to limit their power. Kernels pass it to LLK
// calls. Here products are never slowed down.
#ifndef MM_THROTTLE
#define MM_THROTTLE 0
#endif

namespace ckernel {

ALWI void mm_init_short(uint32_t in0, uint32_t in1 = 1, uint32_t transpose = 0) {
  UNPACK((use_shape_a(in1, transpose != 0)));
  UNPACK((use_shape_b(in0)));
  MATH((llk::init_matmul(math_fidelity(), transpose != 0)));
}
ALWI void mm_init_short() {
  UNPACK((keep_operand_a()));
  UNPACK((keep_operand_b()));
  MATH((llk::init_matmul(math_fidelity(), false)));
}
ALWI void mm_init_short_with_dt(uint32_t in0, uint32_t in1, uint32_t old_in1,
                                uint32_t transpose = 0) {
  reconfig_data_format_srca(in1);
  mm_init_short(in0, in1, transpose);
}
ALWI void mm_init(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t out = 16, uint32_t transpose = 0) {
  startup_again(in1, in0, out);
  mm_init_short(in0, in1, transpose);
}

/// For use after a startup that named the operands in either order.
ALWI void matmul_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0) {
  reconfig_data_format(in1, in0);
  mm_init_short(in0, in1, transpose);
}

/// DST[dst] += in0[tile0] x in1[tile1].
ALWI void matmul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst) {
#if COMPILE_FOR_TRISC == 0
  llk::unpack_tile<llk::Source::kB>(tile_address(in0, tile0));
  llk::unpack_tile<llk::Source::kA>(tile_address(in1, tile1));
#elif COMPILE_FOR_TRISC == 1
  llk::matmul(thread_state.half, dst);
#endif
}
ALWI void matmul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                       uint32_t transpose) {
  matmul_tiles(in0, in1, tile0, tile1, dst);
}

ALWI void matmul_tile(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                      uint32_t transpose = 0) {
  matmul_tiles(in0, in1, tile0, tile1, dst, transpose);
}

// ---- Blocks: rt x ct tiles of DST at once, in0 with kt tiles a row ------------------------------

ALWI void mm_block_init_short(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t transpose = 0,
                              uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
#if COMPILE_FOR_TRISC == 0
  use_shape_a(in1, transpose != 0);
  use_shape_b(in0);
  llk::init_unpack_matmul(kt * get_local_cb_interface(in0).fifo_page_size,
                          get_local_cb_interface(in1).fifo_page_size);
#elif COMPILE_FOR_TRISC == 1
  const bool pairs = llk::pairs_stay(ct, rt);
  llk::init_matmul(math_fidelity(), transpose != 0, pairs && !llk::b_stays(ct, rt),
                   pairs && llk::b_stays(ct, rt));
#endif
}
ALWI void mm_block_init(uint32_t in0 = 0, uint32_t in1 = 1, uint32_t out = 16,
                        uint32_t transpose = 0, uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  startup_again(in1, in0, out);
  mm_block_init_short(in0, in1, transpose, ct, rt, kt);
}
ALWI void mm_block_init_short_with_dt(uint32_t in0, uint32_t in1, uint32_t old_in1,
                                      uint32_t transpose = 0, uint32_t ct = 1, uint32_t rt = 1,
                                      uint32_t kt = 1) {
  reconfig_data_format_srca(in1);
  mm_block_init_short(in0, in1, transpose, ct, rt, kt);
}
ALWI void mm_block_init_short_with_both_dt(uint32_t in0, uint32_t in1, uint32_t old_in0,
                                           uint32_t old_in1, uint32_t transpose = 0,
                                           uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  reconfig_data_format(in1, in0);
  mm_block_init_short(in0, in1, transpose, ct, rt, kt);
}

/// For use after a startup that named the operands in either order.
ALWI void matmul_block_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0, uint32_t ct = 1,
                            uint32_t rt = 1, uint32_t kt = 1) {
  reconfig_data_format(in1, in0);
  mm_block_init_short(in0, in1, transpose, ct, rt, kt);
}

/// DST[dst + r * ct + c] += in0[tile0 + r * kt] x in1[tile1 + c]. Shape and transposition are those
/// of the init.
ALWI void matmul_block(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst,
                       uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t kt) {
#if COMPILE_FOR_TRISC == 0
  llk::unpack_matmul_block(tile_address(in0, tile0), tile_address(in1, tile1), ct, rt);
#elif COMPILE_FOR_TRISC == 1
  llk::matmul_block(thread_state.half, dst, ct, rt);
#endif
}

// ---- One thread's part, by LLK names

#if COMPILE_FOR_TRISC == 0
template <auto...>
ALWI void llk_unpack_AB_matmul_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0,
                                    uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  if (ct == 1 && rt == 1) {
    mm_init_short(in0, in1, transpose);
  } else {
    mm_block_init_short(in0, in1, transpose, ct, rt, kt);
  }
}
template <auto...>
ALWI void llk_unpack_AB_matmul(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1,
                               uint32_t ct = 1, uint32_t rt = 1, uint32_t kt = 1) {
  if (ct == 1 && rt == 1) {
    matmul_tiles(in0, in1, tile0, tile1, 0);
  } else {
    matmul_block(in0, in1, tile0, tile1, 0, 0, ct, rt, kt);
  }
}
#elif COMPILE_FOR_TRISC == 1
/// The first parameter is the number of phases.
template <auto kFidelity, auto...>
ALWI void llk_math_matmul_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0, uint32_t ct = 1,
                               uint32_t rt = 1, uint32_t kt = 1) {
  constexpr int kPhases = static_cast<int>(kFidelity);
  const bool pairs = (ct != 1 || rt != 1) && llk::pairs_stay(ct, rt);
  llk::init_matmul(static_cast<llk::Fidelity>(kPhases == 0 ? 1 : kPhases), transpose != 0,
                   pairs && !llk::b_stays(ct, rt), pairs && llk::b_stays(ct, rt));
}
template <auto...>
ALWI void llk_math_matmul(uint32_t dst, uint32_t ct = 1, uint32_t rt = 1) {
  if (ct == 1 && rt == 1) {
    llk::matmul(thread_state.half, dst);
  } else {
    llk::matmul_block(thread_state.half, dst, ct, rt);
  }
}
#endif

}  // namespace ckernel
