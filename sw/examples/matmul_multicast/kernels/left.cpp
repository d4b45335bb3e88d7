// Tiles of a row of the left matrix, which all cores of a row share.

#include "share.h"

void kernel_main() {
  constexpr uint32_t kLeft = 0;
  const Sharing sharing;
  const uint32_t row = get_arg_val<uint32_t>(11);
  const uint32_t inner = get_arg_val<uint32_t>(12);
  const auto left = TensorAccessor(TensorAccessorArgs<0>(), sharing.address, get_tile_size(kLeft));
  for (uint32_t k = 0; k < inner; ++k) get_tile(sharing, left, row * inner + k, kLeft);
}
