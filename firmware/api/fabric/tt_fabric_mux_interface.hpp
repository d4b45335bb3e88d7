#pragma once
// Clients of a mux.

#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/tt_fabric_api.h"
#include "foundation/contract/fabric/mux.h"

namespace tt::tt_fabric {

/// Addresses named fabric_mux_* are in the mux's tile, from tvp::contract::fabric::MuxLayout of the
/// host. Addresses named local_* are words of this core.
template <uint8_t FABRIC_MUX_CHANNEL_NUM_BUFFERS = 0>
FORCE_INLINE WorkerToFabricMuxSender<FABRIC_MUX_CHANNEL_NUM_BUFFERS>
build_connection_to_fabric_endpoint(
    uint8_t fabric_mux_x, uint8_t fabric_mux_y, uint8_t fabric_mux_channel_id,
    uint8_t fabric_mux_num_buffers_per_channel, size_t fabric_mux_channel_buffer_size_bytes,
    size_t fabric_mux_channel_base_address, size_t fabric_mux_connection_info_address,
    size_t fabric_mux_connection_handshake_address, size_t fabric_mux_flow_control_address,
    size_t fabric_mux_buffer_index_address, uint32_t local_flow_control_address,
    uint32_t local_teardown_address, uint32_t local_buffer_index_address) {
  return WorkerToFabricMuxSender<FABRIC_MUX_CHANNEL_NUM_BUFFERS>(
      fabric_mux_x, fabric_mux_y, fabric_mux_channel_base_address,
      fabric_mux_num_buffers_per_channel, fabric_mux_connection_handshake_address,
      fabric_mux_connection_info_address, fabric_mux_channel_buffer_size_bytes,
      fabric_mux_buffer_index_address,
      tvp::contract::fabric::stream_mux_free_slots(fabric_mux_channel_id),
      reinterpret_cast<volatile uint32_t*>(local_flow_control_address),
      reinterpret_cast<volatile uint32_t*>(local_teardown_address));
}

/// Reads the endpoint's status into a word of this core until it is ready.
FORCE_INLINE void wait_for_fabric_endpoint_ready(uint8_t fabric_mux_x, uint8_t fabric_mux_y,
                                                 size_t fabric_mux_status_address,
                                                 uint32_t local_fabric_mux_status_address) {
  const uint64_t status = get_noc_addr(fabric_mux_x, fabric_mux_y, fabric_mux_status_address);
  auto* local = reinterpret_cast<volatile uint32_t*>(local_fabric_mux_status_address);
  *local = 0;
  do {
    noc_async_read(status, local_fabric_mux_status_address, sizeof(uint32_t));
    noc_async_read_barrier();
  } while (*local != EDMStatus::READY_FOR_TRAFFIC);
}

template <uint8_t N = 0>
FORCE_INLINE void fabric_client_connect(WorkerToFabricMuxSender<N>& connection) {
  connection.open();
}
template <uint8_t N = 0>
FORCE_INLINE void fabric_client_connect_start(WorkerToFabricMuxSender<N>& connection) {
  connection.open_start();
}
template <uint8_t N = 0>
FORCE_INLINE void fabric_client_connect_finish(WorkerToFabricMuxSender<N>& connection) {
  connection.open_finish();
}
template <uint8_t N = 0>
FORCE_INLINE void fabric_client_disconnect(WorkerToFabricMuxSender<N>& connection) {
  connection.close();
}

/// The mux has forwarded a client's packets before it answers its disconnection, so an immediate
/// end loses no packet.
FORCE_INLINE void fabric_endpoint_terminate(
    uint8_t x, uint8_t y, size_t termination_signal_address,
    TerminationSignal signal = TerminationSignal::IMMEDIATELY_TERMINATE) {
  noc_inline_dw_write(get_noc_addr(x, y, termination_signal_address), signal);
  noc_async_write_barrier();
}

/// `header` must be complete. Header and payload may be overwritten when this returns.
template <uint8_t N = 0>
FORCE_INLINE void fabric_async_write(WorkerToFabricMuxSender<N>& connection,
                                     volatile PACKET_HEADER_TYPE* header, uint32_t payload,
                                     uint32_t payload_bytes) {
  connection.wait_for_empty_write_slot();
  connection.send_payload_without_header_non_blocking_from_address(payload, payload_bytes);
  connection.send_payload_flush_blocking_from_address(reinterpret_cast<uintptr_t>(header),
                                                      sizeof(PACKET_HEADER_TYPE));
}
template <uint8_t N = 0>
FORCE_INLINE void fabric_atomic_inc(WorkerToFabricMuxSender<N>& connection,
                                    volatile PACKET_HEADER_TYPE* header) {
  connection.wait_for_empty_write_slot();
  connection.send_payload_flush_non_blocking_from_address(reinterpret_cast<uintptr_t>(header),
                                                          sizeof(PACKET_HEADER_TYPE));
}

}  // namespace tt::tt_fabric
