// The numbers are already in this core's L1. Announces them to the compute kernel and waits until
// all results have arrived.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kNumbers = 0;
  constexpr uint32_t kSquares = 16;
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  cb_reserve_back(kNumbers, tiles);
  cb_push_back(kNumbers, tiles);
  cb_wait_front(kSquares, tiles);
  cb_pop_front(kSquares, tiles);
}
