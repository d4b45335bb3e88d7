// Everything below the pragma is built for AVX-512; nothing of it is for other files.
#include <algorithm>
#include <atomic>
#include <bit>
#include <type_traits>

#include "models/tensix/coprocessor/matrix/float_sums.h"

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,fma")
#include "models/tensix/coprocessor/lanes/lanes_avx512.h"
//
#include "models/tensix/coprocessor/matrix/aligned_products.h"
#include "models/tensix/coprocessor/matrix/aligned_rows.h"

namespace tvp::tensix::coprocessor {
namespace aligned_sums {
namespace {

void multiply_avx512(const FloatSums::Product& p) { Products<64>(p).execute(); }
void combine_avx512(const FloatSums::Elementwise& e) { Rows<64>(e).execute(); }

}  // namespace
}  // namespace aligned_sums
#pragma GCC pop_options

const FloatSums* FloatSums::aligned_avx512() {
  static constexpr FloatSums sums(aligned_sums::multiply_avx512, aligned_sums::combine_avx512);
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has ? &sums : nullptr;
}

}  // namespace tvp::tensix::coprocessor
#else
const tvp::tensix::coprocessor::FloatSums* tvp::tensix::coprocessor::FloatSums::aligned_avx512() {
  return nullptr;
}
#endif
