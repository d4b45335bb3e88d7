// Another operation on the senders' NoC. It repeatedly moves bytes along the row of one of them,
// and can pause that sender's writer meanwhile.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/prefetcher/arguments.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

void kernel_main() {
  const uint32_t memory = get_arg_val<uint32_t>(kRivalMemory);
  const uint32_t packets = get_arg_val<uint32_t>(kRivalPackets);
  const uint64_t to =
      get_noc_addr(get_arg_val<uint32_t>(kRivalToX), get_arg_val<uint32_t>(kRivalToY), memory);
  const uint64_t pause =
      get_noc_addr(get_arg_val<uint32_t>(kRivalSenderX), get_arg_val<uint32_t>(kRivalSenderY),
                   get_arg_val<uint32_t>(kRivalPauseWord));
  riscv_wait(get_arg_val<uint32_t>(kRivalDelay));
  if constexpr (get_compile_time_arg_val(kPausable) != 0) {
    noc_semaphore_inc(pause, 1);
    noc_async_atomic_barrier();
  }
  uint32_t total = 0;
  timed(total, [&] {
    for (uint32_t i = 0; i < packets; ++i)
      noc_async_write_one_packet(memory, to, NOC_MAX_BURST_SIZE);
    noc_async_write_barrier();
  });
  if constexpr (get_compile_time_arg_val(kPausable) != 0) {
    noc_semaphore_inc(pause, 0xFFFFFFFF);
    noc_async_atomic_barrier();
  }
  *stats_at(get_arg_val<uint32_t>(kRivalStats)) = total;
}
