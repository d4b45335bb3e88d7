// Moves pages of an interleaved tensor in DRAM to or from one place in L1, for each page size from
// 32 to 8192 bytes: the first page, or the first of each bank in turn. A zone a size holds the
// addresses, the issue of all transactions, and the barrier.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr uint32_t kLocalAddress = get_compile_time_arg_val(1);
constexpr uint32_t kTransactions = get_compile_time_arg_val(2);
constexpr uint32_t kPages = get_compile_time_arg_val(3);
constexpr auto kTensorArgs = TensorAccessorArgs<4>();

template <uint32_t kBytes>
__attribute__((noinline)) void measure(uint32_t tensor) {
  const auto accessor = TensorAccessor(kTensorArgs, tensor, kBytes);
  DeviceZoneScopedN("transfer");
  uint32_t page = 0;
  for (uint32_t i = 0; i < kTransactions; ++i) {
    if constexpr (kIsWrite) {
      noc_async_write_page(page, accessor, kLocalAddress);
    } else {
      noc_async_read_page(page, accessor, kLocalAddress);
    }
    if constexpr (kPages > 1) page = page + 1 < kPages ? page + 1 : 0;
  }
  if constexpr (kIsWrite) {
    noc_async_write_barrier();
  } else {
    noc_async_read_barrier();
  }
}

template <uint32_t... kShifts>
void measure_all(uint32_t tensor, std::integer_sequence<uint32_t, kShifts...>) {
  (measure<32U << kShifts>(tensor), ...);
}

}  // namespace

void kernel_main() {
  measure_all(get_arg_val<uint32_t>(0), std::make_integer_sequence<uint32_t, 9>());
}
