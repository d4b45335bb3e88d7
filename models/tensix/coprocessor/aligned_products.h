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

template <unsigned kBytes>
class Products {
  using L = Lanes<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using F32 = typename L::F32;
  using U8 = typename L::U8;
  using Mask = typename L::Mask;
  static constexpr unsigned kStep = L::kCount;
  static constexpr unsigned kRowsOfBytes = kBytes / kColumns;
  static constexpr int kBias = 127, kMantissa = 23;
  // How far exponents are below the largest. Sums of two: of ordinary operands up to 2 * kReach,
  // with a zero operand from kZeroOperand on.
  static constexpr int kReach = 60, kZeroOperand = 127;
  static constexpr int kFarthest = kReach - kNothingLeft;
  static constexpr int kUnit = kSmaller + kBias + kMantissa;

 public:
  TVP_INLINE explicit Products(const FloatSums::Product& p)
      : p_(p),
        formats_(p.formats),
        rows_(p.rows),
        k_(product_exponent(p.formats)),
        z_(std::max(k_, 0)) {}

  TVP_INLINE void execute() {
    const Part part_a = srca_part(formats_);
    const Part part_b = srcb_part(formats_);
    if (p_.kept == nullptr) {
      FactorsA a;
      FactorsB b;
      read_srca(part_a, a);
      read_srcb(part_b, b);
      return sum(a, b);
    }
    const auto [a, a_made] = p_.kept->srca.of(key_of(p_.srca[0], p_.srca_changes, part_a));
    if (!a_made) read_srca(part_a, a);
    const auto [b, b_made] = p_.kept->srcb.of(key_of(p_.srcb, p_.srcb_changes, part_b));
    if (!b_made) read_srcb(part_b, b);
    sum(a, b);
  }

 private:
  using FactorsA = Factors<kInner>;
  using FactorsB = Factors<8>;

  TVP_INLINE FactorKey key_of(const void* rows, std::uint64_t changes, const Part& part) const {
    const bool implicit_one = part.hidden != 0;
    return {rows, changes, part.mask << part.shift, implicit_one, formats_.srca};
  }
  TVP_INLINE static int factor_of(const Part& part) { return kSlightlyLarger << part.weight; }

  TVP_INLINE void sum(const FactorsA& a, const FactorsB& b) {
    const bool fits = find_nearest(a, b);
    with_dst_kind(
        formats_, [&](auto kind) __attribute__((always_inline)) {
          fits ? sum_in_float<kind>(a, b) : sum_in_double<kind>();
        });
  }

  TVP_INLINE void read_srca(const Part& part, FactorsA& a) const {
    read(
        [this](unsigned k) -> const auto& { return p_.srca_row(k); }, kInner, part, 1, a);
  }
  TVP_INLINE void read_srcb(const Part& part, FactorsB& b) const {
    read(
        [this](unsigned i) -> const auto& { return p_.srcb_row(i); }, rows_, part, factor_of(part),
        b);
  }
  template <typename RowOf, typename Out>
  TVP_INLINE void read(RowOf row, unsigned count, const Part& part, int factor, Out& out) const {
    const std::uint32_t mask = exponent_mask(formats_);
    I32 tops{};
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = 0; j < kColumns; j += kStep)
        tops = L::larger(tops, L::integers(L::template load<U32>(row(i).data() + j) & mask));
    }
    const int top = L::largest(tops);
    out.top = top;

    // The part becomes the fraction of a number of the host, behind a one that only counts if it is
    // implicit.
    const bool implicit = part.hidden != 0;
    const std::uint32_t fraction = part.mask << part.shift;
    const int up = kMantissa - part.width - part.shift;
    const int bias = kBias + part.width - top;
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = 0; j < kColumns; j += kStep) {
        const U32 cell = L::template load<U32>(row(i).data() + j);
        const I32 e = L::integers(cell & mask);
        const Mask zero = L::equal(e, I32{});
        const I32 below = L::smaller(L::all(top) - e, L::all(kReach));
        L::store8(out.below[i] + j, L::select(zero, L::all(kZeroOperand), below));
        const U32 one = L::bits((e + bias) << kMantissa) | ((cell << 13) & 0x80000000);
        F32 value = L::floats(one | ((cell & fraction) << up));
        if (!implicit) value -= L::floats(one);
        value *= static_cast<float>(factor);
        const Mask lost = L::greater(L::all(std::max(1, top - kReach)), e);
        L::store(out.value[i] + j, L::except(lost, value));
      }
    }
  }

  /// How far the largest exponent of each group in each column and row is below that of all
  /// products. Returns whether float has room for all that counts.
  TVP_INLINE bool find_nearest(const FactorsA& a, const FactorsB& b) {
    U8 room = U8{} + 255;
    for (unsigned i = 0; i < rows_; i += kRowsOfBytes) {
      const U8 rows = L::template load<U8>(b.below[i]);
#pragma GCC unroll 2
      for (unsigned g = 0; g < 2; ++g) {
        U8 nearest = U8{} + 255;
#pragma GCC unroll 8
        for (unsigned k = g * kGroup; k < (g + 1) * kGroup; ++k)
          nearest = L::smaller(nearest, L::repeated(a.below[k]) + L::spread(rows, k));
        L::store(nearest_[g][i], nearest);
        L::store(unit_[g][i], static_cast<std::uint8_t>(kUnit) -
                                  L::smaller(nearest, U8{} + (kUnit - kBeginOfNothing)));
        // Only what is too far, and not zero, is now less than its range is long.
        room = L::smaller(room, nearest - static_cast<std::uint8_t>(kFarthest + 1));
      }
    }
    return !L::any_below(room, 2 * kReach - kFarthest);
  }

  template <DstKind kDst>
  TVP_INLINE void sum_in_float(const FactorsA& a, const FactorsB& b) {
    const int top = a.top + b.top + k_;
    if constexpr (kBytes == 64 && kDst == DstKind::kBf16) {
      if (rows_ == Bf16Rows<kBytes>::kRows && p_.dst_step == 1 && sum_in_rows(a, b, top)) [[likely]]
        return;
    }
    alignas(64) std::int32_t units[8][2][kColumns];
    add_products(
        a, b,
        [&](unsigned i, unsigned g, unsigned j, U32 begin, F32 sum)
            __attribute__((always_inline)) { L::store(units[i][g] + j, L::bits(sum) - begin); });
    for (unsigned i = 0; i < rows_; ++i) {
      for (unsigned j = 0; j < kColumns; j += kStep) {
        Term<kBytes> terms[2];
#pragma GCC unroll 2
        for (unsigned g = 0; g < 2; ++g) {
          const I32 below = L::load8(nearest_[g][i] + j);
          const I32 e = L::larger(
              L::except(L::greater(below, L::all(2 * kReach)), L::all(top) - below), L::all(z_));
          terms[g] = {e, L::where(L::greater(e, I32{}), L::template load<I32>(units[i][g] + j))};
        }
        Accumulator<kBytes, kDst>::add(terms, p_.dst_row(i), true, j);
      }
    }
  }
  /// False, and has done nothing, where there are numbers that are none of the host's.
  TVP_INLINE bool sum_in_rows(const FactorsA& a, const FactorsB& b, int top) {
    Bf16Rows<kBytes> rows;
    if (!rows.takes(top) || !rows.load(p_.dst.high, top)) [[unlikely]]
      return false;
    F32 matrix[kInner];
#pragma GCC unroll 16
    for (unsigned k = 0; k < kInner; ++k) matrix[k] = L::template load<F32>(a.value[k]);
    // Two rows side by side: their sums do not wait for each other.
    for (unsigned i = 0; i < Bf16Rows<kBytes>::kRows; i += 2) {
      F32 begin[2][2], sum[2][2];
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; ++c)
        sum[c / 2][c % 2] = begin[c / 2][c % 2] = L::floats(begin_of(i + c / 2, c % 2, 0));
#pragma GCC unroll 8
      for (unsigned k = 0; k < kGroup; ++k) {
#pragma GCC unroll 4
        for (unsigned c = 0; c < 4; ++c) {
          const unsigned at = k + c % 2 * kGroup;
          sum[c / 2][c % 2] += matrix[at] * b.value[i + c / 2][at];
        }
      }
      rows.add(i, begin, sum, p_.dst.high);
    }
    return true;
  }
  /// Of each row, columns from j on and group: what the sum began with, and what came of it.
  template <typename Keep>
  TVP_INLINE void add_products(const FactorsA& a, const FactorsB& b, Keep keep) const {
    for (unsigned j = 0; j < kColumns; j += kStep) {
      F32 matrix[kInner];
#pragma GCC unroll 16
      for (unsigned k = 0; k < kInner; ++k) matrix[k] = L::template load<F32>(a.value[k] + j);
      // Rows do not wait for each other: the host's processor adds several at a time.
      for (unsigned i = 0; i < rows_; ++i) {
#pragma GCC unroll 2
        for (unsigned g = 0; g < 2; ++g) {
          const U32 begin = begin_of(i, g, j);
          keep(i, g, j, begin, group_of(matrix, b.value[i], g, L::floats(begin)));
        }
      }
    }
  }
  /// 1.5 * 2^23 units, which are in the last place, of a sum that is so far below the top.
  TVP_INLINE U32 begin_of(unsigned i, unsigned g, unsigned j) const {
    return L::bits(L::load8(unit_[g][i] + j) << kMantissa) | (1u << (kMantissa - 1));
  }
  TVP_INLINE static F32 group_of(const F32 (&matrix)[kInner], const float (&row)[kColumns],
                                 unsigned g, F32 sum) {
#pragma GCC unroll 8
    for (unsigned k = g * kGroup; k < (g + 1) * kGroup; ++k) sum += matrix[k] * row[k];
    return sum;
  }

  /// For operands of any exponents: slower.
  template <DstKind kDst>
  TVP_INLINE void sum_in_double() {
    alignas(64) double a[kInner][kColumns];
    const Part part_a = srca_part(formats_);
    const Part part_b = srcb_part(formats_);
    for (unsigned k = 0; k < kInner; ++k) read_wide(p_.srca_row(k), part_a, 1, a[k]);
    for (unsigned i = 0; i < rows_; ++i) {
      alignas(64) double b[kInner];
      alignas(64) std::int32_t exponents[2][kColumns], sums[2][kColumns];
      read_wide(p_.srcb_row(i), part_b, factor_of(part_b), b);
      for (unsigned g = 0; g < 2; ++g) {
        find_largest(i, g, exponents[g]);
        sum_group(a, b, g, exponents[g], sums[g]);
      }
      for (unsigned j = 0; j < kColumns; j += kStep) {
        Term<kBytes> terms[2];
        for (unsigned g = 0; g < 2; ++g)
          terms[g] = {L::template load<I32>(exponents[g] + j), L::template load<I32>(sums[g] + j)};
        Accumulator<kBytes, kDst>::add(terms, p_.dst_row(i), true, j);
      }
    }
  }
  /// G of each column of a row.
  TVP_INLINE void find_largest(unsigned i, unsigned g, std::int32_t (&out)[kColumns]) const {
    const std::uint32_t mask = exponent_mask(formats_);
    for (unsigned j = 0; j < kColumns; ++j) out[j] = z_;
    for (unsigned k = g * kGroup; k < (g + 1) * kGroup; ++k) {
      const auto e_b = static_cast<int>(p_.srcb_row(i)[k] & mask);
      if (e_b == 0) continue;
      for (unsigned j = 0; j < kColumns; ++j) {
        const auto e_a = static_cast<int>(p_.srca_row(k)[j] & mask);
        out[j] = std::max(out[j], e_a != 0 ? e_a + e_b + k_ : z_);
      }
    }
  }
  TVP_INLINE void sum_group(const double (&a)[kInner][kColumns], const double (&b)[kInner],
                            unsigned g, const std::int32_t (&largest)[kColumns],
                            std::int32_t (&sums)[kColumns]) const {
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
      sums[j] = largest[j] > 0 ? units : 0;
    }
  }
  TVP_INLINE void read_wide(const FloatSums::SrcRow& row, const Part& part, int factor,
                            double (&out)[kColumns]) const {
    const std::uint32_t mask = exponent_mask(formats_);
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
  // Copies, which do not change when Dst is written.
  const FloatSums::Formats formats_;
  const unsigned rows_;
  const int k_, z_;
  alignas(64) std::uint8_t nearest_[2][8][kColumns];
  /// Exponents, as floats have them, of what sums of groups begin with.
  alignas(64) std::uint8_t unit_[2][8][kColumns];
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
