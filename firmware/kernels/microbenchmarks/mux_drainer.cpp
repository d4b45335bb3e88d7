// Replaces a router: takes packets and discards them, so that the mux limits its clients.

#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/stream_credits.h"
#include "firmware/kernels/microbenchmarks/mux_arguments.h"
#include "foundation/contract/fabric/router.h"

using namespace tvp::kernels::microbenchmarks;
using namespace tvp::contract::fabric;
using namespace tvp::fabric;

void kernel_main() {
  const auto arg = [](uint32_t i) { return get_arg_val<uint32_t>(static_cast<int>(i)); };
  const EndpointLayout layout{arg(kMuxDrainerBase), arg(kMuxDrainerChannels), arg(kMuxDrainerSlots),
                              arg(kMuxDrainerSlotBytes)};
  const auto word = [](uint32_t address) -> volatile uint32_t& {
    return *reinterpret_cast<volatile uint32_t*>(address);
  };
  constexpr uint32_t kStream = stream_sender_free_slots(kClientChannel);
  credit_init(kStream, layout.slots);
  word(layout.status()) = kStatusReadyForTraffic;

  volatile uint32_t& handshake = word(layout.connection_handshake(kClientChannel));
  while (handshake != kConnectionOpen) {
  }
  auto* info = reinterpret_cast<volatile ConnectionInfo*>(layout.connection_info(kClientChannel));
  const auto client = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
  const uint64_t counter = get_noc_addr(client.x, client.y, info->worker_counter_address);
  uint32_t taken = 0;
  for (;;) {
    const uint32_t packets = layout.slots - credit_read(kStream);
    const uint32_t state = handshake;
    if (packets != 0) {
      credit_add(kStream, static_cast<int32_t>(packets));
      taken += packets;
      noc_inline_dw_write(counter, taken);
    } else if (state == kConnectionCloseRequest) {
      break;
    }
  }
  noc_inline_dw_write(get_noc_addr(client.x, client.y, info->worker_teardown_address), 1);
  noc_async_write_barrier();
}
