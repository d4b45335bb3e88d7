// Another operation on the senders' banks. It reads from one of them as fast as a sender, and can
// pause that bank's sender meanwhile.

#include "api/dataflow/prefetcher_pause.h"
#include "firmware/kernels/prefetcher/arguments.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

void kernel_main() {
  const uint32_t memory = get_arg_val<uint32_t>(kRivalMemory);
  const uint32_t packets = get_arg_val<uint32_t>(kRivalPackets);
  const uint64_t source = get_noc_addr_from_bank_id<true>(get_arg_val<uint32_t>(kRivalBank),
                                                          get_arg_val<uint32_t>(kRivalAddress));
  tvp::prefetcher::PrefetcherPause sender(
      get_arg_val<uint32_t>(kRivalSenderX), get_arg_val<uint32_t>(kRivalSenderY),
      get_arg_val<uint32_t>(kRivalControl), memory + kRivalScratch);
  const bool pauses = get_arg_val<uint32_t>(kRivalPauses) != 0;
  riscv_wait(get_arg_val<uint32_t>(kRivalDelay));
  uint32_t until_paused = 0;
  if (pauses) timed(until_paused, [&] { sender.pause(); });
  uint32_t total = 0;
  timed(total, [&] {
    noc_async_read_one_packet_set_state<true>(source, kRivalPacketBytes, 2);
    for (uint32_t i = 0; i < packets; ++i) {
      const uint32_t place = i % kRivalPlaces;
      if (i >= kRivalPlaces) noc_async_read_barrier_with_trid(place + 1);
      noc_async_read_set_trid(place + 1);
      noc_async_read_one_packet_with_state_with_trid(static_cast<uint32_t>(source),
                                                     i * kRivalPacketBytes,
                                                     memory + place * kRivalPacketBytes, place + 1);
    }
    for (uint32_t id = 1; id <= kRivalPlaces; ++id) noc_async_read_barrier_with_trid(id);
    noc_async_read_set_trid(0);
  });
  if (pauses) sender.resume();
  volatile uint32_t* stats = stats_at(memory + kRivalStats);
  stats[kRivalCycles] = total;
  stats[kRivalPauseCycles] = until_paused;
}
