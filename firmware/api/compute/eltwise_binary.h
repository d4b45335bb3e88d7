#pragma once

// DST[dst] = a op b on the matrix unit, with or without broadcast of b. With `accumulate`, DST[dst]
// += a op b. Products always add to DST[dst], as on the hardware (ISA ELWMUL.md), which is zero
// after tile_regs_acquire().

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/threads/operation_common.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
template <EltwiseBinaryType kType>
inline constexpr llk::Elementwise kElementwise = kType == ELWADD   ? llk::Elementwise::kAdd
                                                 : kType == ELWSUB ? llk::Elementwise::kSubtract
                                                                   : llk::Elementwise::kMultiply;
#endif

template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void init_binary(uint32_t a, uint32_t b, bool accumulate = false) {
  UNPACK((use_shape_a(a)));
  UNPACK((use_shape_b(b, broadcast_of(kBroadcast))));
#if COMPILE_FOR_TRISC == 1
  thread_state.shape = operand(a).shape;
  llk::init_elementwise<kElementwise<kType>>(thread_state.shape, broadcast_of(kBroadcast),
                                             math_fidelity(), accumulate);
#endif
}

/// Initializes for operands that the kernel has already configured.
template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void init_binary() {
  UNPACK((keep_operand_a()));
  UNPACK((keep_operand_b(broadcast_of(kBroadcast))));
  MATH((llk::init_elementwise<kElementwise<kType>>(thread_state.shape, broadcast_of(kBroadcast),
                                                   math_fidelity(), false)));
}

#if COMPILE_FOR_TRISC == 0
/// Start of a tile whose first row is this one, in units of 16 bytes. Not for block formats.
ALWI uint32_t row_offset(llk::Operand tile, uint32_t row) {
  const uint32_t rows = tile.shape.face_rows, bytes = llk::datum_bytes(tile.format);
  return row / rows * 2 * rows * bytes + row % rows * bytes;
}
template <BroadcastType kBroadcast>
ALWI void unpack_b_from(uint32_t b, uint32_t tile, uint32_t row) {
  const uint32_t address = tile_address(b, tile);
  if (kBroadcast == BroadcastType::ROW && row != 0)
    return llk::unpack_b_row(address + row_offset(operand(b), row), operand(b));
  llk::unpack_b(address, operand(b), broadcast_of(kBroadcast));
}
#endif

/// `row` is the row that ROW repeats.
template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void any_tiles_bcast(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst,
                          uint32_t row = 0) {
#if COMPILE_FOR_TRISC == 0
  llk::unpack_tile<llk::Source::kA>(tile_address(a, tile_a));
  unpack_b_from<kBroadcast>(b, tile_b, row);
#elif COMPILE_FOR_TRISC == 1
  llk::elementwise(thread_state.half, dst);
#endif
}

/// Initializes for a kind of operation. Everything is set up, even without `kFull`.
template <bool kFull, EltwiseBinaryType kType>
ALWI void binary_tiles_init(uint32_t a, uint32_t b, bool accumulate = false) {
  init_binary<kType, BroadcastType::NONE>(a, b, accumulate);
}
/// The form of releases until the end of 2025, which leaves formats and shapes unchanged.
template <bool kFull = false, EltwiseBinaryType kType = ELWADD>
ALWI void binary_op_specific_init() {
  init_binary<kType, BroadcastType::NONE>();
}
ALWI void add_tiles_init(uint32_t a, uint32_t b = 1, bool accumulate = false, uint32_t = 0) {
  init_binary<ELWADD, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void add_tiles_init() { init_binary<ELWADD, BroadcastType::NONE>(); }
ALWI void sub_tiles_init(uint32_t a, uint32_t b = 1, bool accumulate = false, uint32_t = 0) {
  init_binary<ELWSUB, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void sub_tiles_init() { init_binary<ELWSUB, BroadcastType::NONE>(); }
ALWI void mul_tiles_init(uint32_t a, uint32_t b = 1, uint32_t = 0, uint32_t = 0) {
  init_binary<ELWMUL, BroadcastType::NONE>(a, b);
}
ALWI void mul_tiles_init() { init_binary<ELWMUL, BroadcastType::NONE>(); }
// Names since July 2026. Products always add to DST.
ALWI void add_init(uint32_t a, uint32_t b, bool accumulate = false, uint32_t = 0) {
  init_binary<ELWADD, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void sub_init(uint32_t a, uint32_t b, bool accumulate = false, uint32_t = 0) {
  init_binary<ELWSUB, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void mul_init(uint32_t a, uint32_t b, bool accumulate = true, uint32_t = 0) {
  init_binary<ELWMUL, BroadcastType::NONE>(a, b);
}

// ---- One operand from DST -----------------------------------------------------------------------

template <EltwiseBinaryType kType = ELWADD,
          EltwiseBinaryReuseDestType kReuse = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_dest_reuse_tiles_init(uint32_t cb) {
  moves_to_dst(cb);
  init_binary<kType, BroadcastType::NONE>(cb, cb);
}
/// DST[dst] = DST[dst] op tile (DEST_TO_SRCA) or tile op DST[dst] (DEST_TO_SRCB), also for
/// products. The unpackers fill both sources to hand over their banks. One of them is then
/// overwritten.
template <EltwiseBinaryType kType = ELWADD,
          EltwiseBinaryReuseDestType kReuse = EltwiseBinaryReuseDestType::NONE>
ALWI void binary_dest_reuse_tiles(uint32_t cb, uint32_t tile, uint32_t dst) {
  static_assert(kReuse != EltwiseBinaryReuseDestType::NONE, "one operand comes from DST");
#if COMPILE_FOR_TRISC == 0
  llk::unpack_tile<llk::Source::kA>(tile_address(cb, tile));
  llk::unpack_tile<llk::Source::kB>(tile_address(cb, tile));
#elif COMPILE_FOR_TRISC == 1
  llk::move_dst_to_source<kReuse == EltwiseBinaryReuseDestType::DEST_TO_SRCA>(
      thread_state.half, dst, thread_state.shape);
  if constexpr (kType == ELWMUL) llk::clear_dst_tile(thread_state.half, dst, thread_state.shape);
  llk::elementwise(thread_state.half, dst);
#endif
}

// ---- The functions of each operation
// -------------------------------------------------------------

// A block is several consecutive pairs of tiles, for consecutive tiles of DST. The names
// that contain reuse_dest exist since July 2026.
#define TVP_ELEMENTWISE(operation, type)                                                           \
  ALWI void operation##_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,            \
                              uint32_t dst) {                                                      \
    any_tiles_bcast<type, BroadcastType::NONE>(a, b, tile_a, tile_b, dst);                         \
  }                                                                                                \
  template <auto...>                                                                               \
  ALWI void operation##_block(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,            \
                              uint32_t dst, uint32_t tiles) {                                      \
    for (uint32_t i = 0; i < tiles; ++i) operation##_tiles(a, b, tile_a + i, tile_b + i, dst + i); \
  }                                                                                                \
  template <EltwiseBinaryReuseDestType kReuse>                                                     \
  ALWI void operation##_reuse_dest_init(uint32_t cb, uint32_t = 0) {                               \
    binary_dest_reuse_tiles_init<type, kReuse>(cb);                                                \
  }                                                                                                \
  template <EltwiseBinaryReuseDestType kReuse>                                                     \
  ALWI void operation##_reuse_dest_tiles(uint32_t cb, uint32_t tile, uint32_t dst) {               \
    binary_dest_reuse_tiles<type, kReuse>(cb, tile, dst);                                          \
  }
TVP_ELEMENTWISE(add, ELWADD)
TVP_ELEMENTWISE(sub, ELWSUB)
TVP_ELEMENTWISE(mul, ELWMUL)
#undef TVP_ELEMENTWISE

#if COMPILE_FOR_TRISC == 1
// MATH's part of these functions, under the LLK names.
template <EltwiseBinaryType kType, BroadcastType kBroadcast, auto...>
ALWI void llk_math_eltwise_binary_init(uint32_t accumulate = 0) {
  llk::init_elementwise<kElementwise<kType>>(thread_state.shape, broadcast_of(kBroadcast),
                                             math_fidelity(), accumulate != 0);
}
/// UNPACK does the `transpose`.
template <EltwiseBinaryType kType, BroadcastType kBroadcast, auto...>
ALWI void llk_math_eltwise_binary_init(uint32_t transpose, uint32_t accumulate) {
  llk_math_eltwise_binary_init<kType, kBroadcast>(accumulate);
}
/// Computes with tiles of buffers `a` and `b`.
template <EltwiseBinaryType kType, BroadcastType kBroadcast, auto...>
ALWI void llk_math_eltwise_binary_init(uint32_t a, uint32_t b, uint32_t accumulate) {
  thread_state.shape = operand(a).shape;
  llk_math_eltwise_binary_init<kType, kBroadcast>(accumulate);
}
template <EltwiseBinaryType kType, BroadcastType kBroadcast, auto...>
ALWI void llk_math_eltwise_binary(uint32_t dst, bool clear = true) {
  llk::elementwise(thread_state.half, dst);
}
template <EltwiseBinaryType kType, BroadcastType kBroadcast, auto... kRest>
ALWI void llk_math_eltwise_binary(uint32_t a, uint32_t b, uint32_t dst, bool clear = true) {
  llk_math_eltwise_binary<kType, kBroadcast, kRest...>(dst, clear);
}
#endif

/// MATH's part, under the name of kernels of spring 2025.
ALWI void add_tiles_init_nof() {
  MATH((llk_math_eltwise_binary_init<ELWADD, BroadcastType::NONE>()));
}
ALWI void sub_tiles_init_nof() {
  MATH((llk_math_eltwise_binary_init<ELWSUB, BroadcastType::NONE>()));
}
ALWI void mul_tiles_init_f() {
  MATH((llk_math_eltwise_binary_init<ELWMUL, BroadcastType::NONE>()));
}

}  // namespace ckernel
