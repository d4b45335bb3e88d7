// Moves one block to or from another tile (or this one) a number of times, for each size from 32 to
// 8192 bytes. A zone for each size covers addresses, the issue of all transactions, and the
// barrier. Sizes are constants, so that each has its own code (flattened, like a kernel with one
// call). A writer's target is a constant, a reader's an argument, as in the public noc_estimator
// kernels.

#include "firmware/kernels/microbenchmarks/go_signal.h"
#include "firmware/kernels/microbenchmarks/noc_block.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr uint32_t kTransactions = get_compile_time_arg_val(1);
constexpr uint32_t kLocalAddress = get_compile_time_arg_val(2);
constexpr uint32_t kRemoteAddress = get_compile_time_arg_val(3);
constexpr bool kStateful = get_compile_time_arg_val(4) != 0;  // sets common registers once
constexpr uint32_t kTargetX = get_compile_time_arg_val(5);
constexpr uint32_t kTargetY = get_compile_time_arg_val(6);
constexpr bool kByFunctions = get_compile_time_arg_val(7) != 0;
using Go = tvp::kernels::microbenchmarks::GoSignal<8>;

template <uint32_t kBytes>
__attribute__((noinline, flatten)) void measure(uint32_t source_x, uint32_t source_y) {
  const experimental::Noc noc;
  const uint32_t x = kIsWrite ? kTargetX : source_x;
  const uint32_t y = kIsWrite ? kTargetY : source_y;
  DeviceZoneScopedN("transfer");
  if constexpr (kByFunctions) {
    tvp::kernels::microbenchmarks::move_block_by_functions<kIsWrite, kBytes, kTransactions>(
        kLocalAddress, x, y, kRemoteAddress);
  } else {
    tvp::kernels::microbenchmarks::move_block<kIsWrite, kStateful, kBytes, kTransactions>(
        noc, kLocalAddress, x, y, kRemoteAddress);
  }
  tvp::kernels::microbenchmarks::wait_for_blocks<kIsWrite>(noc);
}

template <uint32_t... kShifts>
void measure_all(uint32_t x, uint32_t y, std::integer_sequence<uint32_t, kShifts...>) {
  Go go;
  ((go.wait(), measure<32U << kShifts>(x, y)), ...);
}

}  // namespace

void kernel_main() {
  const uint32_t x = get_arg_val<uint32_t>(0);
  const uint32_t y = get_arg_val<uint32_t>(1);
  measure_all(x, y, std::make_integer_sequence<uint32_t, 9>());
}
