// Another operation on the senders' NoC. It repeatedly moves bytes along the row of one of them,
// and can pause that sender meanwhile.

#include "api/dataflow/prefetcher_pause.h"
#include "firmware/kernels/prefetcher/arguments.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

void kernel_main() {
  const uint32_t memory = get_arg_val<uint32_t>(kRivalMemory);
  const uint32_t packets = get_arg_val<uint32_t>(kRivalPackets);
  const uint64_t to =
      get_noc_addr(get_arg_val<uint32_t>(kRivalToX), get_arg_val<uint32_t>(kRivalToY), memory);
  tvp::prefetcher::PrefetcherPause sender(
      get_arg_val<uint32_t>(kRivalSenderX), get_arg_val<uint32_t>(kRivalSenderY),
      get_arg_val<uint32_t>(kRivalControl), memory + kRivalScratch);
  const bool pauses = get_arg_val<uint32_t>(kRivalPauses) != 0;
  riscv_wait(get_arg_val<uint32_t>(kRivalDelay));
  uint32_t until_paused = 0;
  if (pauses) timed(until_paused, [&] { sender.pause(); });
  uint32_t total = 0;
  timed(total, [&] {
    for (uint32_t i = 0; i < packets; ++i)
      noc_async_write_one_packet(memory, to, kRivalPacketBytes);
    noc_async_write_barrier();
  });
  if (pauses) sender.resume();
  volatile uint32_t* stats = stats_at(memory + kRivalStats);
  stats[kRivalCycles] = total;
  stats[kRivalPauseCycles] = until_paused;
}
