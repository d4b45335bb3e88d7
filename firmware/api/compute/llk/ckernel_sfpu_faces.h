#pragma once

// Functions of a face of Dst from ckernel::sfpu. Kernels pass them to SFPU_UNARY_CALL and similar
// macros on MATH or PACK (ckernel_sfpu_silu.h, ckernel_sfpu_sdpa.h and others in tt-metal's tree).
// Each vector moves on to the next one. Parameters that request less precision have no effect.

#include "api/compute/llk/llk_vector.h"

#if COMPILE_FOR_TRISC != 0 && defined(__riscv)

namespace ckernel::sfpu {

/// All steps of a reciprocal without regard to the sign.
template <int kSteps>
sfpi_inline vFloat sfpu_reciprocal_iter(vFloat x) {
  return setsgn(_sfpu_reciprocal_<kSteps>(abs(x)), x);
}
/// The reciprocal with full precision.
template <bool = false>
sfpi_inline vFloat sfpu_reciprocal(vFloat x) {
  return sfpu_reciprocal_iter<2>(x);
}
template <auto...>
sfpi_inline void recip_init() {}

namespace faces {

/// The value that Dst keeps: rounded to BF16 unless Dst holds FP32.
template <bool kFp32>
sfpi_inline vFloat kept(vFloat x) {
  if constexpr (kFp32) return x;
  return convert<vFloat16b>(x, RoundMode::Nearest);
}
sfpi_inline vFloat logistic(vFloat x) {
  return _sfpu_reciprocal_<2>(exponential<false>(-x) + 1.0f);
}
template <bool kFp32, int kVectors, int kStride = 1, typename Function>
sfpi_inline void each(Function function) {
  for (int i = 0; i < kVectors; ++i) {
    const vFloat x = dst_reg[0];
    dst_reg[0] = kept<kFp32>(function(x));
    dst_reg += kStride;
  }
}
/// Column 0 of a face is in every second vector of its rows, of which a half is processed.
inline constexpr int kColumn = 4, kNextOfColumn = 2;

}  // namespace faces

template <bool>
sfpi_inline void sigmoid_init() {}
template <bool, bool kFp32 = DST_ACCUM_MODE, int kVectors = 8>
sfpi_inline void calculate_sigmoid() {
  faces::each<kFp32, kVectors>([](vFloat x) { return faces::logistic(x); });
}
template <bool>
sfpi_inline void silu_init() {}
template <bool kFp32, int kVectors>
sfpi_inline void calculate_silu() {
  faces::each<kFp32, kVectors>([](vFloat x) { return x * faces::logistic(x); });
}

template <bool, BinaryOp, auto...>
sfpi_inline void sfpu_binary_init() {}
/// The result replaces an operand only if it has the same place.
template <bool, BinaryOp kOperation, int kVectors = 8, bool kFp32 = DST_ACCUM_MODE>
sfpi_inline void calculate_sfpu_binary(uint32_t first, uint32_t second, uint32_t out) {
  static_assert(kOperation != BinaryOp::POW, "a power of two tiles is power_binary_tile() here");
  constexpr uint32_t kTileVectors = 32;
  for (int i = 0; i < kVectors; ++i) {
    const vFloat a = dst_reg[first * kTileVectors], b = dst_reg[second * kTileVectors];
    vFloat result = a;
    if constexpr (kOperation == BinaryOp::ADD) result = a + b;
    if constexpr (kOperation == BinaryOp::SUB) result = a - b;
    if constexpr (kOperation == BinaryOp::RSUB) result = b - a;
    if constexpr (kOperation == BinaryOp::MUL) result = a * b;
    if constexpr (kOperation == BinaryOp::DIV) result = a * sfpu_reciprocal_iter<2>(b);
    dst_reg[out * kTileVectors] = faces::kept<kFp32>(result);
    dst_reg++;
  }
}
template <bool kLess, BinaryOp kOperation, int kVectors, bool kFp32>
sfpi_inline void calculate_sfpu_binary_mul(uint32_t first, uint32_t second, uint32_t out) {
  calculate_sfpu_binary<kLess, kOperation, kVectors, kFp32>(first, second, out);
}
template <bool kLess, BinaryOp kOperation, int kVectors, bool kFp32>
sfpi_inline void calculate_sfpu_binary_div(uint32_t first, uint32_t second, uint32_t out) {
  calculate_sfpu_binary<kLess, kOperation, kVectors, kFp32>(first, second, out);
}

// Attention: functions of column 0, which holds statistics.

template <bool = true>
sfpi_inline void calculate_recip_first_column() {
  faces::each<DST_ACCUM_MODE, faces::kColumn, faces::kNextOfColumn>(
      [](vFloat x) { return sfpu_reciprocal_iter<2>(x); });
}
/// e^(x times a number); the number is given as BF16 bits.
template <bool kScale, int kVectors, bool, int, bool kFp32, uint16_t kNumber>
sfpi_inline void calculate_exponential_polynomial() {
  faces::each<kFp32, kVectors, faces::kNextOfColumn>(
      [](vFloat x) { return _ckernel_sfpu_exp_accurate_<kScale, kFp32>(x, kNumber); });
}
template <bool, uint16_t kNumber>
sfpi_inline void calculate_exponential_first_column() {
  calculate_exponential_polynomial<true, faces::kColumn, false, 4, DST_ACCUM_MODE, kNumber>();
}
/// Takes five tiles from Dst[0] on: maximum, maximum of the other, free, sum, sum of the other.
/// They become the factors of both, the common maximum, the common sum, and the other's part of it.
inline void calculate_fused_max_sub_exp_add_tile(int number) {
  constexpr int kOther = 32, kMaximum = 64, kSum = 96, kOtherSum = 128;
  for (int i = 0; i < faces::kColumn; ++i) {
    const vFloat a = dst_reg[0], b = dst_reg[kOther];
    vFloat most = a;
    v_if(a < b) { most = b; }
    v_endif;
    dst_reg[kMaximum] = most;
    const vFloat of_a =
        _ckernel_sfpu_exp_accurate_<true, DST_ACCUM_MODE>(a - most, static_cast<uint32_t>(number));
    dst_reg[0] = of_a;
    const vFloat sum = dst_reg[kSum];
    const vFloat part = of_a * sum;
    most = dst_reg[kMaximum];
    const vFloat other = dst_reg[kOther];
    const vFloat of_b = _ckernel_sfpu_exp_accurate_<true, DST_ACCUM_MODE>(
        other - most, static_cast<uint32_t>(number));
    dst_reg[kOther] = of_b;
    const vFloat other_sum = dst_reg[kOtherSum];
    const vFloat other_part = of_b * other_sum;
    dst_reg[kOtherSum] = other_part;
    dst_reg[kSum] = part + other_part;
    dst_reg += faces::kNextOfColumn;
  }
}
/// The three numbers are FP32 bits.
inline void calculate_softplus_first_column(uint32_t beta, uint32_t reciprocal,
                                            uint32_t threshold) {
  for (int i = 0; i < faces::kColumn; ++i) {
    calculate_softplus_body<true, DST_ACCUM_MODE>(
        Converter::as_float(beta), Converter::as_float(reciprocal), Converter::as_float(threshold));
    dst_reg += faces::kNextOfColumn;
  }
}

}  // namespace ckernel::sfpu

#endif
