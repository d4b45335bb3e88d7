#pragma once

#include "models/tensix/coprocessor/matrix/aligned_dst.h"
#include "models/tensix/coprocessor/matrix/aligned_operands.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// ELWMUL, ELWADD and ELWSUB (matrix_arithmetic.md).
template <unsigned kBytes>
class Rows {
  using L = Lanes<kBytes>;
  using I32 = typename L::I32;
  using U32 = typename L::U32;
  using Mask = typename L::Mask;
  static constexpr unsigned kStep = L::kCount;

 public:
  TVP_INLINE explicit Rows(const FloatSums::Elementwise& e)
      : e_(e),
        formats_(e.formats),
        combine_(e.combine),
        add_dst_(e.add_dst),
        flush_srcb_(e.flush_srcb) {}

  TVP_INLINE void execute() const {
    with_dst_kind(
        formats_, [this](auto kind) __attribute__((always_inline)) {
          for (unsigned i = 0; i < 8; ++i) {
            for (unsigned j = 0; j < kColumns; j += kStep) {
              const U32 a = L::template load<U32>(e_.srca[i]->data() + j);
              const U32 b = L::template load<U32>(e_.srcb[i]->data() + j);
              const bool multiplies = combine_ == FloatSums::Combine::kMultiply;
              const Term<kBytes> term[] = {multiplies ? multiply(a, b) : add(a, b)};
              Accumulator<kBytes, kind>::add(term, e_.dst[i], add_dst_, j);
            }
          }
        });
  }

 private:
  TVP_INLINE Term<kBytes> multiply(U32 a, U32 b) const {
    const std::uint32_t mask = exponent_mask(formats_);
    const Part part_a = srca_part(formats_);
    const Part part_b = srcb_part(formats_);
    const I32 e_a = L::integers(a & mask);
    const I32 e_b = L::integers(b & mask);
    const U32 n_a = ((a >> part_a.shift) & part_a.mask) | part_a.hidden;
    const U32 n_b = (((b >> part_b.shift) & part_b.mask) | part_b.hidden) << part_b.weight;
    const I32 product = L::with_sign(n_a * n_b, (a ^ b) << 13);
    const I32 exponent = e_a + e_b + product_exponent(formats_);
    Mask zero = L::either(L::equal(e_a, I32{}), L::greater(L::all(1), exponent));
    if (flush_srcb_) zero = L::either(zero, L::equal(e_b, I32{}));
    return {L::select(zero, L::all(zero_exponent(formats_)), exponent), L::except(zero, product)};
  }

  TVP_INLINE Term<kBytes> add(U32 a, U32 b) const {
    using Align = Accumulator<kBytes, DstKind::kFp32>;
    const std::uint32_t mask = exponent_mask(formats_);
    const std::uint32_t mantissa_a = mantissa_mask(formats_.srca);
    const std::uint32_t mantissa_b = mantissa_mask(formats_.srcb);
    const bool subtracts = combine_ == FloatSums::Combine::kSubtract;
    const std::uint32_t inverted = subtracts ? 0x80000000 : 0;
    const std::uint32_t kept = flush_srcb_ ? 0 : 0x80000000 | mantissa_b;
    // Phases other than 0 only scale (assumed).
    const int later = phase_exponent(formats_.phase);
    const bool rebias = formats_.srca == datum::SrcStyle::kFp16 && formats_.dst32;
    const int constant = (rebias ? 127 - 15 : 0) - later;
    const int zero = rebias ? 127 - 2 * 15 - later : 0;
    const int counts_from = later != 0 ? 1 : 0;
    const I32 e_a = L::integers(a & mask);
    const I32 e_b = L::integers(b & mask);
    const U32 sign_b = ((b << 13) & 0x80000000) ^ inverted;
    const U32 m_b = (b >> 8) & mantissa_b;
    // An exponent of 0 means zero. Without flushing, SrcB must also be +0.
    const Mask zero_b =
        L::both(L::equal(e_b, I32{}), L::equal(L::integers((sign_b | m_b) & kept), I32{}));
    const U32 n_a = L::except(L::equal(e_a, I32{}), 0x400 | ((a >> 8) & mantissa_a));
    const U32 n_b = L::except(zero_b, 0x400 | m_b);
    const I32 largest = L::larger(e_a, e_b);
    const I32 sum = L::with_sign(Align::nearest(n_a + n_a, largest - e_a), a << 13) +
                    L::with_sign(Align::nearest(n_b + n_b, largest - e_b), sign_b);
    const I32 exponent = largest + constant;
    const Mask none = L::either(L::equal(largest, I32{}), L::greater(L::all(1), exponent));
    return {L::select(none, L::all(zero), exponent),
            L::where(L::greater(exponent, L::all(counts_from - 1)), sum)};
  }

  const FloatSums::Elementwise& e_;
  // Copies, which writes to Dst do not change.
  const FloatSums::Formats formats_;
  const FloatSums::Combine combine_;
  const bool add_dst_;
  const bool flush_srcb_;
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
