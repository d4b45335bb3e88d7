#pragma once

#include "models/tensix/coprocessor/lanes/host_target.h"
#include "models/tensix/coprocessor/lanes/lane_products.h"
#include "models/tensix/coprocessor/lanes/lanes.h"

namespace tvp::tensix::coprocessor {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes of the host's vectors with Highway. The compiler's own operators on these vectors are
/// good. Its conversions between lanes of different width, comparisons and selections are not.
template <>
struct Lanes<kHostBytes> : LaneMoves<kHostBytes> {
  using Moves = LaneMoves<kHostBytes>;
  using typename Moves::I32;
  using typename Moves::U16;
  using typename Moves::U32;
  using typename Moves::U8;
  /// Tag for all lanes of a vector, or for the lanes of a part of one.
  template <typename T, std::size_t kParts = 1>
  using Tag = hn::FixedTag<T, kHostBytes / sizeof(T) / kParts>;
  using Mask = hn::Mask<Tag<std::int32_t>>;
  static constexpr bool kHasWords = true;
  static constexpr Tag<std::int32_t> kI32{};
  static constexpr Tag<std::uint32_t> kU32{};
  static constexpr Tag<std::int16_t> kI16{};
  static constexpr Tag<std::uint16_t> kU16{};
  static constexpr Tag<std::uint8_t> kU8{};

  /// Converts the compiler's vector type to Highway's.
  template <typename D, typename Vector>
  TVP_INLINE static hn::Vec<D> in(D, Vector v) {
    return {(decltype(hn::Vec<D>::raw))v};
  }
  TVP_INLINE static auto in(I32 v) { return in(kI32, v); }
  TVP_INLINE static auto in(U32 v) { return in(kU32, v); }
  TVP_INLINE static auto in(U16 v) { return in(kU16, v); }
  TVP_INLINE static auto in(U8 v) { return in(kU8, v); }

  TVP_INLINE static U32 load16(const std::uint16_t* from) {
    return (U32)hn::PromoteTo(kU32, hn::LoadU(Tag<std::uint16_t, 2>(), from)).raw;
  }
  TVP_INLINE static void store16(std::uint16_t* to, U32 v) {
    constexpr Tag<std::uint16_t, 2> kHalf;
    hn::StoreU(hn::TruncateTo(kHalf, in(v)), kHalf, to);
  }
  TVP_INLINE static I32 load8(const std::uint8_t* from) {
    return (I32)hn::PromoteTo(kI32, hn::LoadU(Tag<std::uint8_t, 4>(), from)).raw;
  }
  // Highway narrows 32 bits to 8 in more steps than these: sums of a tile took 2 % longer.
  TVP_INLINE static U8 lowest_bytes(const I32 (&v)[4]) {
#if HWY_TARGET == HWY_AVX2
    const __m256i first = _mm256_packus_epi32((__m256i)v[0], (__m256i)v[1]);
    const __m256i second = _mm256_packus_epi32((__m256i)v[2], (__m256i)v[3]);
    return (U8)_mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second),
                                           _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#else
    constexpr Tag<std::uint8_t, 2> kHalf;
    const auto bytes = [&](unsigned i) __attribute__((always_inline)) {
      return hn::Vec<Tag<std::uint8_t, 4>>{_mm512_cvtepi32_epi8((__m512i)v[i])};
    };
    return (U8)hn::Combine(kU8, hn::Combine(kHalf, bytes(3), bytes(2)),
                           hn::Combine(kHalf, bytes(1), bytes(0)))
        .raw;
#endif
  }

  TVP_INLINE static I32 larger(I32 a, I32 b) { return (I32)hn::Max(in(a), in(b)).raw; }
  TVP_INLINE static I32 smaller(I32 a, I32 b) { return (I32)hn::Min(in(a), in(b)).raw; }
  TVP_INLINE static U8 smaller(U8 a, U8 b) { return (U8)hn::Min(in(a), in(b)).raw; }
  TVP_INLINE static std::int32_t largest(I32 v) { return hn::GetLane(hn::MaxOfLanes(kI32, in(v))); }
  TVP_INLINE static Mask greater(I32 a, I32 b) { return hn::Gt(in(a), in(b)); }
  TVP_INLINE static Mask equal(I32 a, I32 b) { return hn::Eq(in(a), in(b)); }
  TVP_INLINE static Mask not_zero(I32 v) { return hn::Ne(in(v), hn::Zero(kI32)); }
  TVP_INLINE static Mask is_negative(U32 v) {
    return hn::MaskFromVec(hn::BroadcastSignBit(in(Moves::integers(v))));
  }
  TVP_INLINE static Mask both(Mask a, Mask b) { return hn::And(a, b); }
  TVP_INLINE static Mask either(Mask a, Mask b) { return hn::Or(a, b); }
  TVP_INLINE static bool any(Mask mask) { return !hn::AllFalse(kI32, mask); }
  TVP_INLINE static U8 where_zero(U8 v, U8 value) {
    return (U8)hn::IfThenElseZero(hn::Eq(in(v), hn::Zero(kU8)), in(value)).raw;
  }
  TVP_INLINE static bool any_below(U8 v, std::uint8_t limit) {
    return !hn::AllTrue(kU8, hn::Eq(hn::Max(in(v), hn::Set(kU8, limit)), in(v)));
  }
  template <typename Vector>
  TVP_INLINE static Vector select(Mask condition, Vector a, Vector b) {
    return (Vector)hn::IfThenElse(condition, in(kI32, a), in(kI32, b)).raw;
  }
  template <typename Vector>
  TVP_INLINE static Vector where(Mask condition, Vector v) {
    return (Vector)hn::IfThenElseZero(condition, in(kI32, v)).raw;
  }
  template <typename Vector>
  TVP_INLINE static Vector except(Mask condition, Vector v) {
    return (Vector)hn::IfThenZeroElse(condition, in(kI32, v)).raw;
  }
  TVP_INLINE static I32 magnitude(I32 v) { return (I32)hn::Abs(in(v)).raw; }
  TVP_INLINE static I32 with_sign(U32 magnitude, U32 sign) {
#if HWY_TARGET == HWY_AVX2
    // An instruction that Highway does not offer. Sums into FP32 Dst took 2 % longer without it.
    return (I32)_mm256_sign_epi32((__m256i)magnitude, (__m256i)(sign | 1));
#else
    const I32 ones = Moves::integers(sign) >> 31;
    return (Moves::integers(magnitude) ^ ones) - ones;
#endif
  }
  // On x86, shifts by 32 and more leave 0, or the sign.
  TVP_INLINE static I32 shifted_right(I32 v, I32 places) { return (I32)(in(v) >> in(places)).raw; }
  TVP_INLINE static U32 shifted_right(U32 v, I32 places) {
    return (U32)(in(v) >> in(Moves::bits(places))).raw;
  }
  TVP_INLINE static U32 shifted_left(U32 v, I32 places) {
    return (U32)(in(v) << in(Moves::bits(places))).raw;
  }
  /// The bit below the leading one is cleared, so that the conversion does not round up.
  TVP_INLINE static I32 leading_one(U32 v) {
    const U32 number = Moves::bits(Moves::to_float(Moves::integers(v & ~(v >> 1))));
    return Moves::integers(number >> 23) - 127;
  }
  TVP_INLINE static U8 repeated(const std::uint8_t* sixteen) {
    return (U8)hn::LoadDup128(kU8, sixteen).raw;
  }
  TVP_INLINE static U8 picked(U8 v, U8 places) {
    return (U8)hn::TableLookupBytes(in(v), in(places)).raw;
  }

  // Words of 16 bits.

  TVP_INLINE static auto zero_words(U16 v) { return hn::Eq(in(v), hn::Zero(kU16)); }
  TVP_INLINE static U16 larger(U16 a, U16 b) { return (U16)hn::Max(in(a), in(b)).raw; }
  TVP_INLINE static U16 smaller(U16 a, U16 b) { return (U16)hn::Min(in(a), in(b)).raw; }
  TVP_INLINE static bool any(U16 v) { return !hn::AllTrue(kU16, zero_words(v)); }
  TVP_INLINE static U16 where_not_zero(U16 condition, U16 v) {
    return (U16)hn::IfThenZeroElse(zero_words(condition), in(v)).raw;
  }
  TVP_INLINE static U16 where_zero(U16 condition, U16 v) {
    return (U16)hn::IfThenElseZero(zero_words(condition), in(v)).raw;
  }
  /// The excess of a word over a limit, or 0.
  TVP_INLINE static U16 excess(U16 v, U16 limit) {
    return (U16)hn::SaturatedSub(in(v), in(limit)).raw;
  }
  /// The lower half of the words, sign-extended.
  TVP_INLINE static I32 first_half(U16 words) {
    return (I32)hn::PromoteTo(kI32, hn::LowerHalf(in(kI16, words))).raw;
  }
  TVP_INLINE static I32 second_half(U16 words) {
    return (I32)hn::PromoteTo(kI32, hn::UpperHalf(Tag<std::int16_t, 2>(), in(kI16, words))).raw;
  }
  /// The high halves of the lanes of two vectors, in order.
  TVP_INLINE static U16 high_halves(U32 first, U32 second) {
    return (U16)hn::ConcatOdd(kU16, in(kU16, second), in(kU16, first)).raw;
  }
  TVP_INLINE static U16 low_halves(U32 first, U32 second) {
    return (U16)hn::ConcatEven(kU16, in(kU16, second), in(kU16, first)).raw;
  }
};

/// Masks of a register of 32 lanes: one for each vector of the host that holds a part of it, or an
/// integer with one bit for each lane.
template <unsigned kBytes>
struct HostMasks;

template <>
struct HostMasks<kHostBytes> {
  using Host = Lanes<kHostBytes>;
  using Mask = Host::Mask;

  /// The mask of the lanes of vector `i`.
  TVP_INLINE static Mask of(std::uint32_t bits, unsigned i) {
    if constexpr (kHostBytes == 32) {
      // One vector of bits serves all vectors of a register.
      const Host::I32 each = Host::I32{1, 2, 4, 8, 16, 32, 64, 128} << static_cast<int>(8 * i);
      return hn::TestBit(hn::Set(Host::kI32, static_cast<std::int32_t>(bits)), Host::in(each));
    }
    const std::uint32_t own = bits >> (Host::kCount * i);
    return hn::LoadMaskBits(Host::kI32, reinterpret_cast<const std::uint8_t*>(&own));
  }
  TVP_INLINE static std::uint32_t bits(Mask mask, unsigned i) {
#if HWY_TARGET == HWY_AVX2
    // Highway would store the bits as a byte.
    const auto own = static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)mask.raw));
#else
    std::uint64_t own = 0;
    hn::StoreMaskBits(Host::kI32, mask, reinterpret_cast<std::uint8_t*>(&own));
#endif
    return static_cast<std::uint32_t>(own) << (Host::kCount * i);
  }
  /// The mask of bit 31, the only one that a mask is made of.
  TVP_INLINE static std::uint32_t signs(Host::U32 v, unsigned i) {
    return bits(hn::MaskFromVec(Host::in(Host::integers(v))), i);
  }
  /// The mask of a register whose lanes have all bits or none.
  TVP_INLINE static Mask spread(const LaneProducts::Lanes& lanes, unsigned i) {
    return hn::MaskFromVec(Host::in(Host::load<Host::I32>(lanes.data() + Host::kCount * i)));
  }
  TVP_INLINE static Mask differ(Mask a, Mask b) { return hn::Xor(a, b); }
};

}  // namespace tvp::tensix::coprocessor
