#pragma once
// Requests to other chips that are answered: tt-metal's tt_fabric_udm.hpp. The relay of the chip
// carries them out (firmware/fabric/relay.cpp), so kernels have no connection of their own.

#include <stdint.h>

#include "dataflow/dataflow_api.h"
#include "debug/assert.h"
#include "debug/waypoint.h"
#include "fabric/noc_addr.h"
#include "fabric/packet_header_pool.h"
#include "fabric/tt_fabric_api.h"
#include "foundation/contract/fabric/relay.h"

namespace tvp::udm {

using namespace tvp::contract::fabric;

#if defined(COMPILE_FOR_NCRISC)
constexpr uint32_t kProcessor = 1;
#else
constexpr uint32_t kProcessor = 0;
#endif

FORCE_INLINE volatile RelayPort& port() {
  return *reinterpret_cast<volatile RelayPort*>(relay_port(kProcessor));
}

/// Answers that this kernel waits for, in the port's counts.
struct Expected {
  bool known;
  uint32_t answers[kRelayAnswers];
};
inline Expected expected_answers;

/// The break is a fault that names the core and the line: the host has started no relay for it.
[[noreturn, gnu::always_inline]] inline void no_relay() {
  for (;;) asm volatile("ebreak");
}

/// Nothing is under way when a kernel begins, so the counts then are the first to expect.
FORCE_INLINE Expected& expected() {
  Expected& all = expected_answers;
  if (!all.known) {
    if (port().relay_xy == 0) no_relay();
    for (uint32_t i = 0; i < kRelayAnswers; ++i) all.answers[i] = port().answers[i];
    all.known = true;
  }
  return all;
}

/// Returns when the relay has taken the request. The source of a write may then be reused.
inline void request(RelayKind kind, RelayAnswer answer, bool posted, uint32_t device,
                    uint64_t address, uint32_t local, uint32_t value) {
  ASSERT(device < tt::tt_fabric::routing_table().devices);
  Expected& all = expected();
  if (!posted) ++all.answers[answer];
  volatile RelayPort& own = port();
  const uint32_t taken = own.taken;
  volatile RelayRequest& next = own.next;
  next.device = device;
  next.address_low = static_cast<uint32_t>(address);
  next.address_high = static_cast<uint32_t>(address >> 32);
  next.local = local;
  next.value = value;
  const uint64_t there = get_noc_addr(own.relay_xy & 0xFFFF, own.relay_xy >> 16, own.request);
  constexpr uint32_t kRest = offsetof(RelayRequest, device);
  noc_async_write(reinterpret_cast<uint32_t>(&next) + kRest, there + kRest,
                  sizeof(RelayRequest) - kRest);
  noc_async_write_barrier();
  noc_inline_dw_write(there, posted ? kind | kRelayPosted : kind);
  WAYPOINT("FRTW");
  while (own.taken == taken) {
  }
  WAYPOINT("FRTD");
}

FORCE_INLINE bool is_answered(RelayAnswer answer) {
  return port().answers[answer] == expected().answers[answer];
}
FORCE_INLINE void wait_for(RelayAnswer answer) {
  if (!expected_answers.known) return;
  WAYPOINT("FRAW");
  const uint32_t wanted = expected_answers.answers[answer];
  while (port().answers[answer] != wanted) {
  }
  WAYPOINT("FRAD");
}

}  // namespace tvp::udm

namespace tt::tt_fabric::udm {

/// Relays divide larger transfers, so kernels need not.
constexpr uint32_t max_fabric_payload_size = 4352;

/// Requests of a kernel are counted from its first one on.
FORCE_INLINE void fabric_local_state_init() { tvp::udm::expected(); }

/// Returns when the source may be reused. If not `posted`, fabric_write_barrier() waits until the
/// data have landed. Transactions here have no numbers.
FORCE_INLINE void fabric_fast_write_any_len(uint16_t dst_dev_id, uint16_t /*dst_mesh_id*/,
                                            uint32_t src_addr, uint64_t dest_addr,
                                            uint32_t len_bytes, bool multicast = false,
                                            uint32_t /*num_dests*/ = 1, uint8_t /*trid*/ = 0,
                                            uint8_t posted = 0) {
  ASSERT(!multicast);  // as in tt-metal
  tvp::udm::request(tvp::udm::kRelayWrite, tvp::udm::kRelayWrites, posted != 0, dst_dev_id,
                    dest_addr, src_addr, len_bytes);
}
FORCE_INLINE void fabric_fast_write_dw_inline(uint16_t dst_dev_id, uint16_t /*dst_mesh_id*/,
                                              uint32_t val, uint64_t dest_addr,
                                              bool multicast = false, uint32_t /*num_dests*/ = 1,
                                              uint8_t /*trid*/ = 0, uint8_t posted = 0) {
  ASSERT(!multicast);
  tvp::udm::request(tvp::udm::kRelayInlineWrite, tvp::udm::kRelayWrites, posted != 0, dst_dev_id,
                    dest_addr, 0, val);
}
/// The relay always waits for earlier writes of its route, so `flush` has no effect.
FORCE_INLINE void fabric_fast_atomic_inc(uint16_t dst_dev_id, uint16_t /*dst_mesh_id*/,
                                         uint32_t incr_val, uint64_t dest_addr,
                                         uint8_t /*trid*/ = 0, uint8_t posted = 0,
                                         bool /*flush*/ = true) {
  tvp::udm::request(tvp::udm::kRelayIncrement, tvp::udm::kRelayIncrements, posted != 0, dst_dev_id,
                    dest_addr, 0, incr_val);
}
FORCE_INLINE void fabric_fast_read_any_len(uint16_t dst_dev_id, uint16_t /*dst_mesh_id*/,
                                           uint64_t dest_addr, uint32_t src_l1_addr,
                                           uint32_t size_bytes, uint8_t /*trid*/ = 0) {
  tvp::udm::request(tvp::udm::kRelayRead, tvp::udm::kRelayReads, false, dst_dev_id, dest_addr,
                    src_l1_addr, size_bytes);
}

FORCE_INLINE bool fabric_reads_flushed() { return tvp::udm::is_answered(tvp::udm::kRelayReads); }
FORCE_INLINE bool fabric_nonposted_writes_flushed() {
  return tvp::udm::is_answered(tvp::udm::kRelayWrites);
}
FORCE_INLINE bool fabric_nonposted_atomics_flushed() {
  return tvp::udm::is_answered(tvp::udm::kRelayIncrements);
}
FORCE_INLINE void fabric_read_barrier() { tvp::udm::wait_for(tvp::udm::kRelayReads); }
FORCE_INLINE void fabric_write_barrier() { tvp::udm::wait_for(tvp::udm::kRelayWrites); }
FORCE_INLINE void fabric_atomic_barrier() { tvp::udm::wait_for(tvp::udm::kRelayIncrements); }
FORCE_INLINE void fabric_full_sync() {
  fabric_read_barrier();
  fabric_write_barrier();
  fabric_atomic_barrier();
}

/// One header for all packets that a kernel sends itself.
FORCE_INLINE volatile PACKET_HEADER_TYPE* get_or_allocate_header() {
  static volatile PACKET_HEADER_TYPE* header = nullptr;
  if (header == nullptr) header = PacketHeaderPool::allocate_header();
  return header;
}

}  // namespace tt::tt_fabric::udm
