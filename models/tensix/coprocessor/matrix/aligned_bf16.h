#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/matrix/aligned_words.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// Adds the sums of both groups of products to eight rows of BF16 Dst, as Accumulator does,
/// entirely in the host's numbers. For hosts whose lanes have words of 16 bits (kHasWords).
///
/// An addition aligns and rounds to ten bits of fraction if the sum so far is large enough: 1.5 *
/// 2^23 units of 2^(E - 10). Subtracting these leaves T. Ties that the hardware decides are
/// avoided. A datum of Dst is scaled up by 2^-13, since its ties go away from zero. Ties of sums of
/// products go up, so they are scaled by a fraction of their last place and of one unit. Together
/// the increases are less than half of a place for sums that are not moved. They are more than one,
/// or two, for sums moved by 14 and 15 places, of which the hardware rounds the last one, or two,
/// separately first.
template <unsigned kBytes>
class Bf16Rows {
  using L = Lanes<kBytes>;
  using Words = DstWords<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using U16 = typename L::U16;
  using F32 = typename L::F32;

 public:
  /// Two rows are added at a time, as vectors of 16-bit words and twice as many of floats.
  static constexpr unsigned kStep = 2 * kColumns;
  static constexpr unsigned kWords = kStep / Words::kCount, kParts = 2 * kWords;

  /// `top` is the largest exponent of the products.
  TVP_INLINE explicit Bf16Rows(int top)
      : top_(top), shift_(L::all_words((kExponentOfTop - top) << 7)) {}

  /// True if sums stay inside the range of BF16, and the data of Dst make every later value an
  /// ordinary number.
  TVP_INLINE bool take(const Dst::Row* dst) const {
    return top_ >= kLeast && top_ <= kMost &&
           Words::exponents_within(std::max(1, top_ - kReach), std::min(kMost, top_ + kReach), dst);
  }

  /// Adds to data from `at` on. `begin` is the initial value of each sum, and `sum` its increase.
  TVP_INLINE void add(std::size_t at, const F32 (&begin)[kParts][2], const F32 (&sum)[kParts][2],
                      Dst::Row* dst) const {
    U32 values[kParts];
    F32 units[kParts], all[kParts], moved[kParts][2];
#pragma GCC unroll 2
    for (unsigned w = 0; w < kWords; ++w) {
      const U16 cells = Words::load(dst, at + w * Words::kCount);
      const U16 before =
          L::where_not_zero(Words::exponents(cells), Words::host_order(cells) + shift_);
      values[2 * w] = L::bits(L::first_half(before) << 16);
      values[2 * w + 1] = L::bits(L::second_half(before) << 16);
    }
#pragma GCC unroll 4
    for (unsigned part = 0; part < kParts; ++part) {
      // 1.5 * 2^13 of its leading one, which is 1.5 * 2^23 of its own units.
      const I32 own = L::integers((values[part] & 0x7F800000) + ((13 << 23) | (1 << 22)));
      const I32 largest = L::larger(as_integers(begin[part][0]), as_integers(begin[part][1]));
      units[part] = L::floats(L::bits(L::larger(own, largest)));
    }
#pragma GCC unroll 2
    for (unsigned g = 0; g < 2; ++g) {
#pragma GCC unroll 4
      for (unsigned part = 0; part < kParts; ++part)
        moved[part][g] = units[part] * kOfUnit + (begin[part][g] * kOfOwnPlace + sum[part][g]);
#pragma GCC unroll 4
      for (unsigned part = 0; part < kParts; ++part)
        all[part] = (g == 0 ? units[part] : all[part]) + moved[part][g];
    }
#pragma GCC unroll 4
    for (unsigned part = 0; part < kParts; ++part)
      all[part] = L::floats(values[part]) * (1 + 0x1p-13F) + all[part];
#pragma GCC unroll 4
    for (unsigned part = 0; part < kParts; ++part) all[part] = all[part] - units[part];
    U16 words[kWords];
#pragma GCC unroll 2
    for (unsigned w = 0; w < kWords; ++w)
      words[w] = L::high_halves(rounded(all[2 * w]), rounded(all[2 * w + 1]));
#pragma GCC unroll 2
    for (unsigned w = 0; w < kWords; ++w)
      Words::store(dst, at + w * Words::kCount,
                   Words::dst_order(L::where_not_zero(words[w], words[w] - shift_)));
  }

 private:
  /// Float exponent of the leading one of a number with the exponent of the top.
  static constexpr int kExponentOfTop = 127 + 23;
  /// Range above and below it. The smallest initial value of a sum without products is below.
  static constexpr int kReach = 90;
  static_assert(kExponentOfTop - kReach + 13 > kBeginOfNothing);
  /// The largest group is at most 47 below the top, and T at least 2^-10 of it; nor is it more than
  /// 2^6 of the largest number.
  static constexpr int kLeast = 47 + 10 + 1, kMost = 254 - 6;
  // Fractions of 1.5 * 2^23 places or units: 0.375, and 0.84 of 2^-14.
  static constexpr float kOfOwnPlace = 0x1p-25F, kOfUnit = 1.125F * 0x1p-38F;

  TVP_INLINE static I32 as_integers(F32 value) { return L::integers(L::bits(value)); }
  /// Rounds to eight bits in the high half, ties away from zero.
  TVP_INLINE static U32 rounded(F32 value) { return L::bits(value) + (1u << 15); }

  int top_;
  U16 shift_;
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
