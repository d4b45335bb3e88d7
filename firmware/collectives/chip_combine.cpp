// Combines slices in L1 for the interpreter of the worker: mine = received op mine, tile by tile on
// the vector unit (dst_pairs.h). The first compile-time argument is the operation, the second
// whether its numbers are integers. Those of 32 bits go to Dst and back as they are, whatever they
// stand for. Short slices come in tiles of one or two faces.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"
#include "compile_time_args.h"
#include "firmware/collectives/dst_pairs.h"
#include "foundation/contract/collectives/chip.h"

namespace NAMESPACE {

using namespace tvp::contract::collectives;
using tvp::firmware::collectives::Redop;
namespace pairs = tvp::firmware::collectives::dst_pairs;

constexpr auto kOp = static_cast<Redop>(get_compile_time_arg_val(0));
constexpr bool kIntegers = get_compile_time_arg_val(1) != 0;
[[maybe_unused]] constexpr uint32_t kFaces = unpack_tile_num_faces[kMine];

ALWI uint32_t load(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

/// The fields of a Combination. Addresses are in units of 16 bytes.
struct Task {
  Combining what;
  uint32_t mine;
  uint32_t received;  ///< kScale: the factor
  uint32_t tiles;
};

ALWI void work_on([[maybe_unused]] const Task& task) {
  [[maybe_unused]] const uint32_t tile_units = get_local_cb_interface(kMine).fifo_page_size;
  for (uint32_t i = 0; i < task.tiles; ++i) {
    UNPACK((pairs::unpack(task.mine + i * tile_units,
                          task.what == Combining::kCombine ? task.received + i * tile_units : 0)));
#if COMPILE_FOR_TRISC == 1
    if (task.what == Combining::kCombine) {
      pairs::combine<kOp, kIntegers, kFaces>();
    } else {
      pairs::scale<kFaces>(task.received);
    }
#endif
    PACK((pairs::pack(task.mine + i * tile_units)));
  }
}

void MAIN {
  const uint32_t base = get_arg_val<uint32_t>(0);
  const ChipLayout layout = chip_layout(base, 0, 0);
  compute_kernel_hw_startup(kMine, kReceived, kCombined);
  copy_tile_init(kMine);
  pairs::start();
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
    work_on(task);
    cb_push_back(kCombined, 1);
  }
  UNPACK((pairs::stop()));
}

}  // namespace NAMESPACE
