// Measures the packers alone: they pack blocks of tiles from half of Dst, which is filled once,
// without waiting for another thread. If the format has rows, they also pack rows of a matrix. Each
// has two zones, some blocks and three times as many.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/pack.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/reg_api.h"
#include "compile_time_args.h"
#include "tools/profiler/kernel_profiler.hpp"

namespace NAMESPACE {

constexpr uint32_t kBlocks = get_compile_time_arg_val(0);
constexpr uint32_t kTiles = get_compile_time_arg_val(1);
constexpr bool kRows = get_compile_time_arg_val(2) != 0;

static void pack_in_rows() {
  pack_untilize_dest_init<kTiles>(16);
#if COMPILE_FOR_TRISC == 2
  for (uint32_t times = 1; times <= 3; times += 2) {
    DeviceZoneScopedN("rows");
    for (uint32_t block = 0; block < times * kBlocks; ++block) pack_untilize_dest<kTiles>(16);
    tvp::llk::wait_coprocessor();
  }
#endif
  pack_untilize_uninit(16);
}

void MAIN {
  compute_kernel_hw_startup(0, 16);
  fill_tile_init();
  tile_regs_acquire();
  for (uint32_t tile = 0; tile < kTiles; ++tile) fill_tile(tile, 1);
  tile_regs_commit();
  tile_regs_wait();
#if COMPILE_FOR_TRISC == 2
  for (uint32_t times = 1; times <= 3; times += 2) {
    DeviceZoneScopedN("blocks");
    for (uint32_t block = 0; block < times * kBlocks; ++block) {
      for (uint32_t tile = 0; tile < kTiles; ++tile) {
        // Sets the address as the measured code does. After that the buffers before L1 hold nothing
        // of the previous tile.
        namespace tensix = tvp::regs::tensix;
        const auto& cb = get_local_cb_interface(16);
        tvp::llk::push(tensix::encode_setadc(1, 0, 0, 0, 3, tile));
        tvp::llk::set_pack_address(cb.fifo_wr_ptr + tile * cb.fifo_page_size);
        tvp::llk::push(tensix::encode_pacr(0, 0, 15, 0, 0, 1, 0));
        tvp::llk::push(tensix::encode_pacr(0, 0, 15, 0, 0, 0, 1));
      }
    }
  }
#endif
  if constexpr (kRows) pack_in_rows();
  tile_regs_release();
}

}  // namespace NAMESPACE
