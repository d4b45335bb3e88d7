// Writes one block to all tiles of a rectangle, which may include this tile, a number of times, for
// each size from 64 to 8192 bytes. Each write reserves its path, or all writes of a size keep the
// first one's virtual channel. A zone for each size includes the barrier. The rectangle is a
// constant, as in the public noc_estimator kernels.

#include "api/dataflow/dataflow_api.h"
#include "experimental/noc.h"
#include "firmware/kernels/microbenchmarks/go_signal.h"

namespace {

using experimental::Noc;

constexpr uint32_t kTransactions = get_compile_time_arg_val(0);
constexpr bool kLinked = get_compile_time_arg_val(1) != 0;
constexpr uint32_t kSource = get_compile_time_arg_val(2);
constexpr uint32_t kDestination = get_compile_time_arg_val(3);
constexpr uint32_t kTiles = get_compile_time_arg_val(4);
constexpr bool kIsOutside = get_compile_time_arg_val(5) != 0;
constexpr tvp::noc_args::Rectangle kRectangle = {.noc_x_start = get_compile_time_arg_val(6),
                                                 .noc_y_start = get_compile_time_arg_val(7),
                                                 .noc_x_end = get_compile_time_arg_val(8),
                                                 .noc_y_end = get_compile_time_arg_val(9),
                                                 .addr = kDestination};
using Go = tvp::kernels::microbenchmarks::GoSignal<10>;
constexpr auto kMode = kIsOutside ? Noc::McastMode::EXCLUDE_SRC : Noc::McastMode::INCLUDE_SRC;

template <uint32_t kBytes>
FORCE_INLINE void send(const Noc& noc, bool linked) {
  noc.async_write_multicast<kMode>(experimental::UnicastEndpoint{},
                                   experimental::MulticastEndpoint{}, kBytes, kTiles,
                                   {.addr = kSource}, kRectangle, linked);
}

template <uint32_t kBytes>
__attribute__((noinline, flatten)) void measure() {
  const Noc noc;
  DeviceZoneScopedN("transfer");
  if constexpr (kLinked) {
    for (uint32_t i = 0; i < kTransactions - 1; ++i) send<kBytes>(noc, true);
    send<kBytes>(noc, false);
  } else {
    for (uint32_t i = 0; i < kTransactions; ++i) send<kBytes>(noc, false);
  }
  noc.async_write_barrier();
}

template <uint32_t... kShifts>
void measure_all(std::integer_sequence<uint32_t, kShifts...>) {
  Go go;
  ((go.wait(), measure<64U << kShifts>()), ...);
}

}  // namespace

void kernel_main() { measure_all(std::make_integer_sequence<uint32_t, 8>()); }
