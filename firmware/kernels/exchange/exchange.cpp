// Exchanges a block with another tile in rounds. A round writes this tile's block there, increments
// the other tile's semaphore and waits for its own. The arrived block, each word plus one, is the
// next block.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kBytes = get_compile_time_arg_val(0);
  const uint32_t block = get_arg_val<uint32_t>(0);
  const uint32_t inbox = get_arg_val<uint32_t>(1);
  const uint32_t other_x = get_arg_val<uint32_t>(2);
  const uint32_t other_y = get_arg_val<uint32_t>(3);
  const uint32_t rounds = get_arg_val<uint32_t>(4);
  const uint32_t own_semaphore = get_semaphore(get_arg_val<uint32_t>(5));
  auto* arrived = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(own_semaphore);
  auto* own = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(block);

  for (uint32_t round = 0; round < rounds; ++round) {
    // Two inboxes in turn: the other tile may be a round ahead.
    const uint32_t box = inbox + (round & 1) * kBytes;
    noc_async_write(block, get_noc_addr(other_x, other_y, box), kBytes);
    noc_semaphore_inc(get_noc_addr(other_x, other_y, own_semaphore), 1);
    noc_semaphore_wait_min(arrived, round + 1);
    noc_async_writes_flushed();
    auto* in = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(box);
    for (uint32_t i = 0; i < kBytes / 4; ++i) own[i] = in[i] + 1;
  }
  noc_async_full_barrier();
}
