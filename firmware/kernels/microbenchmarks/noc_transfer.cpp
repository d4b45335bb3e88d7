// Moves one block to or from another tile (or the own one) a number of times, for each size from 32
// to 8192 bytes, and marks each size with a zone: addresses, issue of all transactions, and the
// barrier that closes them. Sizes are constants, so that each gets code of its own.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr bool kIsWrite = get_compile_time_arg_val(0) != 0;
constexpr uint32_t kTransactions = get_compile_time_arg_val(1);
constexpr uint32_t kLocalAddress = get_compile_time_arg_val(2);
constexpr uint32_t kRemoteAddress = get_compile_time_arg_val(3);
constexpr bool kStateful = get_compile_time_arg_val(4) != 0;  // what is common is written once

template <uint32_t kBytes>
__attribute__((noinline)) void measure(uint32_t x, uint32_t y) {
  DeviceZoneScopedN("transfer");
  const uint64_t remote = get_noc_addr(x, y, kRemoteAddress);
  if constexpr (kStateful && kIsWrite) {
    noc_async_write_one_packet_set_state(remote, kBytes);
  } else if constexpr (kStateful) {
    noc_async_read_one_packet_set_state(remote, kBytes);
  }
  for (uint32_t i = 0; i < kTransactions; ++i) {
    if constexpr (kStateful && kIsWrite) {
      noc_async_write_one_packet_with_state(kLocalAddress, kRemoteAddress);
    } else if constexpr (kStateful) {
      noc_async_read_one_packet_with_state(kRemoteAddress, kLocalAddress);
    } else if constexpr (kIsWrite) {
      noc_async_write(kLocalAddress, remote, kBytes);
    } else {
      noc_async_read(remote, kLocalAddress, kBytes);
    }
  }
  if constexpr (kIsWrite) {
    noc_async_write_barrier();
  } else {
    noc_async_read_barrier();
  }
}

template <uint32_t... kShifts>
void measure_all(uint32_t x, uint32_t y, std::integer_sequence<uint32_t, kShifts...>) {
  (measure<32U << kShifts>(x, y), ...);
}

}  // namespace

void kernel_main() {
  const uint32_t x = get_arg_val<uint32_t>(0);
  const uint32_t y = get_arg_val<uint32_t>(1);
  measure_all(x, y, std::make_integer_sequence<uint32_t, 9>());
}
