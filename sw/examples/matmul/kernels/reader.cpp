// For each tile of the product: the tiles of a row of the left matrix and of a column of the right
// one, in pairs.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kLeft = 0;
  constexpr uint32_t kRight = 1;
  const uint32_t left_address = get_arg_val<uint32_t>(0);
  const uint32_t right_address = get_arg_val<uint32_t>(1);
  const uint32_t rows = get_arg_val<uint32_t>(2);  // sizes in tiles
  const uint32_t inner = get_arg_val<uint32_t>(3);
  const uint32_t columns = get_arg_val<uint32_t>(4);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto left = TensorAccessor(kInDram, left_address, get_tile_size(kLeft));
  const auto right = TensorAccessor(kInDram, right_address, get_tile_size(kRight));

  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      for (uint32_t k = 0; k < inner; ++k) {
        cb_reserve_back(kLeft, 1);
        cb_reserve_back(kRight, 1);
        noc_async_read_page(row * inner + k, left, get_write_ptr(kLeft));
        noc_async_read_page(k * columns + column, right, get_write_ptr(kRight));
        noc_async_read_barrier();
        cb_push_back(kLeft, 1);
        cb_push_back(kRight, 1);
      }
    }
  }
}
