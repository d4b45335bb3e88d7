// Everything below the pragma is built for AVX2 and FMA; nothing of it is for other files.

#include "models/tensix/coprocessor/lanes/lane_products.h"

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#include "models/tensix/coprocessor/lanes/fused_product_avx2.h"

namespace tvp::tensix::coprocessor {

namespace {

void multiply_add_avx2(const LaneProducts::Lanes& x, const LaneProducts::Lanes& y,
                       const LaneProducts::Lanes& z, const LaneProducts::Lanes& written,
                       LaneProducts::Lanes& result) {
  LaneFused<32>::execute(x, y, z, written, result);
}

}  // namespace
#pragma GCC pop_options

LaneProducts::Function LaneProducts::avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has ? multiply_add_avx2 : nullptr;
}

}  // namespace tvp::tensix::coprocessor
#else
tvp::tensix::coprocessor::LaneProducts::Function tvp::tensix::coprocessor::LaneProducts::avx2() {
  return nullptr;
}
#endif
