#pragma once

// Changes the format and shape of operands and results between operations. Unpackers and packers
// apply the change in the order of their instructions, so no wait is needed.

#include "api/compute/threads/thread_state.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 0
ALWI void use_operand_a(uint32_t cb, bool transpose = false) {
  const llk::Operand now = operand(cb);
  if (transpose != thread_state.transpose) {
    thread_state.transpose = transpose;
    llk::transpose_faces(transpose);
  }
  if (now == thread_state.a && thread_state.row == 0) return;
  if (thread_state.row != 0) llk::end_unpack_rows();
  thread_state.row = 0;
  thread_state.a = now;
  llk::describe_unpack<llk::Source::kA>(now);
}
ALWI void use_operand_b(uint32_t cb, llk::Broadcast broadcast = llk::Broadcast::kNone) {
  const llk::Operand now = operand(cb);
  if (now == thread_state.b && broadcast == thread_state.broadcast) return;
  thread_state.b = now;
  thread_state.broadcast = broadcast;
  llk::describe_unpack_b(now, broadcast);
}
// Inits take the shape of tiles from a buffer and leave formats as configured.
ALWI void use_shape_a(uint32_t cb, bool transpose = false) {
  const llk::Operand now{thread_state.a.format, operand(cb).shape};
  if (transpose != thread_state.transpose) {
    thread_state.transpose = transpose;
    llk::transpose_faces(transpose);
  }
  if (now == thread_state.a && thread_state.row == 0) return;
  if (thread_state.row != 0) llk::end_unpack_rows();
  thread_state.row = 0;
  thread_state.a = now;
  llk::describe_unpack<llk::Source::kA>(now);
}
ALWI void use_shape_b(uint32_t cb, llk::Broadcast broadcast = llk::Broadcast::kNone) {
  const llk::Operand now{thread_state.b.format, operand(cb).shape};
  if (now == thread_state.b && broadcast == thread_state.broadcast) return;
  thread_state.b = now;
  thread_state.broadcast = broadcast;
  llk::describe_unpack_b(now, broadcast);
}
/// An init that names no buffer, as in kernels of 2024, keeps the current formats.
ALWI void keep_operand_a() {
  if (thread_state.transpose) {
    thread_state.transpose = false;
    llk::transpose_faces(false);
  }
  if (thread_state.row == 0) return;
  llk::end_unpack_rows();
  thread_state.row = 0;
  llk::describe_unpack<llk::Source::kA>(thread_state.a);
}
ALWI void keep_operand_b(llk::Broadcast broadcast = llk::Broadcast::kNone) {
  if (broadcast == thread_state.broadcast) return;
  thread_state.broadcast = broadcast;
  llk::describe_unpack_b(thread_state.b, broadcast);
}
#endif

/// Order in which operands go to SrcA and SrcB. Operands of a product go in reverse.
enum class SrcOrder : uint8_t { Regular = 0, Reverse = 1 };
template <auto kSays>
inline constexpr bool kSaysReverse = false;
template <>
inline constexpr bool kSaysReverse<SrcOrder::Reverse> = true;

/// With a 32-bit Dst the matrix unit always sees TF32, or 5-bit exponents. The init's transposition
/// and broadcast stay.
template <auto...>
ALWI void reconfig_data_format_srca(uint32_t cb) {
  UNPACK((use_operand_a(cb, thread_state.transpose)));
#if COMPILE_FOR_TRISC == 1
  thread_state.format_a = operand(cb).format;
  if constexpr (!DST_ACCUM_MODE || llk::kShortExponents)
    llk::set_field(llk::config::alu::kSrcAFormat,
                   llk::math_format(operand(cb).format, DST_ACCUM_MODE));
  if constexpr (kHasInt16)
    llk::set_field(llk::config::alu::kZeroFlagDisabledSrc,
                   llk::keeps_zero_exponents(operand(cb).format));
  if constexpr (kHasInt8)
    llk::set_field(llk::config::alu::kInt8MathEnabled,
                   operand(cb).format == llk::DataFormat::kInt8);
#endif
}
template <auto...>
ALWI void reconfig_data_format_srcb(uint32_t cb) {
  UNPACK((use_operand_b(cb, thread_state.broadcast)));
#if COMPILE_FOR_TRISC == 1
  if constexpr (!DST_ACCUM_MODE || llk::kShortExponents)
    llk::set_field(llk::config::alu::kSrcBFormat,
                   llk::math_format(operand(cb).format, DST_ACCUM_MODE));
#endif
}
template <auto... kSays>
ALWI void reconfig_data_format(uint32_t a, uint32_t b) {
  constexpr bool kReverse = (kSaysReverse<kSays> || ...);
  reconfig_data_format_srca(kReverse ? b : a);
  reconfig_data_format_srcb(kReverse ? a : b);
}
template <auto...>
ALWI void reconfig_data_format_srca(uint32_t old_cb, uint32_t cb) {
  reconfig_data_format_srca(cb);
}
template <auto...>
ALWI void reconfig_data_format_srcb(uint32_t old_cb, uint32_t cb) {
  reconfig_data_format_srcb(cb);
}
template <auto... kSays>
ALWI void reconfig_data_format(uint32_t old_a, uint32_t a, uint32_t old_b, uint32_t b) {
  reconfig_data_format<kSays...>(a, b);
}

// Form of kernels of 2024, in which the matrix unit's format changed at the same time.
ALWI void unpack_reconfig_data_format_srca(uint32_t cb) { reconfig_data_format_srca(cb); }
ALWI void unpack_reconfig_data_format_srca(uint32_t, uint32_t cb) { reconfig_data_format_srca(cb); }
ALWI void unpack_reconfig_data_format_srcb(uint32_t cb) { reconfig_data_format_srcb(cb); }
ALWI void unpack_reconfig_data_format_srcb(uint32_t, uint32_t cb) { reconfig_data_format_srcb(cb); }
ALWI void unpack_reconfig_data_format(uint32_t a, uint32_t b) { reconfig_data_format(a, b); }
ALWI void unpack_reconfig_data_format(uint32_t, uint32_t a, uint32_t, uint32_t b) {
  reconfig_data_format(a, b);
}

ALWI void pack_reconfig_data_format(uint32_t cb) {
#if COMPILE_FOR_TRISC == 2
  const llk::Operand now = llk::packed(operand(cb));
  if (now == thread_state.out) return;
  thread_state.out = now;
  if (thread_state.row_tiles != 0) llk::leave_pack_rows();
  thread_state.row_tiles = 0;
  describe_pack(now);
#endif
}
ALWI void pack_reconfig_data_format(uint32_t old_cb, uint32_t cb) { pack_reconfig_data_format(cb); }
/// The buffers' descriptions show if the tile shape changes too, so `kShape` has no effect.
template <bool kShape>
ALWI void pack_reconfig_data_format(uint32_t cb) {
  pack_reconfig_data_format(cb);
}
template <bool kShape>
ALWI void pack_reconfig_data_format(uint32_t old_cb, uint32_t cb) {
  pack_reconfig_data_format(old_cb, cb);
}

#if COMPILE_FOR_TRISC == 2
/// Turns addition to the buffer's content on or off. L1 can add FP32, BF16, FP16 and INT32 only.
ALWI void llk_pack_reconfig_l1_acc(uint32_t on) { llk::accumulate_in_l1(on != 0); }
#endif
ALWI void pack_reconfig_l1_acc(uint32_t on) { PACK((llk_pack_reconfig_l1_acc(on))); }

enum ReluType { NO_RELU = 0, ZERO_RELU = 1, MIN_THRESHOLD_RELU = 2, MAX_THRESHOLD_RELU = 3 };
/// The same as a type, since June 2026.
struct ReluConfig {
  static constexpr ReluConfig none() { return {NO_RELU, 0}; }
  static constexpr ReluConfig zero() { return {ZERO_RELU, 0}; }
  static constexpr ReluConfig min_threshold(uint32_t bf16) { return {MIN_THRESHOLD_RELU, bf16}; }
  static constexpr ReluConfig max_threshold(uint32_t bf16) { return {MAX_THRESHOLD_RELU, bf16}; }
  static constexpr ReluConfig from_packed(uint32_t packed) {
    return {static_cast<ReluType>(packed & 3), packed >> 16};
  }

  ReluType kind;
  uint32_t threshold;
};
#if COMPILE_FOR_TRISC == 2
/// Takes the kind of ReLU in the low bits and its threshold (BF16) in the high half.
ALWI void llk_pack_relu_config(uint32_t config) { llk::pack_relu(config & 3, config >> 16); }
ALWI void llk_pack_relu_config(ReluConfig config) { llk::pack_relu(config.kind, config.threshold); }
#endif
ALWI void pack_relu_config(uint32_t config) { PACK((llk_pack_relu_config(config))); }

// One thread's part, under the LLK names.
#if COMPILE_FOR_TRISC == 0
template <auto...>
ALWI void llk_unpack_reconfig_data_format_srca(uint32_t cb) {
  reconfig_data_format_srca(cb);
}
template <auto...>
ALWI void llk_unpack_reconfig_data_format_srcb(uint32_t cb) {
  reconfig_data_format_srcb(cb);
}
template <auto...>
ALWI void llk_unpack_reconfig_data_format(uint32_t a, uint32_t b) {
  reconfig_data_format(a, b);
}
template <auto...>
ALWI void llk_unpack_reconfig_data_format(uint32_t old_a, uint32_t a, uint32_t old_b, uint32_t b) {
  reconfig_data_format(old_a, a, old_b, b);
}
template <auto...>
ALWI void llk_unpack_reconfig_data_format_srca(uint32_t, uint32_t a) {
  reconfig_data_format_srca(a);
}
#elif COMPILE_FOR_TRISC == 1
template <auto...>
ALWI void llk_math_reconfig_data_format(uint32_t a, uint32_t b) {
  reconfig_data_format(a, b);
}
template <auto...>
ALWI void llk_math_reconfig_data_format(uint32_t old_a, uint32_t a, uint32_t old_b, uint32_t b) {
  reconfig_data_format(old_a, a, old_b, b);
}
template <auto...>
ALWI void llk_math_reconfig_data_format_srca(uint32_t a) {
  reconfig_data_format_srca(a);
}
template <auto...>
ALWI void llk_math_reconfig_data_format_srca(uint32_t, uint32_t a) {
  reconfig_data_format_srca(a);
}
#endif

}  // namespace ckernel
