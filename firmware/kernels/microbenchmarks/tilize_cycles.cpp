// Converts rows to tiles with all three threads: blocks of adjacent tiles, repeatedly from and to
// the same place. Two zones have some blocks and three times as many.

#include "api/compute/tilize.h"
#include "compile_time_args.h"
#include "tools/profiler/kernel_profiler.hpp"

namespace NAMESPACE {

constexpr uint32_t kBlocks = get_compile_time_arg_val(0);
constexpr uint32_t kTiles = get_compile_time_arg_val(1);

void MAIN {
  compute_kernel_hw_startup(0, 16);
  tilize_init(0, kTiles, 16);
  for (uint32_t times = 1; times <= 3; times += 2) {
    DeviceZoneScopedN("blocks");
    for (uint32_t block = 0; block < times * kBlocks; ++block) tilize_block(0, kTiles, 16);
    tvp::llk::wait_coprocessor();
  }
  tilize_uninit(0, 16);
}

}  // namespace NAMESPACE
