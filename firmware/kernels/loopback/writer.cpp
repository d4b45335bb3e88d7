// Writes pages from a circular buffer to DRAM.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/dprint.h"

void kernel_main() {
  constexpr uint32_t kCb = get_compile_time_arg_val(0);
  constexpr uint32_t kPageBytes = get_compile_time_arg_val(1);
  constexpr auto kDestinationArgs = TensorAccessorArgs<2>();
  const uint32_t destination = get_arg_val<uint32_t>(0);
  const uint32_t pages = get_arg_val<uint32_t>(1);
  const auto accessor = TensorAccessor(kDestinationArgs, destination, kPageBytes);

  for (uint32_t page = 0; page < pages; ++page) {
    cb_wait_front(kCb, 1);
    noc_async_write_page(page, accessor, get_read_ptr(kCb));
    noc_async_writes_flushed();
    cb_pop_front(kCb, 1);
  }
  noc_async_write_barrier();
  DPRINT << "wrote " << pages << " pages" << ENDL();
}
