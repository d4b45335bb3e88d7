#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t kWords = 2048;
  const auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
  auto* result = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1));
  noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)), 1);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < kWords; ++i) sum += words[i];
  *result = sum;
}
