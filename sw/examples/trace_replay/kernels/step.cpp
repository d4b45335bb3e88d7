// A step of a sequence: every number of this core's shard times a factor, plus a term.

#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  auto* numbers = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
  const uint32_t count = get_arg_val<uint32_t>(1);
  const uint32_t factor = get_arg_val<uint32_t>(2);
  const uint32_t term = get_arg_val<uint32_t>(3);
  for (uint32_t i = 0; i < count; ++i) numbers[i] = numbers[i] * factor + term;
}
