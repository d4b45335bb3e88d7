// Writes one block to all tiles of a rectangle, in which the own one may be, a number of times, for
// each size from 64 to 8192 bytes: each write reserves its path, or all of a size keep the channel
// that the first one got. A zone a size, with the barrier.

#include "api/dataflow/dataflow_api.h"

namespace {

constexpr uint32_t kTransactions = get_compile_time_arg_val(0);
constexpr bool kLinked = get_compile_time_arg_val(1) != 0;
constexpr uint32_t kSource = get_compile_time_arg_val(2);
constexpr uint32_t kDestination = get_compile_time_arg_val(3);
constexpr uint32_t kTiles = get_compile_time_arg_val(4);
constexpr bool kIsOutside = get_compile_time_arg_val(5) != 0;

template <uint32_t kBytes>
void send(uint64_t rectangle, bool linked) {
  if constexpr (kIsOutside) {
    noc_async_write_multicast(kSource, rectangle, kBytes, kTiles, linked);
  } else {
    noc_async_write_multicast_loopback_src(kSource, rectangle, kBytes, kTiles, linked);
  }
}

template <uint32_t kBytes>
__attribute__((noinline)) void measure(uint64_t rectangle) {
  DeviceZoneScopedN("transfer");
  for (uint32_t i = 0; i + 1 < kTransactions; ++i) send<kBytes>(rectangle, kLinked);
  send<kBytes>(rectangle, false);
  noc_async_write_barrier();
}

template <uint32_t... kShifts>
void measure_all(uint64_t rectangle, std::integer_sequence<uint32_t, kShifts...>) {
  (measure<64U << kShifts>(rectangle), ...);
}

}  // namespace

void kernel_main() {
  const uint64_t rectangle =
      get_noc_multicast_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1),
                             get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), kDestination);
  measure_all(rectangle, std::make_integer_sequence<uint32_t, 8>());
}
