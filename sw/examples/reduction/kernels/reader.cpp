// Tiles of the matrix, row of tiles after row of tiles, behind a tile of ones.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kNumbers = 0;
  constexpr uint32_t kOnes = 1;
  const uint32_t address = get_arg_val<uint32_t>(0);
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  constexpr auto kInDram = TensorAccessorArgs<0>();
  const auto numbers = TensorAccessor(kInDram, address, get_tile_size(kNumbers));

  // reduce_tile() multiplies every number with this one.
  cb_reserve_back(kOnes, 1);
  auto* ones = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(kOnes));
  for (uint32_t i = 0; i < get_tile_size(kOnes) / 4; ++i) ones[i] = 0x3F803F80;  // two of 1.0
  cb_push_back(kOnes, 1);

  for (uint32_t tile = 0; tile < tiles; ++tile) {
    cb_reserve_back(kNumbers, 1);
    noc_async_read_page(tile, numbers, get_write_ptr(kNumbers));
    noc_async_read_barrier();
    cb_push_back(kNumbers, 1);
  }
}
