// Moves one block to or from each of a list of tiles, a number of times each, one tile after the
// other. One barrier at the end and one zone cover all transactions. The host selects the size.

#include "firmware/kernels/microbenchmarks/go_signal.h"
#include "firmware/kernels/microbenchmarks/noc_block.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr uint32_t kTransactions = get_compile_time_arg_val(1);  // for each tile
constexpr uint32_t kLocal = get_compile_time_arg_val(2);
constexpr uint32_t kRemote = get_compile_time_arg_val(3);
constexpr bool kStateful = get_compile_time_arg_val(4) != 0;  // sets common registers once
constexpr uint32_t kPeers = get_compile_time_arg_val(5);
using Go = tvp::kernels::microbenchmarks::GoSignal<6>;
constexpr uint32_t kFirstPeer = 2;  // index in the runtime arguments

template <uint32_t kBytes>
__attribute__((noinline, flatten)) void measure(uint32_t local, uint32_t remote) {
  const experimental::Noc noc;
  DeviceZoneScopedN("transfer");
  for (uint32_t peer = 0; peer < kPeers; ++peer, local += kIsWrite ? 0 : kBytes) {
    const uint32_t x = kIsWrite ? get_arg_val<uint32_t>(kFirstPeer + peer) >> 16
                                : get_arg_val<uint32_t>(kFirstPeer + 2 * peer);
    const uint32_t y = kIsWrite ? get_arg_val<uint32_t>(kFirstPeer + peer) & 0xFFFF
                                : get_arg_val<uint32_t>(kFirstPeer + 2 * peer + 1);
    tvp::kernels::microbenchmarks::move_block<kIsWrite, kStateful, kBytes, kTransactions>(
        noc, local, x, y, remote);
  }
  tvp::kernels::microbenchmarks::wait_for_blocks<kIsWrite>(noc);
}

template <uint32_t... kShifts>
void measure_one(uint32_t shift, std::integer_sequence<uint32_t, kShifts...>) {
  const uint32_t remote = kRemote + get_arg_val<uint32_t>(1);
  ((shift == kShifts ? measure<64U << kShifts>(kLocal, remote) : void()), ...);
}

}  // namespace

void kernel_main() {
  Go go;
  go.wait();
  measure_one(get_arg_val<uint32_t>(0), std::make_integer_sequence<uint32_t, 8>());
}
