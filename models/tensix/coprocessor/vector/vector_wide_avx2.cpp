// Everything below the pragma is built for AVX2 and FMA; nothing of it is for other files.

#include "models/tensix/coprocessor/vector/vector_immediate.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#include "models/tensix/coprocessor/lanes/fused_product_avx2.h"
//
#include "models/tensix/coprocessor/vector/vector_wide.h"

namespace tvp::tensix::coprocessor {

template struct VectorUnit::Wide<32>;

}  // namespace tvp::tensix::coprocessor
#pragma GCC pop_options

namespace tvp::tensix::coprocessor {

VectorUnit::Effect VectorUnit::effect_avx2(const Operation& operation) {
  return Wide<32>::effect_of(operation);
}

}  // namespace tvp::tensix::coprocessor
#else
namespace tvp::tensix::coprocessor {

VectorUnit::Effect VectorUnit::effect_avx2(const Operation&) { return nullptr; }

}  // namespace tvp::tensix::coprocessor
#endif
