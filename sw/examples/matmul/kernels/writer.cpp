// Takes the product out of circular buffer 16 to DRAM.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kProduct = 16;
  const uint32_t address = get_arg_val<uint32_t>(0);
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto product = TensorAccessor(kInDram, address, get_tile_size(kProduct));

  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(kProduct, 1);
    noc_async_write_page(tile, product, get_read_ptr(kProduct));
    noc_async_writes_flushed();
    cb_pop_front(kProduct, 1);
  }
  noc_async_write_barrier();
}
