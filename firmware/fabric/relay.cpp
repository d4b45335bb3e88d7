// Relay of the fabric, on a data-movement core: the unified data movement of kernels. It is the
// client of all routers of its chip. It sends the data of writes itself. Behind them, on the same
// route, it sends a request to the relay of the other chip, which arrives after the data have
// landed. Reads and increments with an answer are done by the relay of the other chip. Its answer
// comes after its data on the same route, too. The relay then counts it at the kernel.
// Times are not those of tt-metal's relays, which are stages of a mux.

#include "foundation/contract/fabric/relay.h"

#include <stdint.h>

#include "dataflow/dataflow_api.h"
#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/noc_addr.h"
#include "fabric/packet_header_pool.h"
#include "fabric/tt_fabric_api.h"
#include "firmware/fabric/idle_iteration.h"
#include "foundation/contract/fabric/endpoint.h"

namespace {

using namespace tvp::contract::fabric;
using tvp::fabric::each;
using tvp::fabric::work;

constexpr RelayLayout kLayout = {
    get_compile_time_arg_val(kRelayArgBase), get_compile_time_arg_val(kRelayArgPorts),
    get_compile_time_arg_val(kRelayArgDevices), get_compile_time_arg_val(kRelayArgMaxPayloadBytes)};

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
FORCE_INLINE volatile RelayRequest& request_at(uint32_t address) {
  return *reinterpret_cast<volatile RelayRequest*>(address);
}
/// An address in packets and for this core, which uses NoC 0.
FORCE_INLINE uint64_t at(uint32_t xy, uint32_t address) {
  return get_noc_addr(xy & 0xFFFF, xy >> 16, address, tt::tt_fabric::edm_to_local_chip_noc);
}
FORCE_INLINE uint64_t address_of(const volatile RelayRequest& request) {
  return uint64_t{request.address_high} << 32 | request.address_low;
}
FORCE_INLINE RelayAnswer answer_of(uint32_t kind) {
  if (kind == kRelayRead) return kRelayReads;
  return kind == kRelayIncrement ? kRelayIncrements : kRelayWrites;
}

struct Port {
  uint32_t xy;
  uint32_t address;  ///< RelayPort's
  uint32_t taken;
  uint32_t answers[kRelayAnswers];
};
struct Peer {
  uint32_t relay_xy;
  uint32_t sent, completed;  ///< requests to it
  uint32_t handled;          ///< requests from it
  struct {
    uint8_t port, answer;
  } under_way[kRelayDepth];
};

Port ports[kLayout.ports];
Peer peers[kLayout.devices];
tt::tt_fabric::WorkerToFabricEdmSender routers[kDirections];
volatile PACKET_HEADER_TYPE* header;

/// Sends the packet of `header`. Source and header may be reused afterwards.
void send(uint32_t device, uint32_t source, uint32_t bytes) {
  tt::tt_fabric::fabric_set_unicast_route(header, static_cast<uint16_t>(device));
  auto& router = routers[tt::tt_fabric::get_next_hop_router_direction(0, device)];
  router.wait_for_empty_write_slot();
  if (bytes != 0) router.send_payload_without_header_non_blocking_from_address(source, bytes);
  router.send_payload_flush_blocking_from_address(reinterpret_cast<uint32_t>(header),
                                                  sizeof(*header));
}

/// Copies from an address that this core reads to an address on another chip.
void copy(uint64_t from, uint32_t device, uint64_t to, uint32_t bytes) {
  while (bytes != 0) {
    const uint32_t part = bytes < kLayout.max_payload_bytes ? bytes : kLayout.max_payload_bytes;
    // The same place in 64 bytes as the source, as DRAM and L1 require.
    const uint32_t staged = kLayout.staging() + (static_cast<uint32_t>(from) & 63);
    noc_async_read(from, staged, part);
    noc_async_read_barrier();
    header->to_noc_unicast_write(NocUnicastCommandHeader{to}, part);
    send(device, staged, part);
    from += part;
    to += part;
    bytes -= part;
  }
}

/// Passes a request on to the relay of another chip.
void pass_on(const volatile RelayRequest& request, uint32_t port, RelayAnswer answer) {
  Peer& peer = peers[request.device];
  const uint32_t slot = peer.sent % kRelayDepth;
  peer.under_way[slot] = {static_cast<uint8_t>(port), static_cast<uint8_t>(answer)};
  ++peer.sent;
  const uint32_t me = routing_table().device;
  volatile RelayRequest& out = request_at(kLayout.outgoing());
  out.kind = request.kind;
  out.device = me;
  out.address_low = request.address_low;
  out.address_high = request.address_high;
  out.local = request.local;
  out.value = request.value;
  out.worker_xy = ports[port].xy;
  out.relay_xy = peers[me].relay_xy;
  header->to_noc_fused_unicast_write_atomic_inc(
      NocUnicastAtomicIncFusedCommandHeader{at(peer.relay_xy, kLayout.incoming(me, slot)),
                                            at(peer.relay_xy, kLayout.arrived(me)), 1, true},
      sizeof(RelayRequest));
  send(request.device, kLayout.outgoing(), sizeof(RelayRequest));
}

/// Serves a request of a kernel of this chip. Returns false if the other relay has no place for it.
[[gnu::noinline]] bool serve_port(uint32_t index) {
  volatile RelayRequest& request = request_at(kLayout.request(index));
  Port& port = ports[index];
  const uint32_t kind = request.kind & ~kRelayPosted;
  const bool posted = (request.kind & kRelayPosted) != 0;
  const Peer& peer = peers[request.device];
  if (!posted && peer.sent - peer.completed == kRelayDepth) return false;
  const uint64_t to = address_of(request);
  if (kind == kRelayWrite) copy(at(port.xy, request.local), request.device, to, request.value);
  if (kind == kRelayInlineWrite) {
    header->to_noc_unicast_inline_write(NocUnicastInlineWriteCommandHeader{to, request.value});
    send(request.device, 0, 0);
  }
  if (kind == kRelayIncrement && posted) {
    header->to_noc_unicast_atomic_inc(NocUnicastAtomicIncCommandHeader{to, request.value, true});
    send(request.device, 0, 0);
  }
  if (!posted) pass_on(request, index, answer_of(kind));
  request.kind = kRelayNothing;
  noc_inline_dw_write(at(port.xy, port.address + offsetof(RelayPort, taken)), ++port.taken);
  return true;
}

/// Does what the relay of another chip asks for, and reports it as complete.
[[gnu::noinline]] void serve_peer(uint32_t device) {
  Peer& peer = peers[device];
  const volatile RelayRequest& request =
      request_at(kLayout.incoming(device, peer.handled % kRelayDepth));
  ++peer.handled;
  if (request.kind == kRelayRead)
    copy(address_of(request), device, at(request.worker_xy, request.local), request.value);
  if (request.kind == kRelayIncrement) {
    noc_semaphore_inc(address_of(request), request.value);
    noc_async_atomic_barrier();
  }
  header->to_noc_unicast_atomic_inc(NocUnicastAtomicIncCommandHeader{
      at(request.relay_xy, kLayout.completed(routing_table().device)), 1, true});
  send(device, 0, 0);
}

/// Counts a completed request at its kernel.
[[gnu::noinline]] void answer(uint32_t device) {
  Peer& peer = peers[device];
  const auto done = peer.under_way[peer.completed % kRelayDepth];
  ++peer.completed;
  Port& port = ports[done.port];
  noc_inline_dw_write(
      at(port.xy, port.address + offsetof(RelayPort, answers) + 4 * uint32_t{done.answer}),
      ++port.answers[done.answer]);
}

/// Serves until nothing is left. Returns false if the relay has to end.
[[gnu::noinline]] bool serve() {
  for (bool something = true; something;) {
    something = false;
    for (uint32_t i = 0; i < kLayout.ports; ++i)
      if (request_at(kLayout.request(i)).kind != kRelayNothing) something |= serve_port(i);
    for (uint32_t i = 0; i < kLayout.devices; ++i) {
      if (word(kLayout.arrived(i)) != peers[i].handled) {
        serve_peer(i);
        something = true;
      }
      if (word(kLayout.completed(i)) != peers[i].completed) {
        answer(i);
        something = true;
      }
    }
  }
  return word(kLayout.termination_signal()) == kKeepRunning;
}

void run() {
  for (;;) {
    uint32_t something = word(kLayout.termination_signal());
    each<kLayout.ports>([&]<uint32_t i>() __attribute__((always_inline)) {
      something |= request_at(kLayout.request(i)).kind;
    });
    each<kLayout.devices>([&]<uint32_t i>() __attribute__((always_inline)) {
      something |= word(kLayout.arrived(i)) ^ peers[i].handled;
      something |= word(kLayout.completed(i)) ^ peers[i].completed;
    });
    if (work(something != 0) && !serve()) return;
  }
}

}  // namespace

void kernel_main() {
  size_t next = 0;
  const auto arg = [&next] { return get_arg_val<uint32_t>(static_cast<int>(next++)); };
  const uint32_t count = arg();
  uint32_t directions[kDirections];
  for (uint32_t i = 0; i < count; ++i) {
    directions[i] = arg();
    auto& router = routers[directions[i]];
    router = tt::tt_fabric::WorkerToFabricEdmSender::build_from_args(next);
    router.open();
  }
  for (Peer& peer : peers) {
    peer = {};
    peer.relay_xy = arg();
  }
  for (Port& port : ports) {
    port = {};
    port.xy = arg();
    port.address = arg();
  }
  header = PacketHeaderPool::allocate_header();
  run();
  for (uint32_t i = 0; i < count; ++i) routers[directions[i]].close();
  noc_async_full_barrier();
}
