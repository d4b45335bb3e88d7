// Combines slices in L1 for the interpreter of the worker: mine = received op mine, tile by tile.
// The first compile-time argument is the operation, the second whether its numbers are integers.
//
// Numbers of 32 bits go to Dst and back as they are, whatever they stand for, and are combined on
// the vector unit (dst_pairs.h). Those of 16 bits pass through SrcA and SrcB; the matrix unit adds
// them, the rest is the vector unit's.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "compile_time_args.h"
#include "firmware/collectives/dst_pairs.h"
#include "firmware/contract/collectives/chip.h"

namespace NAMESPACE {

using namespace tvp::contract::collectives;
using tvp::firmware::collectives::Redop;

constexpr auto kOp = static_cast<Redop>(get_compile_time_arg_val(0));
constexpr bool kIntegers = get_compile_time_arg_val(1) != 0;
constexpr bool kPairwise = kUnpacksToDst;  ///< 32 bits

ALWI uint32_t load(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

/// What a Combination asks for; addresses in units of 16 bytes.
struct Task {
  Combining what;
  uint32_t mine;
  uint32_t received;  ///< of kScale the factor
  uint32_t tiles;
};

// ---- 32 bits

ALWI void combine_pairs([[maybe_unused]] const Task& task) {
  namespace pairs = tvp::firmware::collectives::dst_pairs;
  [[maybe_unused]] const uint32_t tile_units = get_local_cb_interface(kMine).fifo_page_size;
  for (uint32_t i = 0; i < task.tiles; ++i) {
    UNPACK((pairs::unpack(task.mine + i * tile_units,
                          task.what == Combining::kCombine ? task.received + i * tile_units : 0)));
#if COMPILE_FOR_TRISC == 1
    if (task.what == Combining::kCombine) {
      pairs::combine<kOp, kIntegers>();
    } else {
      pairs::scale(task.received);
    }
#endif
    PACK((pairs::pack(task.mine + i * tile_units)));
  }
}

// ---- 16 bits

ALWI void init_for([[maybe_unused]] Combining what) {
  if constexpr (kOp == Redop::kSum) {
    if (what == Combining::kCombine) {
      add_tiles_init(kMine, kReceived);
      return;
    }
  }
  copy_tile_init(kMine);
}

/// DST[0] = DST[1] op DST[0]
ALWI void combine_copies() {
  if constexpr (kOp == Redop::kMax) binary_max_tile(1, 0, 0);
  if constexpr (kOp == Redop::kMin) binary_min_tile(1, 0, 0);
  if constexpr (kOp == Redop::kProd) mul_binary_tile(1, 0, 0);
}

ALWI void combine_tiles(const Task& task) {
  UNPACK((get_local_cb_interface(kMine).fifo_rd_ptr = task.mine));
  UNPACK((get_local_cb_interface(kReceived).fifo_rd_ptr = task.received));
  PACK((get_local_cb_interface(kCombined).fifo_wr_ptr = task.mine));
  for (uint32_t tile = 0; tile < task.tiles; ++tile) {
    tile_regs_acquire();
    if (task.what == Combining::kScale) {
      copy_tile(kMine, tile, 0);
      mul_unary_tile(0, task.received);
    } else if constexpr (kOp == Redop::kSum) {
      add_tiles(kMine, kReceived, tile, tile, 0);
    } else {
      copy_tile(kMine, tile, 0);
      copy_tile(kReceived, tile, 1);
      combine_copies();
    }
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, kCombined);
    tile_regs_release();
  }
}

void MAIN {
  const uint32_t base = get_arg_val<uint32_t>(0);
  const ChipLayout layout = chip_layout(base, 0, 0);
  compute_kernel_hw_startup(kMine, kReceived, kCombined);
  copy_tile_init(kMine);
  if constexpr (kPairwise) tvp::firmware::collectives::dst_pairs::start();
  auto ready_for = Combining::kStop;
  for (uint32_t served = 0;; ++served) {
    while (load(layout.combinations_posted) == served) {
    }
    const uint32_t command = layout.combinations + served % kCombinations * sizeof(Combination);
    Task task;
    task.what = static_cast<Combining>(load(command + offsetof(Combination, what)));
    if (task.what == Combining::kStop) break;
    task.tiles = load(command + offsetof(Combination, tiles));
    task.mine = load(command + offsetof(Combination, mine)) >> cb_addr_shift;
    task.received = load(command + offsetof(Combination, received));
    if (task.what == Combining::kCombine) task.received >>= cb_addr_shift;
    if constexpr (kPairwise) {
      combine_pairs(task);
    } else {
      if (task.what != ready_for) init_for(task.what);
      combine_tiles(task);
    }
    ready_for = task.what;
    cb_push_back(kCombined, 1);
  }
  if constexpr (kPairwise) UNPACK((tvp::firmware::collectives::dst_pairs::stop()));
}

}  // namespace NAMESPACE
