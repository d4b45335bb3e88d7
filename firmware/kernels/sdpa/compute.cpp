// Compute kernel of the SDPA reduction: both rounds and the division by the sum.
// Compile-time arguments: numerator tiles; whether the local operand comes first in round 1, in
// round 2. The order is that of the devices on the ring, so that all of them end with the same
// bits.

#include "compile_time_args.h"
#include "firmware/kernels/sdpa/merge.h"

namespace NAMESPACE {

void MAIN {
  using namespace tvp::kernels::sdpa;
  constexpr uint32_t kTiles = get_compile_time_arg_val(0);
  constexpr bool kLocalFirst1 = get_compile_time_arg_val(1) != 0;
  constexpr bool kLocalFirst2 = get_compile_time_arg_val(2) != 0;
  constexpr Partial kLocal{kLocalNumerator, kLocalSum, kLocalMax};
  constexpr Partial kNeighbor1{kRound1Numerator, kRound1Sum, kRound1Max};
  constexpr Partial kResult1{kResult1Numerator, kResult1Sum, kResult1Max};
  constexpr Partial kAgain{kAgainNumerator, kAgainSum, kAgainMax};
  constexpr Partial kNeighbor2{kRound2Numerator, kRound2Sum, kRound2Max};
  constexpr Partial kResult2{kResult2Numerator, kResult2Sum, kResult2Max};

  compute_kernel_hw_startup(kLocalNumerator, kScaleA, kResult1Numerator);
  merge<kTiles, kLocalFirst1 ? kLocal : kNeighbor1, kLocalFirst1 ? kNeighbor1 : kLocal, kResult1>();
  merge<kTiles, kLocalFirst2 ? kAgain : kNeighbor2, kLocalFirst2 ? kNeighbor2 : kAgain, kResult2>();
  normalize<kTiles, kResult2Numerator, kResult2Sum, kOutput>();
}

}  // namespace NAMESPACE
