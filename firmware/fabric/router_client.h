#pragma once
// The client of a router's channel 0.

#include "fabric/edm_fabric_worker_adapters.hpp"
#include "firmware/fabric/router_places.h"

namespace tvp::fabric::router {
namespace {  // parts of the one program that includes them, and inlined as such

/// What is written to the client goes over `kNoc`; counts are posted, or acknowledged.
template <uint8_t kNoc, bool kPosted = false>
struct Client {
  uint32_t connection = kConnectionUnused;  ///< kConnectionOpen while there is a client
  uint64_t counter = 0;
  uint64_t teardown = 0;
  uint32_t done = 0;  ///< packets whose slots are free again, since the start

  void connect();
  void disconnect();
  void tell_done();
};

template <uint8_t kNoc, bool kPosted>
FORCE_INLINE void Client<kNoc, kPosted>::connect() {
  auto* info = reinterpret_cast<volatile ConnectionInfo*>(kLayout.connection_info(0));
  const auto xy = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
  counter = get_noc_addr(xy.x, xy.y, info->worker_counter_address, kNoc);
  teardown = get_noc_addr(xy.x, xy.y, info->worker_teardown_address, kNoc);
  connection = kConnectionOpen;
  // What was done with since the client read the counter.
  tell_done();
}

template <uint8_t kNoc, bool kPosted>
FORCE_INLINE void Client<kNoc, kPosted>::disconnect() {
  connection = kConnectionUnused;
  word(kLayout.connection_handshake(0)) = kConnectionUnused;
  noc_inline_dw_write(teardown, 1, 0xF, kNoc);
}

template <uint8_t kNoc, bool kPosted>
FORCE_INLINE void Client<kNoc, kPosted>::tell_done() {
  noc_inline_dw_write<InlineWriteDst::L1, kPosted>(counter, done, 0xF, kNoc);
}

}  // namespace
}  // namespace tvp::fabric::router
