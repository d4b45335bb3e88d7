// Compute kernel of one core that merges two partial results in its L1 and divides by the sum: the
// reduction without a network. Compile-time argument: numerator tiles.

#include "compile_time_args.h"
#include "firmware/kernels/sdpa/merge.h"

namespace NAMESPACE {

void MAIN {
  using namespace tvp::kernels::sdpa;
  constexpr uint32_t kTiles = get_compile_time_arg_val(0);
  compute_kernel_hw_startup(kFirst1Numerator, kScaleA, kResult2Numerator);
  merge<kTiles, Partial{kFirst1Numerator, kFirst1Sum, kFirst1Max},
        Partial{kSecond1Numerator, kSecond1Sum, kSecond1Max},
        Partial{kResult2Numerator, kResult2Sum, kResult2Max}>();
  normalize<kTiles, Partial{kResult2Numerator, kResult2Sum, kResult2Max}, kOutput>();
}

}  // namespace NAMESPACE
