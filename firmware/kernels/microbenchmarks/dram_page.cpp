// Moves the first page of an interleaved tensor in DRAM to or from L1, for each page size from 32
// to 8192 bytes, and marks each size with a zone that ends with the barrier.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr uint32_t kLocalAddress = get_compile_time_arg_val(1);
constexpr auto kTensorArgs = TensorAccessorArgs<2>();

template <uint32_t kBytes>
__attribute__((noinline)) void measure(uint32_t tensor) {
  const auto accessor = TensorAccessor(kTensorArgs, tensor, kBytes);
  DeviceZoneScopedN("transfer");
  if constexpr (kIsWrite) {
    noc_async_write_page(0, accessor, kLocalAddress);
    noc_async_write_barrier();
  } else {
    noc_async_read_page(0, accessor, kLocalAddress);
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
