// One object file for each vector extension (host_target.h).
#include <array>
#include <cstring>
#include <tuple>

#include "models/tensix/coprocessor/lanes/host_target.h"
#include "models/tensix/coprocessor/lanes/lane_products.h"

#if HWY_ARCH_X86
HWY_BEFORE_NAMESPACE();
#include "models/tensix/coprocessor/lanes/lane_fused.h"

namespace tvp::tensix::coprocessor {
namespace {

void multiply_add_wide(const LaneProducts::Lanes& x, const LaneProducts::Lanes& y,
                       const LaneProducts::Lanes& z, const LaneProducts::Lanes& written,
                       LaneProducts::Lanes& result) {
  LaneFused<kHostBytes>::execute(x, y, z, written, result);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor
HWY_AFTER_NAMESPACE();
#endif

namespace tvp::tensix::coprocessor {

template <>
LaneProducts::Function LaneProducts::wide<TVP_HOST_BYTES>() {
#if HWY_ARCH_X86
  static const bool has = host_has_target();
  return has ? multiply_add_wide : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace tvp::tensix::coprocessor
