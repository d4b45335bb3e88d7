#pragma once

#include <immintrin.h>

#include "models/tensix/coprocessor/lanes/host_masks.h"
#include "models/tensix/coprocessor/lanes/lanes_avx2.h"

namespace tvp::tensix::coprocessor {

/// For functions that are built for AVX2.
template <>
struct HostMasks<32> {
  using Mask = Lanes<32>::Mask;
  TVP_INLINE static Mask of(std::uint32_t bits, unsigned i) {
    const Mask each = Mask{1, 2, 4, 8, 16, 32, 64, 128} << static_cast<int>(8 * i);
    const Mask all = (Mask)_mm256_set1_epi32(static_cast<int>(bits));
    return Lanes<32>::equal(all & each, each);
  }
  TVP_INLINE static std::uint32_t bits(Mask mask, unsigned i) {
    return signs((Lanes<32>::U32)mask, i);
  }
  TVP_INLINE static std::uint32_t signs(Lanes<32>::U32 v, unsigned i) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)v)) << (8 * i);
  }
  TVP_INLINE static Mask spread(const LaneProducts::Lanes& lanes, unsigned i) {
    return Lanes<32>::load<Mask>(lanes.data() + 8 * i);
  }
  TVP_INLINE static Mask differ(Mask a, Mask b) { return a ^ b; }
};

}  // namespace tvp::tensix::coprocessor
