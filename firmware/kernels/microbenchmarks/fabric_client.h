#pragma once

// Connection of a Tensix core to a router, shared by the fabric's benchmark kernels.

#include "api/dataflow/dataflow_api.h"
#include "fabric/packet_header_pool.h"
#include "fabric/tt_fabric_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "risc_common.h"

namespace tvp::kernels::microbenchmarks {

using Connection = tt::tt_fabric::WorkerToFabricEdmSender;
using Header = volatile PACKET_HEADER_TYPE;

FORCE_INLINE uint32_t arg(uint32_t index) { return get_arg_val<uint32_t>(static_cast<int>(index)); }

/// Waits for the router and connects.
inline Connection connect() {
  const auto x = static_cast<uint8_t>(arg(contract::fabric::kConnectionArgX));
  const auto y = static_cast<uint8_t>(arg(contract::fabric::kConnectionArgY));
  size_t first = 0;
  Connection connection = Connection::build_from_args<ProgrammableCoreType::TENSIX>(first);
  tt::tt_fabric::wait_for_fabric_endpoint_ready(x, y, arg(kFabricRouterStatus),
                                                get_semaphore(kFabricStatus));
  connection.open();
  return connection;
}

/// Writes `bytes` from `source` to the destination in the header.
FORCE_INLINE void send(Connection& connection, Header* header, uint32_t source, uint32_t bytes) {
  connection.wait_for_empty_write_slot();
  connection.send_payload_without_header_non_blocking_from_address(source, bytes);
  connection.send_payload_flush_non_blocking_from_address(reinterpret_cast<uintptr_t>(header),
                                                          sizeof(Header));
}

}  // namespace tvp::kernels::microbenchmarks
