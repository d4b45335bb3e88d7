// Takes the sums out of circular buffer 16 to DRAM.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kSums = 16;
  const uint32_t address = get_arg_val<uint32_t>(0);
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto sums = TensorAccessor(kInDram, address, get_tile_size(kSums));

  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(kSums, 1);
    noc_async_write_page(tile, sums, get_read_ptr(kSums));
    noc_async_writes_flushed();
    cb_pop_front(kSums, 1);
  }
  noc_async_write_barrier();
}
