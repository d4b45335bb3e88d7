// Page by page from one buffer in DRAM to another, by way of this core's L1.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t source_address = get_arg_val<uint32_t>(0);
  const uint32_t destination_address = get_arg_val<uint32_t>(1);
  const uint32_t scratch = get_arg_val<uint32_t>(2);
  const uint32_t pages = get_arg_val<uint32_t>(3);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  constexpr uint32_t kPageBytes = kInDram.get_aligned_page_size();
  const auto source = TensorAccessor(kInDram, source_address, kPageBytes);
  const auto destination = TensorAccessor(kInDram, destination_address, kPageBytes);

  for (uint32_t page = 0; page < pages; ++page) {
    noc_async_read_page(page, source, scratch);
    noc_async_read_barrier();  // the page is here
    noc_async_write_page(page, destination, scratch);
    noc_async_write_barrier();  // and there: `scratch` may be used again
  }
}
