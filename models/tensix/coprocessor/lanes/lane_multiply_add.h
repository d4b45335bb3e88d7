#pragma once

#include "models/tensix/coprocessor/lanes/lane_products.h"
#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_float.h"

namespace tvp::tensix::coprocessor {

/// The steps of vector_multiply_add for several lanes at once. Infinities, NaN and products that
/// overflow are left to that function.
template <unsigned kBytes>
class LaneMultiplyAdd {
  using L = Lanes<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using Mask = typename L::Mask;
  using Registers = LaneProducts::Lanes;

 public:
  TVP_INLINE static void execute(const Registers& x, const Registers& y, const Registers& z,
                                 const Registers& written, Registers& result) {
    constexpr unsigned kVectors = std::tuple_size_v<Registers> / L::kCount;
    U32 values[kVectors];
    I32 largest{};
#pragma GCC unroll 8
    for (unsigned i = 0; i < kVectors; ++i) {
      values[i] = ordinary(at(x, i), at(y, i), at(z, i), largest);
    }
    if (L::any(L::greater(largest, L::all(254)))) [[unlikely]] {
      Registers exact;
      for (unsigned lane = 0; lane < result.size(); ++lane)
        exact[lane] = vector_multiply_add(x[lane], y[lane], z[lane]);
      for (unsigned i = 0; i < kVectors; ++i) values[i] = at(exact, i);
    }
#pragma GCC unroll 8
    for (unsigned i = 0; i < kVectors; ++i) {
      const U32 here = at(written, i);
      L::store(result.data() + i * L::kCount, (values[i] & here) | (at(result, i) & ~here));
    }
  }

 private:
  static constexpr std::uint32_t kOne = 0x800000;  // implicit bit of a significand

  TVP_INLINE static U32 at(const Registers& lanes, unsigned i) {
    return L::template load<U32>(lanes.data() + i * L::kCount);
  }
  TVP_INLINE static I32 exponent_of(U32 v) { return L::integers(v >> 23 & 255); }
  TVP_INLINE static U32 significand_of(U32 v, I32 exponent) {
    return L::except(L::equal(exponent, I32{}), (v & 0x7FFFFF) | kOne);
  }
  /// 1 if the value, which has less than 32 bits, is not zero.
  TVP_INLINE static U32 any(U32 value) {
    return L::bits(L::smaller(L::integers(value), L::all(1)));
  }
  /// The 48-bit product without its lowest 20 bits, for which the last remaining bit is sticky. It
  /// is computed from 12-bit halves, since products here have 32 bits.
  TVP_INLINE static U32 product_of(U32 x, U32 y) {
    const U32 low = (x & 0xFFF) * (y & 0xFFF);
    const U32 middle = (x & 0xFFF) * (y >> 12) + (x >> 12) * (y & 0xFFF) + (low >> 12);
    const U32 lost = (middle & 0xFF) | (low & 0xFFF);
    return (((x >> 12) * (y >> 12) << 4) + (middle >> 8)) | any(lost);
  }
  /// Shifts right. The bits that are shifted out are sticky, unless all are. `value` has less than
  /// 31 bits.
  TVP_INLINE static U32 align(U32 value, I32 places) {
    const U32 kept = L::shifted_right(value, places);
    const U32 lost = L::shifted_left(kept, places) ^ value;
    return kept | any(L::bits(L::smaller(L::integers(kept), L::integers(lost))));
  }

  TVP_INLINE static U32 ordinary(U32 x, U32 y, U32 z, I32& largest) {
    const I32 x_exponent = exponent_of(x);
    const I32 y_exponent = exponent_of(y);
    const I32 z_exponent = exponent_of(z);
    const I32 product_exponent = x_exponent + y_exponent - 127;
    largest = L::larger(L::larger(largest, L::larger(x_exponent, y_exponent)),
                        L::larger(z_exponent, product_exponent));
    const U32 whole = product_of(significand_of(x, x_exponent), significand_of(y, y_exponent));
    const Mask no_product =
        L::either(L::equal(L::integers(whole), I32{}), L::is_negative(L::bits(product_exponent)));

    const I32 larger = L::larger(product_exponent, z_exponent);
    const U32 product = align(whole, larger - product_exponent);
    const U32 addend = align(significand_of(z, z_exponent) << 3, larger - z_exponent);
    // Both have less than 31 bits, so their difference is signed. It is negative only if the addend
    // is larger and has the opposite sign, which is then the sign of the sum.
    const I32 opposite = L::integers(x ^ y ^ z) >> 31;
    const I32 total = L::integers(product) + ((L::integers(addend) ^ opposite) - opposite);
    const U32 sum = L::bits(L::magnitude(total));
    const U32 sign = (x ^ y ^ L::bits(total)) & kSign;

    // The leading one goes to bit 26. A shift by two places drops a bit that should be sticky.
    const I32 places = L::leading_one(sum) - 26;
    const I32 exponent = larger + places;
    const I32 right = L::larger(places, I32{});
    const U32 sticky = sum & any(L::bits(right));
    const U32 normal = L::shifted_right(L::shifted_left(sum, right - places), right) | sticky;
    // Ties to even: up from 4 with an odd digit, or from 5. The leading one adds one to the
    // exponent.
    const U32 rounded = L::bits((exponent - 1) << 23) + ((normal + ((normal >> 3) & 1) + 3) >> 3);
    const Mask too_large = L::greater(exponent, L::all(254));
    const U32 finite = L::select(too_large, U32{} + 0x7F800000, rounded);
    const Mask vanishes =
        L::either(L::either(L::equal(L::integers(sum), I32{}), L::is_negative(L::bits(exponent))),
                  L::equal(L::integers(finite >> 23), I32{}));
    const U32 result = L::except(vanishes, sign | finite);
    const U32 alone = L::except(L::equal(z_exponent, I32{}), z);
    return L::select(no_product, alone, result);
  }
};

}  // namespace tvp::tensix::coprocessor
