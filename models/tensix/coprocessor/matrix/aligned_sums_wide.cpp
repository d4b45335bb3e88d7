// One object file for each vector extension (host_target.h).
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "models/tensix/coprocessor/lanes/host_target.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

#if HWY_ARCH_X86
HWY_BEFORE_NAMESPACE();
#include "models/tensix/coprocessor/lanes/host_lanes.h"
//
#include "models/tensix/coprocessor/matrix/aligned_products.h"
#include "models/tensix/coprocessor/matrix/aligned_rows.h"

namespace tvp::tensix::coprocessor {
namespace aligned_sums {
namespace {

void multiply_wide(const FloatSums::Product& p) { Products<kHostBytes>(p).execute(); }
void combine_wide(const FloatSums::Elementwise& e) { Rows<kHostBytes>(e).execute(); }

}  // namespace
}  // namespace aligned_sums
}  // namespace tvp::tensix::coprocessor
HWY_AFTER_NAMESPACE();
#endif

namespace tvp::tensix::coprocessor {

template <>
const FloatSums* FloatSums::aligned_wide<TVP_HOST_BYTES>() {
#if HWY_ARCH_X86
  static constexpr FloatSums sums(aligned_sums::multiply_wide, aligned_sums::combine_wide);
  static const bool has = host_has_target();
  return has ? &sums : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace tvp::tensix::coprocessor
