// One object file for each vector extension (host_target.h).
#include <array>
#include <cstring>
#include <tuple>

#include "models/tensix/coprocessor/lanes/host_target.h"
#include "models/tensix/coprocessor/vector/vector_immediate.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

#if HWY_ARCH_X86
HWY_BEFORE_NAMESPACE();
#include "models/tensix/coprocessor/vector/vector_wide.h"

namespace tvp::tensix::coprocessor {

template struct VectorUnit::Wide<kHostBytes>;

}  // namespace tvp::tensix::coprocessor
HWY_AFTER_NAMESPACE();
#endif

namespace tvp::tensix::coprocessor {

template <>
VectorUnit::Effect VectorUnit::wide_effect<TVP_HOST_BYTES>(const Operation& operation) {
#if HWY_ARCH_X86
  return Wide<kHostBytes>::effect_of(operation);
#else
  static_cast<void>(operation);
  return nullptr;
#endif
}

}  // namespace tvp::tensix::coprocessor
