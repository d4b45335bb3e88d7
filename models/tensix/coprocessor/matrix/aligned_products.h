#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <type_traits>

#include "models/tensix/coprocessor/matrix/aligned_bf16.h"
#include "models/tensix/coprocessor/matrix/aligned_dst.h"
#include "models/tensix/coprocessor/matrix/aligned_fp32.h"
#include "models/tensix/coprocessor/matrix/aligned_operands.h"

namespace tvp::tensix::coprocessor::aligned_sums {

// MVMUL and GAPOOL (matrix_arithmetic.md).
//
// The hardware aligns a product to the largest exponent G of its group and rounds it to ten bits of
// fraction. A floating-point addition does the same if the sum so far is large enough. Sums here
// begin with 1.5 * 2^p units of 2^(G - 10), where p + 1 bits are the precision of the host's
// numbers. Every addition then rounds to a unit, and no sum of eight leaves the binade.
//
// The host rounds ties to even, the hardware away from zero. Therefore operands of SrcB are scaled
// up by 2^-13. That is less than half of the lowest of a product's twelve bits, and leaves no tie,
// even if the 25 bits of the larger product are rounded to float.
//
// In float, exponents count from the largest of SrcA and of SrcB. Numbers below 2^-kReach of it are
// lost. Instructions with a group that has only such numbers use double, which has room for all.

inline constexpr unsigned kInner = 16;  ///< products for each datum
inline constexpr unsigned kGroup = 8;   ///< number of products aligned to each other
/// The index of each datum of a row, for all columns. It is hidden from the compiler, which would
/// build each vector in more steps than a load.
using RowPlaces = std::array<std::array<std::uint8_t, kColumns>, kInner>;
extern const RowPlaces kPlaces;
inline constexpr int kSlightlyLarger = 8193;  ///< in units of 2^-kSmaller
inline constexpr int kSmaller = 13;
/// At this distance below the largest exponent of a group, a product vanishes.
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
  static constexpr unsigned kRowsAbreast = 4;  ///< rows whose exponents are checked together
  static constexpr unsigned kVectors = kRowsAbreast / kRowsOfBytes;
  static constexpr int kBias = 127, kMantissa = 23;
  /// True if the host has registers (32) for all rows of SrcA and the initial values of sums.
  static constexpr bool kHolds = kStep == kColumns;
  // Number of independent sums that are added in an interleaved way. With 32 registers, both groups
  // of two rows go directly to Dst. With 16 registers, eight sums leave some registers for
  // operands, and a row of SrcA is loaded once for eight sums. Dst is then added at the end, since
  // the chain of dependent operations is too long for the host to overlap.
  static constexpr unsigned kGroups = kHolds ? 2 : 1;
  static constexpr unsigned kAbreast = kHolds ? 2 : 8;  ///< sums of each group
  static constexpr unsigned kSums = kAbreast * kGroups;
  static constexpr unsigned kOfRow = kColumns / kStep;
  using Sums = F32[kAbreast][kGroups];
  template <typename Element>
  using PerDatum = Element[2][kRows * kColumns];  ///< element of Dst by group
  // Distances of exponents from the largest. Sums of two: up to 2 * kReach for ordinary operands,
  // from kZeroOperand on for a zero operand.
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
    const auto blocks = p_.srca;
    read([blocks](unsigned k) { return blocks[k / 8][k % 8].data(); }, kInner, part, 1, a);
  }
  TVP_INLINE void read_srcb(const Part& part, FactorsB& b) const {
    const auto* rows = p_.srcb;
    const unsigned step = p_.srcb_step;
    read([rows, step](unsigned i) { return rows[i * step].data(); }, rows_, part, factor_of(part),
         b);
  }
  template <typename Out>
  TVP_INLINE void read(auto row, unsigned count, const Part& part, int factor, Out& out) const {
    const std::uint32_t mask = exponent_mask(formats_);
    I32 tops{};
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned j = 0; j < kColumns; j += kStep)
        tops = L::larger(tops, L::integers(L::template load<U32>(row(i) + j) & mask));
    }
    const int top = L::largest(tops);
    out.top = top;

    // The part becomes the fraction of a host number. The leading one before it counts only if it
    // is implicit.
    const bool implicit = part.hidden != 0;
    const std::uint32_t fraction = part.mask << part.shift;
    const int up = kMantissa - part.width - part.shift;
    const int bias = kBias + part.width - top;
    const I32 least = L::all(std::max(1, top - kReach));
    for (unsigned i = 0; i < count; i += kRowsOfBytes) {
      I32 exponents[4];
#pragma GCC unroll 4
      for (unsigned v = 0; v < 4; ++v) {
        const unsigned at = v * kStep;
        const U32 cell = L::template load<U32>(row(i + at / kColumns) + at % kColumns);
        const I32 e = exponents[v] = L::integers(cell & mask);
        const U32 one = L::bits((e + bias) << kMantissa) | ((cell << 13) & 0x80000000);
        F32 value = L::floats(one | ((cell & fraction) << up));
        if (!implicit) value -= L::floats(one);
        value *= static_cast<float>(factor);
        L::store(out.value[i + at / kColumns] + at % kColumns,
                 L::except(L::greater(least, e), value));
      }
      const U8 e = L::lowest_bytes(exponents);
      const U8 below = L::smaller(static_cast<std::uint8_t>(top) - e, U8{} + kReach);
      L::store(out.below[i], below | L::where_zero(e, U8{} + kZeroOperand));
    }
  }

  /// Finds, for each group in each column and row, the distance of its largest exponent from that
  /// of all products. Returns true if float has room for all numbers that count.
  TVP_INLINE bool find_nearest(const FactorsA& a, const FactorsB& b) {
    U8 room = U8{} + 255;
    for (unsigned i = 0; i < rows_; i += kRowsAbreast) {
      keep_loads_here();
      U8 rows[kVectors];
#pragma GCC unroll 4
      for (unsigned v = 0; v < kVectors; ++v)
        rows[v] = L::template load<U8>(b.below[i + v * kRowsOfBytes]);
#pragma GCC unroll 2
      for (unsigned g = 0; g < 2; ++g) {
        U8 nearest[kVectors];
#pragma GCC unroll 8
        for (unsigned k = 0; k < kGroup; ++k) {
          const U8 column = L::repeated(a.below[g * kGroup + k]);
          const U8 place = L::repeated(kPlaces[g * kGroup + k].data());
#pragma GCC unroll 4
          for (unsigned v = 0; v < kVectors; ++v) {
            const U8 sum = column + L::picked(rows[v], place);
            nearest[v] = k == 0 ? sum : L::smaller(nearest[v], sum);
          }
        }
#pragma GCC unroll 4
        for (unsigned v = 0; v < kVectors; ++v) {
          const unsigned at = (i + v * kRowsOfBytes) * kColumns;
          L::store(nearest_[g] + at, nearest[v]);
          L::store(unit_[g] + at, static_cast<std::uint8_t>(kUnit) -
                                      L::smaller(nearest[v], U8{} + (kUnit - kBeginOfNothing)));
          // Only values that are too far and not zero are now below the length of their range.
          room = L::smaller(room, nearest[v] - static_cast<std::uint8_t>(kFarthest + 1));
        }
      }
    }
    if constexpr (!kHolds) make_begins();
    return !L::any_below(room, 2 * kReach - kFarthest);
  }

  template <DstKind kDst>
  TVP_INLINE void sum_in_float(const FactorsA& a, const FactorsB& b) {
    const int top = a.top + b.top + k_;
    const bool side_by_side = rows_ == kRows && p_.dst_step == 1;
    if constexpr (L::kHasWords && kDst == DstKind::kBf16) {
      const Bf16Rows<kBytes> rows(top);
      if (side_by_side && rows.take(p_.dst.high)) [[likely]]
        return add_to(rows, a, b);
    }
    alignas(64) PerDatum<std::int32_t> units;
    keep_sums(
        a, b, units, [](F32 sum, F32 begin) __attribute__((always_inline)) {
          return L::bits(sum) - L::bits(begin);
        });
    if constexpr (L::kHasWords && kDst == DstKind::kFp32) {
      const Fp32Rows<kBytes> rows(top);
      if (side_by_side && z_ == 0 && rows.take(p_.dst.high)) [[likely]] {
        for (std::size_t at = 0; at < kRows * kColumns; at += rows.kStep)
          rows.add(at, nearest_, units, p_.dst);
        return;
      }
    }
    for (unsigned i = 0; i < rows_; ++i) {
      for (unsigned j = 0; j < kColumns; j += kStep) {
        Term<kBytes> terms[2];
#pragma GCC unroll 2
        for (unsigned g = 0; g < 2; ++g) {
          const I32 below = L::load8(nearest_[g] + i * kColumns + j);
          const I32 e = L::larger(
              L::except(L::greater(below, L::all(2 * kReach)), L::all(top) - below), L::all(z_));
          terms[g] = {e, L::where(L::greater(e, I32{}),
                                  L::template load<I32>(units[g] + i * kColumns + j))};
        }
        Accumulator<kBytes, kDst>::add(terms, p_.dst_row(i), true, j);
      }
    }
  }
  TVP_INLINE void add_to(const Bf16Rows<kBytes>& rows, const FactorsA& a, const FactorsB& b) const {
    const auto came = [](F32 sum, F32 begin) __attribute__((always_inline)) { return sum - begin; };
    if constexpr (kHolds) {
      add_products(
          a, b,
          [&](std::size_t at, std::size_t, const Sums& begin, Sums& sum)
              __attribute__((always_inline)) {
#pragma GCC unroll 4
                for (unsigned c = 0; c < kSums; ++c) of(sum, c) = came(of(sum, c), of(begin, c));
                rows.add(at, begin, sum, p_.dst.high);
              });
    } else {
      alignas(64) PerDatum<float> sums;
      keep_sums(a, b, sums, came);
      constexpr unsigned kParts = Bf16Rows<kBytes>::kParts;
      for (std::size_t at = 0; at < kRows * kColumns; at += Bf16Rows<kBytes>::kStep) {
        F32 begin[kParts][2], sum[kParts][2];
#pragma GCC unroll 8
        for (unsigned c = 0; c < kParts * 2; ++c) {
          const std::size_t place = at + c / 2 * L::kCount;
          begin[c / 2][c % 2] = begin_of(place, c % 2);
          sum[c / 2][c % 2] = L::template load<F32>(sums[c % 2] + place);
        }
        rows.add(at, begin, sum, p_.dst.high);
      }
    }
  }
  /// Adds to each sum the increments since its start, in `came`.
  template <typename Element, typename Came>
  TVP_INLINE void keep_sums(const FactorsA& a, const FactorsB& b, PerDatum<Element>& out,
                            Came came) const {
    add_products(
        a, b,
        [&](std::size_t at, std::size_t g, const Sums& begin, const Sums& sum)
            __attribute__((always_inline)) {
#pragma GCC unroll 8
              for (unsigned c = 0; c < kSums; ++c)
                L::store(out[g + c % kGroups] + at + c / kGroups * L::kCount,
                         came(of(sum, c), of(begin, c)));
            });
  }
  /// In order, group by group of each vector.
  TVP_INLINE static auto& of(auto& sums, unsigned c) { return sums[c / kGroups][c % kGroups]; }

  /// Rows of SrcA. Hosts with registers for all of them load each once.
  class Matrix {
   public:
    TVP_INLINE explicit Matrix(const float* rows) : rows_(rows) {
      if constexpr (kHolds) {
#pragma GCC unroll 16
        for (unsigned k = 0; k < kInner; ++k) held_[k] = L::template load<F32>(rows + k * kColumns);
      }
    }
    TVP_INLINE F32 at(unsigned k, unsigned j) const {
      if constexpr (kHolds) return held_[k];
      return L::template load<F32>(rows_ + k * kColumns + j);
    }

   private:
    const float* rows_;
    F32 held_[kInner];
  };
  /// Calls `keep` with a place in Dst, the first group, the initial values of the sums, and the
  /// sums.
  template <typename Keep>
  TVP_INLINE void add_products(const FactorsA& a, const FactorsB& b, Keep keep) const {
    for (std::size_t g = 0; g < 2; g += kGroups) {
      const Matrix matrix(a.value[g * kGroup]);
      for (std::size_t i = 0; i < rows_; i += kAbreast / kOfRow) {
        const std::size_t at = i * kColumns;
        const float* rows = b.value[i] + g * kGroup;
        keep_loads_here();
        Sums begin, sum;
#pragma GCC unroll 8
        for (unsigned c = 0; c < kSums; ++c)
          of(sum, c) = of(begin, c) = begin_of(at + c / kGroups * L::kCount, g + c % kGroups);
#pragma GCC unroll 8
        for (unsigned k = 0; k < kGroup; ++k) {
#pragma GCC unroll 8
          for (unsigned c = 0; c < kSums; ++c) {
            const unsigned v = c / kGroups, inner = k + c % kGroups * kGroup;
            of(sum, c) +=
                matrix.at(inner, v % kOfRow * kStep) * rows[v / kOfRow * kColumns + inner];
          }
        }
        keep(at, g, begin, sum);
      }
    }
  }
  /// The compiler would otherwise hoist loads for all rows before the first one, without registers
  /// to keep them.
  TVP_INLINE static void keep_loads_here() {
    if constexpr (!kHolds) std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  /// 1.5 * 2^23 units in the last place, for a sum at this distance below the top.
  TVP_INLINE F32 begin_of(std::size_t at, std::size_t g) const {
    if constexpr (kHolds) return made_begin(at, g);
    return L::template load<F32>(begin_[g] + at);
  }
  TVP_INLINE F32 made_begin(std::size_t at, std::size_t g) const {
    return L::floats(L::bits(L::load8(unit_[g] + at) << kMantissa) | (1u << (kMantissa - 1)));
  }
  TVP_INLINE void make_begins() {
    constexpr std::size_t kAtOnce = kRowsAbreast * kColumns;
    for (std::size_t from = 0; from < rows_ * kColumns; from += kAtOnce) {
#pragma GCC unroll 8
      for (std::size_t at = from; at < from + kAtOnce; at += kStep) {
#pragma GCC unroll 2
        for (std::size_t g = 0; g < 2; ++g) L::store(begin_[g] + at, made_begin(at, g));
      }
    }
  }

  /// For operands with any exponents; slower.
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
  // Copies, which writes to Dst do not change.
  const FloatSums::Formats formats_;
  const unsigned rows_;
  const int k_, z_;
  alignas(64) PerDatum<std::uint8_t> nearest_;
  /// Float exponents of the initial values of groups' sums.
  alignas(64) PerDatum<std::uint8_t> unit_;
  alignas(64) PerDatum<float> begin_;  ///< not in use if computed on demand
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
