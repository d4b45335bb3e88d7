// Adds up what another core writes into this one's L1.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t from_x = get_arg_val<uint32_t>(0);
  const uint32_t from_y = get_arg_val<uint32_t>(1);
  const uint32_t inbox = get_arg_val<uint32_t>(2);
  const uint32_t filled = get_arg_val<uint32_t>(3);  // global semaphores: here,
  const uint32_t room = get_arg_val<uint32_t>(4);    // and there
  const uint32_t batches = get_arg_val<uint32_t>(5);
  const uint32_t words = get_arg_val<uint32_t>(6);  // size of a batch
  const uint32_t result = get_arg_val<uint32_t>(7);

  auto* is_filled = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(filled);
  auto* numbers = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(inbox);
  uint32_t sum = 0;
  for (uint32_t batch = 0; batch < batches; ++batch) {
    noc_semaphore_inc(get_noc_addr(from_x, from_y, room), 1);
    noc_semaphore_wait(is_filled, 1);
    noc_semaphore_set(is_filled, 0);
    for (uint32_t i = 0; i < words; ++i) sum += numbers[i];
  }
  *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(result) = sum;
  noc_async_atomic_barrier();
}
