// One function of the vector unit on tiles of Dst, FUNCTION of the host: some times, and three times
// as often, without waiting for anybody.

#include "api/compute/compute_kernel_api.h"
#include "compile_time_args.h"
#include "tools/profiler/kernel_profiler.hpp"

namespace NAMESPACE {

void MAIN {
  compute_kernel_hw_startup(0, 16);
  MATH((tvp::llk::sfpu::init()));
  INIT;
  FUNCTION;
#if COMPILE_FOR_TRISC == 1
  tvp::llk::wait_coprocessor();
  for (uint32_t times = 1; times <= 3; times += 2) {
    DeviceZoneScopedN("tiles");
#pragma GCC unroll 1
    for (uint32_t tile = 0; tile < times * get_compile_time_arg_val(0); ++tile) { FUNCTION; }
    tvp::llk::wait_coprocessor();
  }
#endif
}

}  // namespace NAMESPACE
