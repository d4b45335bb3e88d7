#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes/host_masks.h"
#include "models/tensix/coprocessor/lanes/lanes_avx512.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX-512.
template <>
struct HostMasks<64> {
  using Mask = Lanes<64>::Mask;
  /// Mask of the lanes of vector `i`.
  TVP_INLINE static Mask of(std::uint32_t bits, unsigned i) {
    return static_cast<Mask>(bits >> (16 * i));
  }
  TVP_INLINE static std::uint32_t bits(Mask mask, unsigned i) {
    return std::uint32_t{mask} << (16 * i);
  }
  /// Bit 31 of each lane.
  TVP_INLINE static std::uint32_t signs(Lanes<64>::U32 v, unsigned i) {
    return bits(Lanes<64>::is_negative(v), i);
  }
  /// Mask of a register whose lanes have all bits or none.
  TVP_INLINE static Mask spread(const LaneProducts::Lanes& lanes, unsigned i) {
    return _mm512_movepi32_mask(_mm512_loadu_si512(lanes.data() + 16 * i));
  }
  TVP_INLINE static Mask differ(Mask a, Mask b) { return _kxor_mask16(a, b); }
};

}  // namespace tvp::tensix::coprocessor
