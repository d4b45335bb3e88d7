#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kPageBytes = 2048;
  const uint32_t pages = get_arg_val<uint32_t>(2);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto source = TensorAccessor(kInDram, get_arg_val<uint32_t>(0), kPageBytes);
  const auto target = TensorAccessor(kInDram, get_arg_val<uint32_t>(1), kPageBytes);
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0);
  for (uint32_t page = 0; page < pages; ++page) {
    noc_async_read_page(page, source, l1);
    noc_async_read_barrier();
    noc_async_write_page(page, target, l1);
  }
}
