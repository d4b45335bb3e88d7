// Measures one function of the vector unit on a tile of Dst, INIT and FUNCTION of the host. Two
// zones call it some times and three times as often, without waiting for another thread.

#include "api/compute/compute_kernel_api.h"
#include "compile_time_args.h"
#include "tools/profiler/kernel_profiler.hpp"

namespace NAMESPACE {

constexpr uint32_t kTimes = get_compile_time_arg_val(0);

static void apply() { FUNCTION; }

void MAIN {
  compute_kernel_hw_startup(0, 16);
  INIT;
  apply();
#if COMPILE_FOR_TRISC == 1
  tvp::llk::wait_coprocessor();
  for (uint32_t times = 1; times <= 3; times += 2) {
    DeviceZoneScopedN("tiles");
    for (uint32_t i = 0; i < times * kTimes; ++i) apply();
    tvp::llk::wait_coprocessor();
  }
#endif
}

}  // namespace NAMESPACE
