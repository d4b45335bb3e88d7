// Adds the numbers of all cores of a ring: what comes from the one before is added and handed on.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t next_x = get_arg_val<uint32_t>(0);
  const uint32_t next_y = get_arg_val<uint32_t>(1);
  const uint32_t arrived = get_semaphore(get_arg_val<uint32_t>(2));
  const uint32_t steps = get_arg_val<uint32_t>(3);
  const uint32_t slots = get_arg_val<uint32_t>(4);  // 16 bytes each, for each step and one more
  auto* here = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(arrived);

  auto number = [&](uint32_t slot) {
    return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(slots + slot * 16);
  };
  uint32_t sum = *number(0);  // this core's own
  for (uint32_t step = 0; step < steps; ++step) {
    // The number from the last step goes to the next slot of the next core. Each step has its own
    // slot, so no core waits for room. The semaphore follows on the same path.
    noc_async_write(slots + step * 16, get_noc_addr(next_x, next_y, slots + (step + 1) * 16), 16);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(next_x, next_y, arrived), 1);
    noc_semaphore_wait_min(here, step + 1);
    sum += *number(step + 1);
  }
  *number(0) = sum;
  noc_async_atomic_barrier();
}
