// Moves pages of DRAM to or from one place in L1, for each page size from 32 to 8192 bytes. The
// pages are at one address of a bank, or of several banks in turn. A zone for each size holds the
// banks' addresses, the issue of all transactions, and the barrier, as in the public noc_estimator
// kernels.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr uint32_t kLocalAddress = get_compile_time_arg_val(1);
constexpr uint32_t kTransactions = get_compile_time_arg_val(2);
constexpr uint32_t kBanks = get_compile_time_arg_val(3);
constexpr uint32_t kDramAddress = get_compile_time_arg_val(4);

template <uint32_t kBytes>
__attribute__((noinline, flatten)) void measure() {
  DeviceZoneScopedN("transfer");
  for (uint32_t i = 0; i < kTransactions; ++i) {
    const uint64_t page = get_noc_addr_from_bank_id<true>(i % kBanks, kDramAddress);
    if constexpr (kIsWrite) {
      noc_async_write(kLocalAddress, page, kBytes);
    } else {
      noc_async_read(page, kLocalAddress, kBytes);
    }
  }
  if constexpr (kIsWrite) {
    noc_async_write_barrier();
  } else {
    noc_async_read_barrier();
  }
}

template <uint32_t... kShifts>
void measure_all(std::integer_sequence<uint32_t, kShifts...>) {
  (measure<32U << kShifts>(), ...);
}

}  // namespace

void kernel_main() { measure_all(std::make_integer_sequence<uint32_t, 9>()); }
