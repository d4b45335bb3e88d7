// Everything below the pragma is built for AVX-512; nothing of it is for other files.

#include "models/tensix/coprocessor/lanes/lane_products.h"

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,fma")
#include "models/tensix/coprocessor/lanes/fused_product_avx512.h"

namespace tvp::tensix::coprocessor {

namespace {

void multiply_add_avx512(const LaneProducts::Lanes& x, const LaneProducts::Lanes& y,
                         const LaneProducts::Lanes& z, const LaneProducts::Lanes& written,
                         LaneProducts::Lanes& result) {
  LaneFused<64>::execute(x, y, z, written, result);
}

}  // namespace
#pragma GCC pop_options

LaneProducts::Function LaneProducts::avx512() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has ? multiply_add_avx512 : nullptr;
}

}  // namespace tvp::tensix::coprocessor
#else
tvp::tensix::coprocessor::LaneProducts::Function tvp::tensix::coprocessor::LaneProducts::avx512() {
  return nullptr;
}
#endif
