// Waits for a semaphore to reach a value and reports it.

#include "dataflow/dataflow_api.h"
#include "tests/unit/ethernet/firmware/bare_map.h"

void kernel_main() {
  auto* semaphore = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
  noc_semaphore_wait_min(semaphore, get_arg_val<uint32_t>(1));
  auto* results = reinterpret_cast<volatile uint32_t*>(tvp::bare::kResults);
  results[0] = get_timestamp_32b();
}
