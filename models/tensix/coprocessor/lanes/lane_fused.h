#pragma once

#include "models/tensix/coprocessor/lanes/host_masks.h"
#include "models/tensix/coprocessor/lanes/lane_multiply_add.h"

namespace tvp::tensix::coprocessor {

/// The host's fused product of a vector of lanes, and where its bits may be others than those of
/// vector_multiply_add: fused_product_avx2.h, fused_product_avx512.h.
template <unsigned kBytes>
struct FusedProduct;

/// vector_multiply_add by the host's fused product, for functions that are built for a machine that
/// has vectors of so many bytes. It has the same bits unless both operands of the addition lose
/// some or much of them cancels:
///
/// Let u be the last place that the operands keep, 2^-26 of the larger exponent. With the sum's
/// leading one at most one place below that exponent, the host rounds at multiples of 2u, and an
/// operand that loses bits becomes an odd multiple of u (or zero, when it is less than u, beside
/// which the other one is a number of 24 bits already). If the other one is a multiple of 2u, the
/// sum of both is odd, too, and on the same side of every place at which the host rounds. A product
/// that fits 24 bits loses nothing beside an addend that could cancel it.
///
/// Two places above the larger exponent a bit is lost that ought to be sticky; that, denormals,
/// infinities, NaN and what is far too small or too large is for LaneMultiplyAdd.
template <unsigned kBytes>
class LaneFused {
  using L = Lanes<kBytes>;
  using U32 = typename L::U32;
  using Masks = HostMasks<kBytes>;
  using Registers = LaneProducts::Lanes;

 public:
  /// In place of a register: the same value in all lanes.
  struct Constant {
    std::uint32_t value;
  };

  template <typename X, typename Y, typename Z>
  TVP_INLINE static void execute(const X& x, const Y& y, const Z& z, const Registers& written,
                                 Registers& result) {
    U32 values[kVectors];
    typename FusedProduct<kBytes>::Doubt doubt;
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i)
      values[i] = FusedProduct<kBytes>::multiply_add(at(x, i), at(y, i), at(z, i), doubt);
    if (doubt.any()) [[unlikely]]
      return execute_exactly(whole(x), whole(y), whole(z), written, result);
#pragma GCC unroll 4
    for (unsigned i = 0; i < kVectors; ++i) {
      // (The host does not pass on what is stored by a mask to a load that follows.)
      L::store(result.data() + i * L::kCount,
               L::select(Masks::spread(written, i), values[i], at(result, i)));
    }
  }

 private:
  static constexpr unsigned kVectors = std::tuple_size_v<Registers> / L::kCount;

  TVP_INLINE static U32 at(const Registers& lanes, unsigned i) {
    return L::template load<U32>(lanes.data() + i * L::kCount);
  }
  TVP_INLINE static U32 at(Constant constant, unsigned) { return U32{} + constant.value; }
  TVP_INLINE static const Registers& whole(const Registers& lanes) { return lanes; }
  TVP_INLINE static Registers whole(Constant constant) {
    Registers lanes;
    lanes.fill(constant.value);
    return lanes;
  }

  /// Apart, so that the usual way needs no room for what this one keeps.
  [[gnu::noinline]] static void execute_exactly(const Registers& x, const Registers& y,
                                                const Registers& z, const Registers& written,
                                                Registers& result) {
    LaneMultiplyAdd<kBytes>::execute(x, y, z, written, result);
  }
};

}  // namespace tvp::tensix::coprocessor
