// A client that fills its channel of a mux as fast as possible.

#include "fabric/packet_header_pool.h"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/kernels/microbenchmarks/mux_arguments.h"
#include "risc_common.h"

using namespace tvp::kernels::microbenchmarks;
using namespace tt::tt_fabric;

void kernel_main() {
  const auto arg = [](uint32_t i) { return get_arg_val<uint32_t>(static_cast<int>(i)); };
  const auto x = static_cast<uint8_t>(arg(kMuxClientX));
  const auto y = static_cast<uint8_t>(arg(kMuxClientY));
  auto mux = build_connection_to_fabric_endpoint(
      x, y, static_cast<uint8_t>(arg(kMuxClientChannel)),
      static_cast<uint8_t>(arg(kMuxClientSlots)), arg(kMuxClientSlotBytes),
      arg(kMuxClientChannelBase), arg(kMuxClientInfo), arg(kMuxClientHandshake), 0,
      arg(kMuxClientBufferIndex), get_semaphore(kMuxCounter), get_semaphore(kMuxTeardown),
      get_semaphore(kMuxBufferIndex));
  wait_for_fabric_endpoint_ready(x, y, arg(kMuxClientStatusAddress), get_semaphore(kMuxStatus));
  fabric_client_connect(mux);

  const uint32_t source = arg(kMuxClientSource);
  const uint32_t bytes = arg(kMuxClientBytes);
  auto* header = reinterpret_cast<volatile PACKET_HEADER_TYPE*>(source);
  header->to_chip_unicast(1);
  header->to_noc_unicast_write(NocUnicastCommandHeader{0}, bytes);
  auto* results = reinterpret_cast<volatile uint32_t*>(arg(kMuxClientResults));
  const auto send = [&](uint32_t packets) {
    for (uint32_t i = 0; i < packets; ++i) {
      fabric_async_write(mux, header, source + sizeof(*header), bytes);
    }
  };
  send(arg(kMuxClientWarmUp));
  results[0] = c_tensix_core::read_wall_clock_l();
  send(arg(kMuxClientPackets));
  results[1] = c_tensix_core::read_wall_clock_l();
  fabric_client_disconnect(mux);
  const uint32_t done = get_semaphore(kMuxDone);
  if (arg(kMuxClientTermination) != 0) {
    noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(done), arg(kMuxClientOthers));
    fabric_endpoint_terminate(x, y, arg(kMuxClientTermination));
  } else {
    noc_semaphore_inc(get_noc_addr(arg(kMuxClientFirstX), arg(kMuxClientFirstY), done), 1);
  }
  noc_async_full_barrier();
}
