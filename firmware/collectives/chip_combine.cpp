// Combines slices in L1 for the interpreter of the worker: mine = received op mine, tile by tile,
// on the vector unit. REDOP names the operation, REDTYPE the elements.
//
// Numbers of 32 bits go to Dst and back as they are, whatever they stand for.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/integers.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "compile_time_args.h"
#include "firmware/contract/collectives/chip.h"

namespace NAMESPACE {

using namespace tvp::contract::collectives;

enum class Op : uint32_t { kSum, kMax, kMin, kProd };
constexpr auto kOp = static_cast<Op>(get_compile_time_arg_val(0));
constexpr bool kIntegers = get_compile_time_arg_val(1) != 0;

/// DST[0] = DST[1] op DST[0]
ALWI void combine() {
  if constexpr (kIntegers) {
    if constexpr (kOp == Op::kSum) add_int_tile<DataFormat::Int32>(1, 0, 0);
    if constexpr (kOp == Op::kMax) binary_max_int32_tile(1, 0, 0);
    if constexpr (kOp == Op::kMin) binary_min_int32_tile(1, 0, 0);
    if constexpr (kOp == Op::kProd) mul_int_tile<DataFormat::Int32>(1, 0, 0);
  } else {
    if constexpr (kOp == Op::kSum) add_binary_tile(1, 0, 0);
    if constexpr (kOp == Op::kMax) binary_max_tile(1, 0, 0);
    if constexpr (kOp == Op::kMin) binary_min_tile(1, 0, 0);
    if constexpr (kOp == Op::kProd) mul_binary_tile(1, 0, 0);
  }
}

ALWI uint32_t load(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

void MAIN {
  const uint32_t base = get_arg_val<uint32_t>(0);
  const ChipLayout layout = chip_layout(base, 0, 0);
  compute_kernel_hw_startup(kMine, kReceived, kCombined);
  copy_tile_init(kMine);
  for (uint32_t served = 0;; ++served) {
    while (load(layout.combinations_posted) == served) {
    }
    const uint32_t command = layout.combinations + served % kCombinations * sizeof(Combination);
    const auto what = static_cast<Combining>(load(command + offsetof(Combination, what)));
    if (what == Combining::kStop) break;
    const uint32_t tiles = load(command + offsetof(Combination, tiles));
    [[maybe_unused]] const uint32_t mine = load(command + offsetof(Combination, mine));
    [[maybe_unused]] const uint32_t received = load(command + offsetof(Combination, received));
    UNPACK((get_local_cb_interface(kMine).fifo_rd_ptr = mine >> cb_addr_shift));
    UNPACK((get_local_cb_interface(kReceived).fifo_rd_ptr = received >> cb_addr_shift));
    PACK((get_local_cb_interface(kCombined).fifo_wr_ptr = mine >> cb_addr_shift));
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      tile_regs_acquire();
      copy_tile(kMine, tile, 0);
      if (what == Combining::kCombine) {
        copy_tile(kReceived, tile, 1);
        combine();
      } else if constexpr (!kIntegers) {
        mul_unary_tile(0, received);
      }
      tile_regs_commit();
      tile_regs_wait();
      pack_tile(0, kCombined);
      tile_regs_release();
    }
    cb_push_back(kCombined, 1);
  }
}

}  // namespace NAMESPACE
