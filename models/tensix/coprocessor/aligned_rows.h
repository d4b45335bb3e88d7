#pragma once

#include "models/tensix/coprocessor/aligned_dst.h"
#include "models/tensix/coprocessor/aligned_operands.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// ELWMUL, ELWADD and ELWSUB (matrix_arithmetic.md).
template <unsigned kBytes>
class Rows {
  using L = Lanes<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  static constexpr unsigned kStep = L::kCount;

 public:
  TVP_INLINE explicit Rows(const FloatSums::Elementwise& e) : e_(e) {}

  TVP_INLINE void execute() const {
    for (unsigned i = 0; i < 8; ++i) {
      Terms terms;
      if (e_.combine == FloatSums::Combine::kMultiply) {
        multiply(*e_.srca[i], *e_.srcb[i], terms);
      } else {
        add(*e_.srca[i], *e_.srcb[i], terms);
      }
      accumulate<kBytes, 1>(e_.formats, terms, e_.dst[i], e_.add_dst);
    }
  }

 private:
  TVP_INLINE void multiply(const FloatSums::SrcRow& row_a, const FloatSums::SrcRow& row_b,
                           Terms& out) const {
    const std::uint32_t mask = exponent_mask(e_.formats);
    const Part part_a = srca_part(e_.formats);
    const Part part_b = srcb_part(e_.formats);
    const int k = product_exponent(e_.formats);
    const int kept = e_.flush_srcb ? 0 : -1;
    for (unsigned j = 0; j < kColumns; j += kStep) {
      const U32 a = L::template load<U32>(row_a.data() + j);
      const U32 b = L::template load<U32>(row_b.data() + j);
      const I32 e_a = L::integers(a & mask);
      const I32 e_b = L::integers(b & mask);
      const U32 n_a = ((a >> part_a.shift) & part_a.mask) | part_a.hidden;
      const U32 n_b = (((b >> part_b.shift) & part_b.mask) | part_b.hidden) << part_b.weight;
      const I32 product = L::with_sign(n_a * n_b, (a ^ b) << 13);
      const I32 exponent = e_a + e_b + k;
      const I32 counts =
          ~L::equal(e_a, I32{}) & (~L::equal(e_b, I32{}) | kept) & L::greater(exponent, I32{});
      L::store(out.exponent[0] + j, L::select(counts, exponent, L::all(zero_exponent(e_.formats))));
      L::store(out.sum[0] + j, product & counts);
    }
  }

  TVP_INLINE void add(const FloatSums::SrcRow& row_a, const FloatSums::SrcRow& row_b,
                      Terms& out) const {
    using Align = Accumulator<kBytes, DstKind::kFp32>;
    const std::uint32_t mask = exponent_mask(e_.formats);
    const std::uint32_t mantissa_a = mantissa_mask(e_.formats.srca);
    const std::uint32_t mantissa_b = mantissa_mask(e_.formats.srcb);
    const bool subtracts = e_.combine == FloatSums::Combine::kSubtract;
    const std::uint32_t inverted = subtracts ? 0x80000000 : 0;
    const std::uint32_t kept = e_.flush_srcb ? 0 : 0x80000000 | mantissa_b;
    // Phases other than 0 only scale (assumed).
    const int later = phase_exponent(e_.formats.phase);
    const bool rebias = e_.formats.srca == datum::SrcStyle::kFp16 && e_.formats.dst32;
    const int constant = (rebias ? 127 - 15 : 0) - later;
    const int zero = rebias ? 127 - 2 * 15 - later : 0;
    const int counts_from = later != 0 ? 1 : 0;
    for (unsigned j = 0; j < kColumns; j += kStep) {
      const U32 a = L::template load<U32>(row_a.data() + j);
      const U32 b = L::template load<U32>(row_b.data() + j);
      const I32 e_a = L::integers(a & mask);
      const I32 e_b = L::integers(b & mask);
      const U32 sign_b = ((b << 13) & 0x80000000) ^ inverted;
      const U32 m_b = (b >> 8) & mantissa_b;
      // An exponent of 0 is zero. Without flushing, that holds for SrcB only if it is +0.
      const I32 zero_b = L::equal(e_b, I32{}) & L::equal(L::integers((sign_b | m_b) & kept), I32{});
      const U32 n_a = (0x400 | ((a >> 8) & mantissa_a)) & ~L::bits(L::equal(e_a, I32{}));
      const U32 n_b = (0x400 | m_b) & ~L::bits(zero_b);
      const I32 largest = L::larger(e_a, e_b);
      const I32 sum = L::with_sign(Align::nearest(n_a, largest - e_a), a << 13) +
                      L::with_sign(Align::nearest(n_b, largest - e_b), sign_b);
      const I32 exponent = largest + constant;
      const I32 none = L::equal(largest, I32{}) | ~L::greater(exponent, I32{});
      L::store(out.exponent[0] + j, L::select(none, L::all(zero), exponent));
      L::store(out.sum[0] + j, sum & L::greater(exponent, L::all(counts_from - 1)));
    }
  }

  const FloatSums::Elementwise& e_;
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
