// Compute kernel of the SDPA reduction: all rounds and the division by the sum. Compile-time
// arguments: numerator tiles, devices on the ring. The host places the operands in the order of the
// groups that merge, so that all devices get the same bits.

#include "compile_time_args.h"
#include "firmware/kernels/sdpa/exchange.h"
#include "firmware/kernels/sdpa/merge.h"

namespace NAMESPACE {

using namespace tvp::kernels::sdpa;

constexpr uint32_t kTiles = get_compile_time_arg_val(0);
constexpr uint32_t kRounds = rounds_of(get_compile_time_arg_val(1));
constexpr Partial kResult1{kResult1Numerator, kResult1Sum, kResult1Max};
constexpr Partial kResult2{kResult2Numerator, kResult2Sum, kResult2Max};

/// Rounds from kRound on, then the division of the result.
template <uint32_t kRound, Partial result>
static void later_rounds() {
  if constexpr (kRound > kRounds) {
    normalize<kTiles, result, kOutput>();
  } else {
    constexpr Partial kNext = joint_partial(later_result(kRound));
    merge<kTiles, joint_partial(kLaterFirst), joint_partial(kLaterSecond), kNext>();
    later_rounds<kRound + 1, kNext>();
  }
}

void MAIN {
  compute_kernel_hw_startup(kFirst1Numerator, kScaleA, kResult1Numerator);
  merge<kTiles, Partial{kFirst1Numerator, kFirst1Sum, kFirst1Max},
        Partial{kSecond1Numerator, kSecond1Sum, kSecond1Max}, kResult1>();
  if constexpr (kRounds > 1) {
    merge<kTiles, Partial{kFirst2Numerator, kFirst2Sum, kFirst2Max},
          Partial{kSecond2Numerator, kSecond2Sum, kSecond2Max}, kResult2>();
    later_rounds<3, kResult2>();
  } else {
    normalize<kTiles, kResult1, kOutput>();
  }
}

}  // namespace NAMESPACE
