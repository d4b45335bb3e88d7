#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/matrix/aligned_words.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// Adds the sums of both groups of products to eight rows of FP32 Dst, as Accumulator does. No
/// result may be near the ends of the range, and a product with a zero operand has no exponent.
///
/// Exponents count down from that of the largest product. T has more bits than numbers of the host,
/// so it is an integer. Its conversion to a float normalizes and rounds it, and a multiplication
/// gives it its exponent.
template <unsigned kBytes>
class Fp32Rows {
  using L = Lanes<kBytes>;
  using Words = DstWords<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using F32 = typename L::F32;
  using U16 = typename L::U16;

 public:
  static constexpr std::size_t kStep = Words::kCount;  ///< data added at a time

  /// `top` is the largest exponent of the products.
  TVP_INLINE explicit Fp32Rows(int top) : top_(top) {}

  TVP_INLINE bool take(const Dst::Row* high) const {
    return top_ >= kLeast + kFarthestGroup && top_ <= kMost &&
           Words::exponents_within(std::max(kLeast, top_ - kFarthestDst), kMost, high);
  }

  /// Adds to data from `at` on. Each group has the distance `below` of its exponent from the top,
  /// and its sum in units of 2^-10 of that exponent.
  TVP_INLINE void add(std::size_t at, const std::uint8_t (&below)[2][kRows * kColumns],
                      const std::int32_t (&sums)[2][kRows * kColumns],
                      FloatSums::DstRow dst) const {
    const U16 cells = Words::load(dst.high, at);
    const U16 exponents = Words::exponents(cells);
    const U16 far = L::where_zero(exponents, L::all_words(kNothing));
    const U16 below_top = L::all_words(top_) - exponents + far;
    const U16 significands = (cells >> 8) | L::all_words(0x80);
    const auto* low = dst.low->data() + at;
    const U32 first = sum_of(at, below, sums, L::first_half(below_top), L::first_half(cells),
                             L::bits(L::first_half(significands) << 16) | L::load16(low));
    const U32 second =
        sum_of(at + L::kCount, below, sums, L::second_half(below_top), L::second_half(cells),
               L::bits(L::second_half(significands) << 16) | L::load16(low + L::kCount));
    Words::store(dst.high, at, Words::dst_order(L::high_halves(first, second)));
    Words::store(dst.low, at, L::low_halves(first, second));
  }

 private:
  TVP_INLINE U32 sum_of(std::size_t at, const std::uint8_t (&below)[2][kRows * kColumns],
                        const std::int32_t (&sums)[2][kRows * kColumns], I32 of_dst, I32 sign,
                        U32 significand) const {
    const I32 of_group[] = {L::load8(below[0] + at), L::load8(below[1] + at)};
    const I32 nearest = L::smaller(of_dst, L::smaller(of_group[0], of_group[1]));
    const U32 magnitude = (L::shifted_right(significand + significand, of_dst - nearest) + 1) >> 1;
    I32 t = L::with_sign(magnitude, L::bits(sign));
#pragma GCC unroll 2
    for (unsigned g = 0; g < 2; ++g) {
      const I32 doubled = L::template load<I32>(sums[g] + at) << 14;
      t += (L::shifted_right(doubled, of_group[g] - nearest) + 1) >> 1;
    }
    // Conversion rounds numbers of more than 24 bits, ties to even, unless a bit follows T.
    const I32 absolute = L::magnitude(t);
    const I32 behind = L::where(L::greater(absolute, L::all(0xFFFFFF)), L::all(1));
    const I32 twice = L::with_sign(L::bits(absolute + absolute + behind), L::bits(t));
    // Like the hardware's normalizer.
    const I32 more = L::where(L::equal(t, L::all(-1)), L::all(4 + 23));
    const I32 exponent = L::larger(L::all(top_ - 24) - nearest, L::all(1)) + more;
    return L::bits(L::to_float(twice) * L::floats(L::bits(exponent << 23)));
  }

  /// Twice T, at least 1, and its multiplier are ordinary numbers; T is less than 2^7 of the
  /// largest number.
  static constexpr int kLeast = 24 + 1, kMost = 254 - 7;
  static constexpr int kFarthestGroup = 47;
  /// A group without products is further below the top.
  static constexpr int kFarthestDst = 126;
  /// Larger than the distance of any group from the top.
  static constexpr int kNothing = 512;

  int top_;
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
