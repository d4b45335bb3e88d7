// Everything below the pragma is built for AVX2; nothing of it is for other files.
#include <algorithm>
#include <atomic>
#include <bit>
#include <type_traits>

#include "models/tensix/coprocessor/matrix/float_sums.h"

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#include "models/tensix/coprocessor/lanes/lanes_avx2.h"
//
#include "models/tensix/coprocessor/matrix/aligned_products.h"
#include "models/tensix/coprocessor/matrix/aligned_rows.h"

namespace tvp::tensix::coprocessor {
namespace aligned_sums {
namespace {

void multiply_avx2(const FloatSums::Product& p) { Products<32>(p).execute(); }
void combine_avx2(const FloatSums::Elementwise& e) { Rows<32>(e).execute(); }

}  // namespace
}  // namespace aligned_sums
#pragma GCC pop_options

const FloatSums* FloatSums::aligned_avx2() {
  static constexpr FloatSums sums(aligned_sums::multiply_avx2, aligned_sums::combine_avx2);
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has ? &sums : nullptr;
}

}  // namespace tvp::tensix::coprocessor
#else
const tvp::tensix::coprocessor::FloatSums* tvp::tensix::coprocessor::FloatSums::aligned_avx2() {
  return nullptr;
}
#endif
