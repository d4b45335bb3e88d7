#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kBytes = 8192;
  constexpr uint8_t kOtherNoc = 1;
  const uint32_t x = get_arg_val<uint32_t>(0);
  const uint32_t y = get_arg_val<uint32_t>(1);
  const uint32_t words = get_arg_val<uint32_t>(2);
  noc_async_write(words, get_noc_addr(x, y, words), kBytes);
  noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0), kOtherNoc), 1, kOtherNoc);
  noc_async_write_barrier();
  noc_async_atomic_barrier(kOtherNoc);
}
