// Reads, for each tile of the product, the tiles of a row of the left matrix and of a column of the
// right one, in pairs.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/parallel/arguments.h"

void kernel_main() {
  using namespace tvp::kernels::parallel;
  const uint32_t rows = get_arg_val<uint32_t>(kReaderRows);
  const uint32_t inner = get_arg_val<uint32_t>(kReaderInner);
  const uint32_t columns = get_arg_val<uint32_t>(kReaderColumns);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto left =
      TensorAccessor(kInDram, get_arg_val<uint32_t>(kReaderLeft), get_tile_size(kLeft));
  const auto right =
      TensorAccessor(kInDram, get_arg_val<uint32_t>(kReaderRight), get_tile_size(kRight));

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
