#pragma once

#include "api/compute/reconfig_data_format.h"
#include "api/compute/threads/operation_common.h"

namespace ckernel {

/// With `swap_faces` faces 1 and 2 of 32x32 tiles are swapped. With `transpose_faces` each face is
/// transposed. With both the tile is transposed.
ALWI void copy_tile_to_dst_init_short(uint32_t cb, uint32_t swap_faces = 0,
                                      uint32_t transpose_faces = 0, uint32_t = 0) {
  UNPACK((use_shape_a(cb, transpose_faces != 0)));
#if COMPILE_FOR_TRISC == 1
  thread_state.shape = operand(cb).shape;
  if (swap_faces != 0) {
    moves_to_dst(cb);
    llk::init_copy_a_swapped();
  } else if (copies_by_adding(cb)) {
    llk::init_elementwise<llk::Elementwise::kAdd>(thread_state.shape, llk::Broadcast::kNone,
                                                  llk::Fidelity{1}, false);
  } else {
    llk::init_copy_a(thread_state.shape);
  }
#endif
}
ALWI void copy_tile_to_dst_init_short() {
  if constexpr (DST_ACCUM_MODE && llk::kShortExponents) no_move_of_short_exponents();
  UNPACK((keep_operand_a()));
  MATH((llk::init_copy_a(thread_state.shape)));
}
ALWI void copy_tile_init(uint32_t cb, uint32_t = 0) { copy_tile_to_dst_init_short(cb); }
ALWI void copy_tile_init() { copy_tile_to_dst_init_short(); }
/// Name since July 2026.
ALWI void copy_init(uint32_t cb, uint32_t swap_faces = 0, uint32_t transpose_faces = 0,
                    uint32_t = 0) {
  copy_tile_to_dst_init_short(cb, swap_faces, transpose_faces);
}
ALWI void copy_tile_to_dst_init_short_with_dt(uint32_t old_cb, uint32_t cb,
                                              uint32_t swap_faces = 0) {
  reconfig_data_format_srca(cb);
  copy_tile_to_dst_init_short(cb, swap_faces);
}

/// Copies from an address that only UNPACK knows.
ALWI void copy_tile_from(uint32_t address, uint32_t cb, uint32_t dst) {
  [[maybe_unused]] const bool fp32_to_dst = unpacks_fp32_to_dst(cb);
  [[maybe_unused]] const bool to_dst =
      fp32_to_dst || (kUnpacksToDst && operand(cb).format == llk::DataFormat::kInt32);
#if COMPILE_FOR_TRISC == 0
  if constexpr (kHasInt32InShortDst) ASSERT(!to_dst || dst < thread_state.half.tiles() / 2);
  if (to_dst) {
    llk::unpack_tile_to_dst(address, thread_state.half, dst, fp32_to_dst);
  } else {
    if (copies_by_adding(cb)) llk::give_zeros_b();
    llk::unpack_tile<llk::Source::kA>(address);
  }
#elif COMPILE_FOR_TRISC == 1
  if (to_dst) {
    llk::let_unpack_to_dst();
  } else {
    llk::copy_a(thread_state.half, dst);
  }
  thread_state.defined_tiles |= 1u << dst;
#endif
}
/// DST[dst] = tile. 32-bit integers are copied exactly to any DST. FP32 is cut to TF32, unless the
/// host has selected that the buffer's numbers bypass SrcA.
ALWI void copy_tile(uint32_t cb, uint32_t tile, uint32_t dst) {
#if COMPILE_FOR_TRISC == 0
  copy_tile_from(tile_address(cb, tile), cb, dst);
#else
  copy_tile_from(0, cb, dst);
#endif
}
/// Copies consecutive tiles to consecutive tiles of DST. A template, because older kernels define a
/// function of this name, which takes precedence.
template <auto...>
ALWI void copy_block(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; ++i) copy_tile(cb, tile + i, dst + i);
}
ALWI void copy_block_matmul_partials(uint32_t cb, uint32_t tile, uint32_t dst, uint32_t tiles) {
  copy_block(cb, tile, dst, tiles);
}

}  // namespace ckernel
