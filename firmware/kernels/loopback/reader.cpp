// Reads pages from DRAM into a circular buffer.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kCb = get_compile_time_arg_val(0);
  constexpr uint32_t kPageBytes = get_compile_time_arg_val(1);
  constexpr auto kSourceArgs = TensorAccessorArgs<2>();
  const uint32_t source = get_arg_val<uint32_t>(0);
  const uint32_t pages = get_arg_val<uint32_t>(1);
  const auto accessor = TensorAccessor(kSourceArgs, source, kPageBytes);

  for (uint32_t page = 0; page < pages; ++page) {
    cb_reserve_back(kCb, 1);
    noc_async_read_page(page, accessor, get_write_ptr(kCb));
    noc_async_read_barrier();
    cb_push_back(kCb, 1);
  }
}
