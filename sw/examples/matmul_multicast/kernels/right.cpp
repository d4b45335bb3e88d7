// Tiles of a column of the right matrix, which all cores of a column share; then takes this core's
// tile of the product to DRAM.

#include "share.h"

void kernel_main() {
  constexpr uint32_t kRight = 1;
  constexpr uint32_t kProduct = 16;
  const Sharing sharing;
  const uint32_t column = get_arg_val<uint32_t>(11);
  const uint32_t inner = get_arg_val<uint32_t>(12);
  const uint32_t columns = get_arg_val<uint32_t>(13);
  const uint32_t product_address = get_arg_val<uint32_t>(14);
  const uint32_t product_tile = get_arg_val<uint32_t>(15);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto right = TensorAccessor(kInDram, sharing.address, get_tile_size(kRight));
  for (uint32_t k = 0; k < inner; ++k) get_tile(sharing, right, k * columns + column, kRight);

  const auto product = TensorAccessor(kInDram, product_address, get_tile_size(kProduct));
  cb_wait_front(kProduct, 1);
  noc_async_write_page(product_tile, product, get_read_ptr(kProduct));
  noc_async_write_barrier();
  cb_pop_front(kProduct, 1);
}
