#pragma once

// Thread 1: the statistics of merging two partial attention results, one value a row in column 0.

#include "firmware/llk/sfpu/sfpu.h"

namespace tvp::llk::sdpa {

using namespace sfpu;

/// Dst tiles that merge_statistics() takes and leaves, from the selected one on.
///   before: max a, max b, sum a, sum b       after: max, scale a, scale b, sum
/// with max = max(a, b), scale x = exp(max x - max), sum = sum a * scale a + sum b * scale b. One
/// of the scales is 1, so that one exponential serves both. Scales are rounded to 10 bits of
/// mantissa, what SrcB holds, or to BF16 if Dst does, before the sum uses them: numerators and sums
/// see the same factors. Maxima are held at the lowest BF16 value for the differences: two rows
/// without any score, both maxima minus infinity, give scales of 1 and no NaN.
enum Slot : Word { kMaxA = 0, kMaxB = 1, kSumA = 2, kSumB = 3 };
enum Result : Word { kMax = 0, kScaleA = 1, kScaleB = 2, kSum = 3 };

inline constexpr Word kLowestBf16 = 0xFF7F;

/// Processes four rows and moves on to the next four.
template <bool kFp32>
inline void merge_rows() {
  load_dst<0, kFp32, kMaxA>();
  load_dst<1, kFp32, kMaxB>();
  mov<0, 2>();
  mov<1, 3>();
  max_min<2, 3>();
  store_dst<2, kFp32, kMax>();
  loadi<4, kBf16, kLowestBf16>();
  mov<4, 5>();
  max_min<0, 4>();
  max_min<1, 5>();
  mov<0, 2>();
  mov<1, 3>();
  max_min<2, 3>();
  negate<2, 3>();
  mad<kOne, 0, 3, 0>();
  mad<kOne, 1, 3, 1>();
  nop();
  mad<kOne, 0, 1, 2>();  // one of them is zero, the other the difference
  nop();
  exp<2, 6, 3, 7, 4, 5>();
  if constexpr (kFp32) {
    round_to_tf32<6>();
  } else {
    round_to_bf16<6>();
  }
  load_dst<2, kFp32, kSumA>();
  load_dst<3, kFp32, kSumB>();
  mov<kOne, 4>();
  mov<kOne, 5>();
  mov_where<0, kLess, 6, 4>();
  mov_where<1, kLess, 6, 5>();
  mad<2, 4, kZero, 2>();
  store_dst<4, kFp32, kScaleA>();
  mad<3, 5, 2, 2>();
  store_dst<5, kFp32, kScaleB>();
  round_for_dst<2, kFp32>();
  store_dst<2, kFp32, kSum, kNextRows>();
}

template <bool kFp32>
inline void merge_statistics(const DstHalf& half, unsigned first_tile, TileShape shape) {
  begin(half, first_tile);
  for (unsigned row = 0; row < shape.face_rows; row += 4) merge_rows<kFp32>();
  end();
}

/// Computes the reciprocals of the sums in column 0. A row that is empty everywhere has sum 0 and
/// becomes 0.
template <bool kFp32>
inline void record_normalizer() {
  record_reciprocal<kFp32, 0, true>();
}
template <bool kFp32>
inline void normalizer(const DstHalf& half, unsigned tile, TileShape shape) {
  over_tile<kReciprocalTileLength<kFp32, true>>(half, tile, shape, VectorMode::kColumns);
}

}  // namespace tvp::llk::sdpa
