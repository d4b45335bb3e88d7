#pragma once

#include <bit>
#include <type_traits>

#include "models/tensix/coprocessor/aligned_dst.h"
#include "models/tensix/coprocessor/aligned_operands.h"

namespace tvp::tensix::coprocessor::aligned_sums {

// MVMUL and GAPOOL (matrix_arithmetic.md).
//
// To align a product to the largest exponent G of its group and to round it to ten bits of fraction
// is what an addition of floating-point numbers does if the sum so far is large enough. Sums here
// begin with 1.5 * 2^p units of 2^(G - 10), where p + 1 bits are the precision of the host's
// numbers: every addition rounds to a unit, and no sum of eight leaves the binade. The host rounds
// ties to even and the hardware away from zero, so operands of SrcB are made larger by 2^-13 of
// themselves: that is less than half of the lowest of a product's twelve bits, and leaves no tie,
// even where the 25 bits of the larger product are rounded to float.
//
// In float, exponents count from the largest of SrcA and of SrcB. What is less than 2^-kReach of it
// is lost; instructions with a group that has nothing larger are left to double, which has room for
// all.

inline constexpr unsigned kInner = 16;        ///< products of a datum
inline constexpr unsigned kGroup = 8;         ///< how many of them are aligned to each other
inline constexpr int kSlightlyLarger = 8193;  ///< in units of 2^-kSmaller
inline constexpr int kSmaller = 13;
/// So far below the largest exponent of a group, nothing of a product is left.
inline constexpr int kNothingLeft = 13;
/// Of a zero operand: low enough not to be the largest in any sum of two.
inline constexpr int kNoExponent = -0x1000;

template <unsigned kBytes>
class Products {
  using L = Lanes<kBytes>;
  /// A row of columns at most.
  using I16 = std::conditional_t<2 * L::kCount <= kColumns, typename L::I16, typename L::HalfI16>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using F32 = typename L::F32;
  static constexpr unsigned kStep = L::kCount;
  static constexpr unsigned kStep16 = sizeof(I16) / sizeof(std::int16_t);
  static constexpr int kReach = 60;
  static constexpr int kBias = 127, kMantissa = 23;

 public:
  TVP_INLINE explicit Products(const FloatSums::Product& p)
      : p_(p), k_(product_exponent(p.formats)), z_(std::max(k_, 0)) {}

  TVP_INLINE void execute() {
    read_exponents();
    find_largest();
    if (!sum_in_float()) sum_in_double();
    for (unsigned i = 0; i < p_.rows; ++i)
      accumulate<kBytes, 2>(p_.formats, terms_[i], p_.dst[i], true);
  }

 private:
  TVP_INLINE void read_exponents() {
    top_a_ = read_exponents(p_.srca.data(), kInner, 0, a_exponents_);
    top_b_ = read_exponents(p_.srcb.data(), p_.rows, k_, b_exponents_);
  }
  /// Exponents of an operand, plus a constant. Returns the largest, without.
  TVP_INLINE int read_exponents(const FloatSums::SrcRow* const* rows, unsigned count, int constant,
                                std::int16_t (*out)[kColumns]) const {
    const std::uint32_t mask = exponent_mask(p_.formats);
    I32 top{};
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = 0; j < kColumns; j += kStep) {
        const I32 e = L::integers(L::template load<U32>(rows[i]->data() + j) & mask);
        top = L::larger(top, e);
        L::store16(out[i] + j, L::select(L::equal(e, I32{}), L::all(kNoExponent), e + constant));
      }
    }
    int largest = 0;
    for (unsigned lane = 0; lane < kStep; ++lane) largest = std::max(largest, top[lane]);
    return largest;
  }

  /// Values of an operand, relative to 2^top.
  TVP_INLINE void read_values(const FloatSums::SrcRow& row, const Part& part, int top, float factor,
                              float (&out)[kColumns]) const {
    const std::uint32_t mask = exponent_mask(p_.formats);
    const int lowest = std::max(1, top - kReach);
    for (unsigned j = 0; j < kColumns; j += kStep) {
      const U32 cell = L::template load<U32>(row.data() + j);
      const I32 e = L::integers(cell & mask);
      const U32 sign = (cell << 13) & 0x80000000;
      const U32 power = L::bits((e + (kBias - top)) << kMantissa) | sign;
      const F32 scale = L::floats(power & L::bits(L::greater(e, L::all(lowest - 1)))) * factor;
      const I32 value = L::integers(((cell >> part.shift) & part.mask) | part.hidden);
      L::store(out + j, L::to_float(value) * scale);
    }
  }

  /// Largest exponents G of a group in each column of each row.
  TVP_INLINE void find_largest() {
    for (unsigned i = 0; i < p_.rows; ++i) {
#pragma GCC unroll 2
      for (unsigned g = 0; g < 2; ++g) {
        for (unsigned j = 0; j < kColumns; j += kStep16) {
          I16 top = I16{} + static_cast<std::int16_t>(z_);
#pragma GCC unroll 8
          for (unsigned k = g * kGroup; k < (g + 1) * kGroup; ++k)
            top = L::larger(top, L::template load<I16>(a_exponents_[k] + j) + b_exponents_[i][k]);
          L::store(largest_[i][g] + j, top);
        }
      }
    }
  }

  /// Returns whether there was room for all that counts.
  TVP_INLINE bool sum_in_float() {
    const Part part_a = srca_part(p_.formats);
    const Part part_b = srcb_part(p_.formats);
    const auto factor_b = static_cast<float>(kSlightlyLarger << part_b.weight);
    const int top = top_a_ + top_b_ + k_;
    alignas(64) float a[kInner][kColumns];
    alignas(64) float b[8][kInner];
    for (unsigned k = 0; k < kInner; ++k) read_values(*p_.srca[k], part_a, top_a_, 1, a[k]);
    for (unsigned i = 0; i < p_.rows; ++i) read_values(*p_.srcb[i], part_b, top_b_, factor_b, b[i]);
    // Rows do not wait for each other: the host's processor adds several at a time.
    I32 lost{};
    for (unsigned j = 0; j < kColumns; j += kStep) {
#pragma GCC unroll 2
      for (unsigned g = 0; g < 2; ++g) lost |= sum_group(a, b, g, j, top);
    }
    std::int32_t any = 0;
    for (unsigned lane = 0; lane < kStep; ++lane) any |= lost[lane];
    return any == 0;
  }
  /// Columns from `j` on of all rows. Returns where something was lost.
  TVP_INLINE I32 sum_group(const float (&a)[kInner][kColumns], const float (&b)[8][kInner],
                           unsigned g, unsigned j, int top) {
    const int lowest = std::max(0, top - kReach + kNothingLeft);
    F32 matrix[kGroup];
#pragma GCC unroll 8
    for (unsigned k = 0; k < kGroup; ++k) matrix[k] = L::template load<F32>(a[g * kGroup + k] + j);
    I32 lost{};
    for (unsigned i = 0; i < p_.rows; ++i) {
      const I32 e = L::load16(largest_[i][g] + j);
      const I32 counts = L::greater(e, I32{});
      lost |= counts & L::greater(L::all(lowest), e);
      const I32 unit = L::larger(e - top, L::all(-kReach)) + (kSmaller + kBias + kMantissa);
      const U32 begin = L::bits(unit << kMantissa) | (1u << (kMantissa - 1));
      F32 sum = L::floats(begin);
#pragma GCC unroll 8
      for (unsigned k = 0; k < kGroup; ++k) sum += matrix[k] * b[i][g * kGroup + k];
      const I32 units = L::integers(L::bits(sum) - begin);
      L::store(terms_[i].exponent[g] + j, e);
      L::store(terms_[i].sum[g] + j, units & counts);
    }
    return lost;
  }

  /// For operands of any exponents: slower.
  TVP_INLINE void sum_in_double() {
    alignas(64) double a[kInner][kColumns];
    const Part part_a = srca_part(p_.formats);
    const Part part_b = srcb_part(p_.formats);
    for (unsigned k = 0; k < kInner; ++k) read_wide(*p_.srca[k], part_a, 1, a[k]);
    for (unsigned i = 0; i < p_.rows; ++i) {
      alignas(64) double b[kInner];
      read_wide(*p_.srcb[i], part_b, kSlightlyLarger << part_b.weight, b);
      for (unsigned g = 0; g < 2; ++g) {
        const std::int32_t(&largest)[kColumns] = terms_[i].exponent[g];
        alignas(64) double begin[kColumns];
        alignas(64) double sum[kColumns];
        for (unsigned j = 0; j < kColumns; ++j) {
          const std::int64_t unit = largest[j] - k_ + (kSmaller - 2 * kWideBias + 1023 + 52);
          begin[j] = sum[j] = 1.5 * std::bit_cast<double>(unit << 52);
        }
        for (unsigned k = g * kGroup; k < (g + 1) * kGroup; ++k) {
          for (unsigned j = 0; j < kColumns; ++j) sum[j] += a[k][j] * b[k];
        }
        for (unsigned j = 0; j < kColumns; ++j) {
          const auto units = static_cast<std::int32_t>(std::bit_cast<std::int64_t>(sum[j]) -
                                                       std::bit_cast<std::int64_t>(begin[j]));
          terms_[i].sum[g][j] = largest[j] > 0 ? units : 0;
        }
      }
    }
  }
  TVP_INLINE void read_wide(const FloatSums::SrcRow& row, const Part& part, int factor,
                            double (&out)[kColumns]) const {
    const std::uint32_t mask = exponent_mask(p_.formats);
    for (unsigned j = 0; j < kColumns; ++j) {
      const std::int64_t e = row[j] & mask;
      const double scale = std::bit_cast<double>((e - kWideBias + 1023) << 52);
      const auto part_of =
          static_cast<std::int32_t>(((row[j] >> part.shift) & part.mask) | part.hidden);
      const double value = part_of * factor * scale;
      const double with_sign = (row[j] & 0x40000) != 0 ? -value : value;
      out[j] = e != 0 ? with_sign : 0;
    }
  }
  static constexpr int kWideBias = 128;

  const FloatSums::Product& p_;
  const int k_, z_;
  int top_a_ = 0, top_b_ = 0;
  alignas(64) std::int16_t a_exponents_[kInner][kColumns];
  alignas(64) std::int16_t b_exponents_[8][kInner];  ///< plus K
  alignas(64) std::int16_t largest_[8][2][kColumns];
  Terms terms_[8];
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
