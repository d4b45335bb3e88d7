// Brings tiles of both vectors from DRAM into circular buffers 0 and 1.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kLeft = 0;
  constexpr uint32_t kRight = 1;
  const uint32_t left_address = get_arg_val<uint32_t>(0);
  const uint32_t right_address = get_arg_val<uint32_t>(1);
  const uint32_t tiles = get_arg_val<uint32_t>(2);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto left = TensorAccessor(kInDram, left_address, get_tile_size(kLeft));
  const auto right = TensorAccessor(kInDram, right_address, get_tile_size(kRight));

  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_reserve_back(kLeft, 1);
    cb_reserve_back(kRight, 1);
    noc_async_read_page(tile, left, get_write_ptr(kLeft));
    noc_async_read_page(tile, right, get_write_ptr(kRight));
    noc_async_read_barrier();
    cb_push_back(kLeft, 1);
    cb_push_back(kRight, 1);
  }
}
