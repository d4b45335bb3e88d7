#pragma once
// The client of a router's channel 0.

#include "fabric/edm_fabric_worker_adapters.hpp"
#include "firmware/fabric/router_places.h"

namespace tvp::fabric::router {
namespace {  // parts of the one program that includes them, and inlined as such

/// Writes to the client go over kCreditNoc. Counts are posted.
struct Client {
  uint32_t connection = kConnectionUnused;  ///< kConnectionOpen while there is a client
  uint64_t counter = 0;
  uint64_t teardown = 0;
  uint32_t done = 0;  ///< packets whose slots are free again, since the start

  void connect();
  void disconnect();
  void report_done();
};

FORCE_INLINE void Client::connect() {
  auto* info = reinterpret_cast<volatile ConnectionInfo*>(kLayout.connection_info(0));
  const auto xy = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
  counter = get_noc_addr(xy.x, xy.y, info->worker_counter_address, kCreditNoc);
  teardown = get_noc_addr(xy.x, xy.y, info->worker_teardown_address, kCreditNoc);
  connection = kConnectionOpen;
  // The client read the counter before packets that completed since.
  report_done();
}

FORCE_INLINE void Client::disconnect() {
  connection = kConnectionUnused;
  word(kLayout.connection_handshake(0)) = kConnectionUnused;
  noc_inline_dw_write(teardown, 1, 0xF, kCreditNoc);
}

FORCE_INLINE void Client::report_done() {
  noc_inline_dw_write<InlineWriteDst::L1, true>(counter, done, 0xF, kCreditNoc);
}

}  // namespace
}  // namespace tvp::fabric::router
