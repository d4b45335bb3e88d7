#pragma once

#include "models/tensix/coprocessor/lanes/host_lanes.h"
#include "models/tensix/coprocessor/lanes/lane_multiply_add.h"

namespace tvp::tensix::coprocessor {

template <unsigned kBytes>
class LaneFused;

/// vector_multiply_add with the host's fused product. It has the same bits unless both operands of
/// the addition lose some, or much of them cancels:
///
/// Let u be the last place that the operands keep, 2^-26 of the larger exponent. If the sum's
/// leading one is at most one place below that exponent, the host rounds at multiples of 2u. An
/// operand that loses bits becomes an odd multiple of u. If it is less than u it becomes zero; the
/// other one then already has at most 24 bits. If the other one is a multiple of 2u, the sum of
/// both is odd too, and on the same side of every rounding point of the host. A product that fits
/// 24 bits loses nothing beside an addend that could cancel it.
///
/// Two places above the larger exponent, a bit is lost that should be sticky. LaneMultiplyAdd
/// handles this case, and denormals, infinities, NaN, and very large or small values.
///
/// Magnitudes are compared as integers, exponents in place (bits 30:23, which are 0 for zero). Only
/// denormal factors matter. A denormal addend vanishes beside any product that is handled here.
/// Beside a product of zero it is the result, which is checked. A product is zero if a factor is,
/// or if it is less than half the last place of any result that is handled here. Its exponent then
/// means nothing, but it has no error, and no sum is far above it.
template <>
class LaneFused<kHostBytes> {
  using L = Lanes<kHostBytes>;
  using U32 = typename L::U32;
  using Masks = HostMasks<kHostBytes>;
  using Registers = LaneProducts::Lanes;
  using Integers = hn::Vec<L::Tag<std::int32_t>>;
  using Unsigned = hn::Vec<L::Tag<std::uint32_t>>;
  using Floats = hn::Vec<L::Tag<float>>;
  static constexpr L::Tag<float> kF32{};
  static constexpr int kInfinity = 0x7F800000;
  static constexpr int kOne = 1 << 23;  ///< one in the exponent field

 public:
  /// Replaces a register: the same value in all lanes.
  struct Constant {
    std::uint32_t value;
  };

  template <typename X, typename Y, typename Z>
  TVP_INLINE static void execute(const X& x, const Y& y, const Z& z, const Registers& written,
                                 Registers& result) {
    U32 values[kVectors];
    Doubt doubt;
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i)
      values[i] = multiply_add(at(x, i), at(y, i), at(z, i), doubt);
    if (doubt.any()) [[unlikely]]
      return execute_exactly(whole(x), whole(y), whole(z), written, result);
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i) {
      // Select instead of a masked store, since the host cannot forward a masked store to a load.
      L::store(result.data() + i * L::kCount,
               L::select(Masks::spread(written, i), values[i], at(result, i)));
    }
  }

 private:
  static constexpr unsigned kVectors = std::tuple_size_v<Registers> / L::kCount;

  TVP_INLINE static Integers all(int value) { return hn::Set(L::kI32, value); }
  TVP_INLINE static Unsigned as_unsigned(Integers v) { return hn::BitCast(L::kU32, v); }
  TVP_INLINE static Integers magnitude(Floats v) {
    return hn::And(hn::BitCast(L::kI32, v), all(0x7FFFFFFF));
  }
  TVP_INLINE static Integers exponent(Floats v) {
    return hn::And(hn::BitCast(L::kI32, v), all(kInfinity));
  }

  /// Detects, over all vectors of a register, results that may differ from the exact one.
  class Doubt {
   public:
    TVP_INLINE Doubt()
        : loses_(all(0)),
          largest_factor_(all(0)),
          largest_result_(all(0)),
          least_result_(all(-1)),
          least_product_(all(-1)),
          least_below_(all(0)) {}
    TVP_INLINE bool any() const {
      const L::Mask large = hn::Or(hn::Or(hn::Gt(largest_factor_, all(kLargestFactor)),
                                          hn::Gt(largest_result_, all(kInfinity - 1))),
                                   hn::Gt(all(1 - 2 * kOne), least_below_));
      const L::Mask small =
          hn::Or(below(least_result_, kLeastResult), below(least_product_, kLeastProduct));
      return L::any(hn::Or(hn::Or(large, small), hn::Ne(loses_, all(0))));
    }

   private:
    friend LaneFused;
    // Exponents of three limits. 2^-89: the last bit of a product's error, 46 places below, is a
    // normal number. 2^36: the other factor of a product is not denormal. 2^-124: likewise for
    // results.
    static constexpr int kLeastProduct = (127 - 89) << 23;
    static constexpr int kLargestFactor = (127 + 36) << 23;
    static constexpr int kLeastResult = (127 - 124) << 23;

    TVP_INLINE static L::Mask below(Integers less_one, int least) {
      return hn::RebindMask(L::kI32, hn::Lt(as_unsigned(less_one), as_unsigned(all(least - 1))));
    }

    Integers loses_;           ///< not zero if both lose bits or much cancels
    Integers largest_factor_;  ///< exponent
    Integers largest_result_;
    Integers least_result_, least_product_;  ///< minus one, so that zero is the largest
    Integers least_below_;  ///< exponent of the larger operand minus that of the result
  };

  TVP_INLINE static U32 multiply_add(U32 a, U32 b, U32 c, Doubt& doubt) {
    const Floats x = L::in(kF32, a), y = L::in(kF32, b), z = L::in(kF32, c);
    const Floats zero = hn::Zero(kF32);
    // Every zero is +0.
    const Floats result = hn::Add(hn::MulAdd(x, y, z), zero);
    const Floats product = hn::Mul(x, y);
    const Floats error = hn::MulSub(x, y, product);

    const Integers of_result = magnitude(result);
    doubt.largest_result_ = hn::Max(doubt.largest_result_, of_result);
    note_least(doubt.least_result_, of_result);
    note_least(doubt.least_product_, magnitude(product));
    const Integers of_x = exponent(x), of_y = exponent(y), of_addend = exponent(z);
    doubt.largest_factor_ = hn::Max(doubt.largest_factor_, hn::Max(of_x, of_y));

    const Integers of_product = of_x + (of_y - all(127 * kOne));
    const Integers below = hn::Max(of_product, of_addend) - of_result;
    doubt.least_below_ = hn::Min(doubt.least_below_, below);
    // The addend's exponent is smaller by more than two, or the sum's by more than one.
    const Integers less = hn::Max(of_product - of_addend, below + all(kOne));
    const L::Mask inexact = hn::RebindMask(L::kI32, hn::Ne(error, zero));
    const L::Mask loses = hn::And(hn::Gt(less, all(2 * kOne)), inexact);
    doubt.loses_ = hn::Or(doubt.loses_, hn::IfThenElseZero(loses, hn::BitCast(L::kI32, z)));
    return (U32)result.raw;
  }
  TVP_INLINE static void note_least(Integers& least, Integers magnitude) {
    least = hn::BitCast(L::kI32, hn::Min(as_unsigned(least), as_unsigned(magnitude + all(-1))));
  }

  TVP_INLINE static U32 at(const Registers& lanes, unsigned i) {
    return L::load<U32>(lanes.data() + i * L::kCount);
  }
  TVP_INLINE static U32 at(Constant constant, unsigned) { return U32{} + constant.value; }
  TVP_INLINE static const Registers& whole(const Registers& lanes) { return lanes; }
  TVP_INLINE static Registers whole(Constant constant) {
    Registers lanes;
    lanes.fill(constant.value);
    return lanes;
  }

  /// A separate function, so that the common path needs no stack for it.
  [[gnu::noinline]] static void execute_exactly(const Registers& x, const Registers& y,
                                                const Registers& z, const Registers& written,
                                                Registers& result) {
    LaneMultiplyAdd<kHostBytes>::execute(x, y, z, written, result);
  }
};

}  // namespace tvp::tensix::coprocessor
