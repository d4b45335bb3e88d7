// Compute kernel of the SDPA reduction: both rounds and the division by the sum. Compile-time
// arguments: numerator tiles, and a flag for each round that is 1 if the local operand comes first.
// The order is that of the devices on the ring, so that all of them get the same bits.

#include "compile_time_args.h"
#include "firmware/kernels/sdpa/merge.h"

namespace NAMESPACE {

void MAIN {
  using namespace tvp::kernels::sdpa;
  constexpr uint32_t kTiles = get_compile_time_arg_val(0);
  constexpr Partial kResult1{kResult1Numerator, kResult1Sum, kResult1Max};
  constexpr Partial kResult2{kResult2Numerator, kResult2Sum, kResult2Max};

  compute_kernel_hw_startup(kFirst1Numerator, kScaleA, kResult1Numerator);
  merge<kTiles, Partial{kFirst1Numerator, kFirst1Sum, kFirst1Max},
        Partial{kSecond1Numerator, kSecond1Sum, kSecond1Max}, kResult1>();
  merge<kTiles, Partial{kFirst2Numerator, kFirst2Sum, kFirst2Max},
        Partial{kSecond2Numerator, kSecond2Sum, kSecond2Max}, kResult2>();
  normalize<kTiles, kResult2Numerator, kResult2Sum, kOutput>();
}

}  // namespace NAMESPACE
