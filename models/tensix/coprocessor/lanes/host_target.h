#pragma once
// A file that includes this is compiled once for each vector extension of the host. TVP_HOST_BYTES
// selects it: 32 for AVX2, 64 for AVX-512. The file first includes the standard library and then
// opens the region of the extension (HWY_BEFORE_NAMESPACE). It includes the templates over lanes
// inside of that region, so that no code for the extension reaches other files.

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86
#undef HWY_TARGET
#if TVP_HOST_BYTES == 64
#define HWY_TARGET HWY_AVX3
#else
#define HWY_TARGET HWY_AVX2
#endif
#include <hwy/highway.h>

namespace tvp::tensix::coprocessor {

constexpr unsigned kHostBytes = TVP_HOST_BYTES;

/// True if this machine supports everything that Highway's target uses.
[[maybe_unused]] static bool host_has_target() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if constexpr (kHostBytes == 32) return avx2;
  return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

}  // namespace tvp::tensix::coprocessor
#endif
