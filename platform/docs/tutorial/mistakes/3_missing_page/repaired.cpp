#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  const uint32_t pages = get_arg_val<uint32_t>(1);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto source = TensorAccessor(kInDram, get_arg_val<uint32_t>(0), get_tile_size(0));
  for (uint32_t page = 0; page < pages; ++page) {
    cb_reserve_back(0, 1);
    noc_async_read_page(page, source, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}
