// Writes tiles of the product to DRAM.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/parallel/arguments.h"

void kernel_main() {
  using namespace tvp::kernels::parallel;
  const uint32_t tiles = get_arg_val<uint32_t>(kWriterTiles);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto product =
      TensorAccessor(kInDram, get_arg_val<uint32_t>(kWriterProduct), get_tile_size(kProduct));

  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_wait_front(kProduct, 1);
    noc_async_write_page(tile, product, get_read_ptr(kProduct));
    noc_async_writes_flushed();
    cb_pop_front(kProduct, 1);
  }
  noc_async_write_barrier();
}
