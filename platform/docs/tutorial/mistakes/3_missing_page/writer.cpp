#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t pages = get_arg_val<uint32_t>(1);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto target = TensorAccessor(kInDram, get_arg_val<uint32_t>(0), get_tile_size(0));
  for (uint32_t page = 0; page < pages; ++page) {
    cb_wait_front(0, 1);
    noc_async_write_page(page, target, get_read_ptr(0));
    noc_async_write_barrier();
    cb_pop_front(0, 1);
  }
}
