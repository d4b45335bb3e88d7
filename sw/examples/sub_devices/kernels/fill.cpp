// Writes numbers into the L1 of another core, batch by batch, as the other one has room.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t to_x = get_arg_val<uint32_t>(0);
  const uint32_t to_y = get_arg_val<uint32_t>(1);
  const uint32_t inbox = get_arg_val<uint32_t>(2);   // there
  const uint32_t filled = get_arg_val<uint32_t>(3);  // global semaphores: there,
  const uint32_t room = get_arg_val<uint32_t>(4);    // and here
  const uint32_t batches = get_arg_val<uint32_t>(5);
  const uint32_t words = get_arg_val<uint32_t>(6);  // size of a batch
  const uint32_t scratch = get_arg_val<uint32_t>(7);
  const uint32_t first = get_arg_val<uint32_t>(8);  // number

  auto* has_room = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(room);
  auto* numbers = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(scratch);
  for (uint32_t batch = 0; batch < batches; ++batch) {
    for (uint32_t i = 0; i < words; ++i) numbers[i] = first + batch * words + i;
    noc_semaphore_wait(has_room, 1);
    noc_semaphore_set(has_room, 0);
    noc_async_write(scratch, get_noc_addr(to_x, to_y, inbox), words * 4);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(to_x, to_y, filled), 1);
  }
  noc_async_atomic_barrier();
}
