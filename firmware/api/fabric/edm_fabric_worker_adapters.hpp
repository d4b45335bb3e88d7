#pragma once
// A client's connection to a channel of a router or a mux (kernel_api 3.3): the places of its
// slots, the next slot, the number of free slots, connecting and disconnecting.
//
// The loads, computations and stores for a packet have the widths and the order of tt-metal's
// (edm_fabric_worker_adapters.hpp as of February 2026). A kernel with its connections in L1
// therefore takes the same time.

#include <stddef.h>
#include <stdint.h>

#include <array>

#include "dataflow/dataflow_api.h"
#include "debug/assert.h"
#include "debug/waypoint.h"
#include "fabric/edm_fabric_utils.hpp"
#include "fabric/fabric_edm_packet_header.hpp"
#include "fabric/fabric_edm_types.hpp"
#include "fabric/stream_credits.h"
#include "foundation/contract/fabric/endpoint.h"
#include "foundation/contract/fabric/router.h"
#include "foundation/contract/fabric/worker_connection.h"
#include "hostdevcommon/fabric_common.h"

namespace tt::tt_fabric {

namespace connection_interface {
constexpr uint8_t edm_fabric_write_noc_index = 0;
constexpr uint32_t unused_connection_value = tvp::contract::fabric::kConnectionUnused;
constexpr uint32_t open_connection_value = tvp::contract::fabric::kConnectionOpen;
constexpr uint32_t close_connection_request_value = tvp::contract::fabric::kConnectionCloseRequest;
constexpr uint32_t sender_channel_0_free_slots_stream_id =
    tvp::contract::fabric::stream_sender_free_slots(0);
}  // namespace connection_interface

/// Bytes of a slot of the connection that the kernel constructed last.
static uint32_t slot_bytes_of_connections = 0;

/// Largest payload of a packet, which is limited by the slot. Call after constructing a connection.
FORCE_INLINE uint32_t get_fabric_max_packet_size() {
  ASSERT(slot_bytes_of_connections != 0);
  return slot_bytes_of_connections - sizeof(PACKET_HEADER_TYPE);
}
#define FABRIC_MAX_PACKET_SIZE (tt::tt_fabric::get_fabric_max_packet_size())

/// NUM_BUFFERS 0: the number of slots is a run-time value.
template <uint8_t NUM_BUFFERS = 0>
struct WorkerToFabricEdmSenderImpl {
  static constexpr uint32_t unused_connection_value = tvp::contract::fabric::kConnectionUnused;
  static constexpr uint32_t open_connection_value = tvp::contract::fabric::kConnectionOpen;
  static constexpr uint32_t close_connection_request_value =
      tvp::contract::fabric::kConnectionCloseRequest;
  static constexpr uint32_t sender_channel_0_free_slots_stream_id =
      connection_interface::sender_channel_0_free_slots_stream_id;

  /// The initiator of credits.
  static constexpr uint8_t sync_noc_cmd_buf = write_at_cmd_buf;

  /// Initializes with constants only, for global objects of kernels.
  constexpr WorkerToFabricEdmSenderImpl() : direction(0) {}

  /// `channel_base` and the four addresses after it are those of the channel in the endpoint's L1;
  /// `counter` and `teardown` are words of this core.
  WorkerToFabricEdmSenderImpl(uint8_t x, uint8_t y, uint32_t channel_base, uint32_t num_buffers,
                              uint32_t handshake_address, uint32_t info_address,
                              uint32_t buffer_size, uint32_t buffer_index_address,
                              uint32_t free_slots_stream, volatile uint32_t* counter,
                              volatile uint32_t* teardown)
      : slot_address_(channel_base),
        counter_(counter),
        edm_buffer_remote_free_slots_update_addr(
            tvp::fabric::credit_update_address(free_slots_stream)),
        handshake_address_(handshake_address),
        info_address_(info_address),
        buffer_index_address_(buffer_index_address),
        teardown_(teardown),
        channel_base_(channel_base),
        buffer_size_(static_cast<uint16_t>(buffer_size)),
        num_buffers_per_channel(static_cast<uint8_t>(num_buffers)),
        edm_noc_x(x),
        edm_noc_y(y) {
    slot_bytes_of_connections = buffer_size;
    if constexpr (NUM_BUFFERS == 0) direction = COUNT;
    for (uint32_t i = 0; i < NUM_BUFFERS; ++i) slot_addresses_[i] = channel_base + i * buffer_size;
  }

  /// Constructor for kernels that store the parts themselves, without a direction since December
  /// 2025. `persistent` is true if the host has set up the connection with the fabric. All
  /// connections here are, so all parts are addresses. `credits_stream` is for routers that connect
  /// to one another.
  WorkerToFabricEdmSenderImpl(bool persistent, uint8_t direction, uint8_t x, uint8_t y,
                              size_t channel_base, uint8_t num_buffers,
                              size_t write_pointer_address, size_t handshake_address,
                              size_t info_address, uint16_t buffer_size,
                              size_t buffer_index_address, volatile uint32_t* counter,
                              volatile uint32_t* teardown, uint32_t buffer_index,
                              uint32_t free_slots_stream, StreamId credits_stream)
      : WorkerToFabricEdmSenderImpl(x, y, channel_base, num_buffers, handshake_address,
                                    info_address, buffer_size, buffer_index_address,
                                    free_slots_stream, counter, teardown) {
    ASSERT(persistent);
    this->direction = direction;
  }
  WorkerToFabricEdmSenderImpl(bool persistent, uint8_t x, uint8_t y, size_t channel_base,
                              uint8_t num_buffers, size_t handshake_address, size_t info_address,
                              uint16_t buffer_size, size_t buffer_index_address,
                              volatile uint32_t* counter, volatile uint32_t* teardown,
                              uint32_t buffer_index, uint32_t free_slots_stream,
                              StreamId credits_stream)
      : WorkerToFabricEdmSenderImpl(x, y, channel_base, num_buffers, handshake_address,
                                    info_address, buffer_size, buffer_index_address,
                                    free_slots_stream, counter, teardown) {
    ASSERT(persistent);
  }

  /// Takes kConnectionRuntimeArgs run-time arguments.
  template <ProgrammableCoreType my_core_type = ProgrammableCoreType::TENSIX>
  static WorkerToFabricEdmSenderImpl build_from_args(size_t& arg_idx) {
    using namespace tvp::contract::fabric;
    const size_t first = arg_idx;
    arg_idx += kConnectionRuntimeArgs;
    const auto arg = [first](uint32_t i) {
      return get_arg_val<uint32_t>(static_cast<int>(first + i));
    };
    WorkerToFabricEdmSenderImpl sender(
        static_cast<uint8_t>(arg(kConnectionArgX)), static_cast<uint8_t>(arg(kConnectionArgY)),
        arg(kConnectionArgChannelBase), arg(kConnectionArgSlots), arg(kConnectionArgHandshake),
        arg(kConnectionArgInfo), arg(kConnectionArgSlotBytes), arg(kConnectionArgBufferIndex),
        arg(kConnectionArgStream), local_word(get_semaphore(arg(kConnectionArgCounterSemaphore))),
        local_word(get_semaphore(arg(kConnectionArgTeardownSemaphore))));
    sender.direction = connection_direction(arg(kConnectionArgX));
    return sender;
  }

  // --- connecting
  /// The two halves of open(), for clients with other work in between.
  template <bool SEND_CREDIT_ADDR = false>
  void open_start() {
    // The counters of the channel continue from its last client. The teardown word is borrowed for
    // the first counter: the endpoint does not write it before this client asks to disconnect.
    noc_async_read(there(buffer_index_address_), address_of(teardown_), sizeof(uint32_t));
    noc_async_read(there(info_address_ + offsetof(Info, read_counter)), address_of(counter_),
                   sizeof(uint32_t));
    noc_inline_dw_write(there(info_address_ + offsetof(Info, worker_counter_address)),
                        address_of(counter_));
    noc_inline_dw_write(there(info_address_ + offsetof(Info, worker_teardown_address)),
                        address_of(teardown_));
    noc_inline_dw_write(there(info_address_ + offsetof(Info, worker_xy)),
                        WorkerXY(my_x[0], my_y[0]).to_uint32());
  }
  void open_finish() {
    noc_async_read_barrier();
    written_ = *teardown_;
    *teardown_ = 0;
    slot_ = static_cast<uint8_t>(written_ % num_buffers());
    slot_address_ = channel_base_ + slot_ * buffer_size_;
    noc_inline_dw_write(there(handshake_address_), open_connection_value);
  }
  template <bool SEND_CREDIT_ADDR = false>
  void open() {
    open_start();
    open_finish();
  }
  void close_start() {
    noc_inline_dw_write(there(buffer_index_address_), written_);
    noc_inline_dw_write(there(handshake_address_), close_connection_request_value);
  }
  /// The endpoint responds when it has taken every packet out of the channel.
  void close_finish() {
    WAYPOINT("FCFW");
    while (*teardown_ != 1) {
    }
    WAYPOINT("FCFD");
    noc_async_write_barrier();
    *teardown_ = 0;
  }
  void close() {
    close_start();
    close_finish();
  }

  // --- sending
  FORCE_INLINE uint32_t get_num_free_write_slots() const {
    const uint32_t used = written_ - *counter_;
    return used >= num_buffers_per_channel ? 0 : num_buffers_per_channel - used;
  }
  /// True if there are this many free slots. For callers that leave some to others.
  template <size_t num_slots = 1>
  FORCE_INLINE bool edm_has_space_for_packet() const {
    if constexpr (num_slots != 1) return get_num_free_write_slots() >= num_slots;
    return written_ - *counter_ < num_buffers_per_channel;
  }
  FORCE_INLINE void wait_for_empty_write_slot() const {
    WAYPOINT("FWSW");
    while (!edm_has_space_for_packet()) {
    }
    WAYPOINT("FWSD");
  }

  /// Writes the payload after the place of the header. The packet is sent with its header.
  FORCE_INLINE void send_payload_without_header_non_blocking_from_address(uint32_t source,
                                                                          size_t bytes) {
    noc_async_write(source, slot() + sizeof(PACKET_HEADER_TYPE), static_cast<uint32_t>(bytes));
  }
  /// Writes the header, or header and payload together, and sends the packet. The source may be
  /// reused when this returns.
  FORCE_INLINE void send_payload_flush_blocking_from_address(uint32_t source, size_t bytes) {
    send(source, bytes);
    noc_async_writes_flushed();
  }
  FORCE_INLINE void send_payload_flush_non_blocking_from_address(uint32_t source, size_t bytes) {
    send(source, bytes);
  }
  FORCE_INLINE void send_payload_non_blocking_from_address(uint32_t source, size_t bytes) {
    send(source, bytes);
  }
  /// Returns when the packet is in its slot.
  FORCE_INLINE void send_payload_blocking_from_address(uint32_t source, size_t bytes) {
    send(source, bytes);
    noc_async_write_barrier();
  }

  /// Sends payload and header of one packet from separate places to the next slot. The caller has
  /// checked that it is free.
  FORCE_INLINE void send_current_slot_non_blocking(uint32_t payload, size_t bytes,
                                                   uint32_t header) {
    send_parts<false>(payload, static_cast<uint32_t>(bytes), header, noc_index);
  }
  /// The form of summer 2026, in which a loop of packets programs the initiators once. Here each
  /// packet programs them, so that other writes of the kernel may come between. If `posted`, data
  /// and header are not acknowledged.
  template <bool posted = false>
  FORCE_INLINE void setup_stateful_send_cmd_bufs(uint8_t = noc_index) const {}
  template <bool posted = false>
  FORCE_INLINE void send_current_slot_stateful_non_blocking(uint32_t payload, uint32_t bytes,
                                                            uint32_t header,
                                                            uint8_t noc = noc_index) {
    send_parts<posted>(payload, bytes, header, noc);
  }
  template <bool posted = false>
  FORCE_INLINE void send_current_slot_stateful_non_blocking_from_address(uint32_t packet,
                                                                         uint32_t bytes,
                                                                         uint8_t noc = noc_index) {
    ASSERT(bytes <= buffer_size_);
    put_by<posted>(packet, 0, bytes, noc);
    end_packet_by(noc);
  }

  /// Sends the slot's last packet again, without a payload.
  FORCE_INLINE void send_slot_again() {
    next_slot();
    take_credit();
  }

 protected:
  using Info = tvp::contract::fabric::ConnectionInfo;

  static FORCE_INLINE uint32_t address_of(const volatile uint32_t* word) {
    return reinterpret_cast<uintptr_t>(word);
  }
  static FORCE_INLINE volatile uint32_t* local_word(uint32_t address) {
    return reinterpret_cast<volatile uint32_t*>(address);
  }
  FORCE_INLINE uint32_t num_buffers() const {
    return NUM_BUFFERS != 0 ? NUM_BUFFERS : num_buffers_per_channel;
  }
  /// NoC address in the endpoint's tile.
  FORCE_INLINE uint64_t there(uint32_t address) const {
    return get_noc_addr(edm_noc_x, edm_noc_y, address);
  }
  /// The next slot.
  FORCE_INLINE uint64_t slot() const {
    return there(NUM_BUFFERS != 0 ? slot_addresses_[slot_] : slot_address_);
  }

  /// Writes to a part of the next slot, over either NoC.
  template <bool posted>
  FORCE_INLINE void put_by(uint32_t source, uint32_t offset, uint32_t bytes, uint8_t noc) {
    const uint32_t slot = NUM_BUFFERS != 0 ? slot_addresses_[slot_] : slot_address_;
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, posted>(
        source, get_noc_addr(edm_noc_x, edm_noc_y, slot + offset, noc), bytes, noc);
  }
  FORCE_INLINE void end_packet_by(uint8_t noc) {
    next_slot();
    noc_inline_dw_write(
        get_noc_addr(edm_noc_x, edm_noc_y, edm_buffer_remote_free_slots_update_addr, noc),
        tvp::fabric::credit_update(-1), 0xF, noc);
  }
  template <bool posted>
  FORCE_INLINE void send_parts(uint32_t payload, uint32_t bytes, uint32_t header, uint8_t noc) {
    put_by<posted>(payload, sizeof(PACKET_HEADER_TYPE), bytes, noc);
    put_by<posted>(header, 0, sizeof(PACKET_HEADER_TYPE), noc);
    end_packet_by(noc);
  }

  FORCE_INLINE void next_slot() {
    ++written_;
    slot_ = static_cast<uint8_t>(slot_ == num_buffers() - 1 ? 0 : slot_ + 1);
    if constexpr (NUM_BUFFERS == 0) slot_address_ = channel_base_ + slot_ * buffer_size_;
  }
  /// Uses the virtual channel of the data, so that the credit does not overtake it.
  FORCE_INLINE void take_credit() const {
    noc_inline_dw_write(there(edm_buffer_remote_free_slots_update_addr),
                        tvp::fabric::credit_update(-1));
  }

  FORCE_INLINE void send(uint32_t source, size_t bytes) {
    noc_async_write(source, slot(), static_cast<uint32_t>(bytes));
    next_slot();
    take_credit();
  }

  // Members have tt-metal's order and widths. A store to a byte member may alias any other member,
  // so members that are used afterwards are loaded again.
  uint32_t slot_address_ =
      0;  ///< slot of the next packet; not used when the number of slots is known
  std::array<uint32_t, NUM_BUFFERS> slot_addresses_{};
  volatile uint32_t* counter_ = nullptr;  ///< packets that the endpoint has taken out

 public:  // tt-metal's benchmarks access them
  /// Address of the credits' register in the endpoint.
  uint32_t edm_buffer_remote_free_slots_update_addr = 0;

 protected:
  uint32_t handshake_address_ = 0;
  uint32_t info_address_ = 0;
  uint32_t buffer_index_address_ = 0;
  volatile uint32_t* teardown_ = nullptr;
  uint32_t channel_base_ = 0;
  uint8_t slot_ = 0;
  uint32_t written_ = 0;  ///< packets sent
  uint16_t buffer_size_ = 0;

 public:
  uint8_t num_buffers_per_channel = 1;
  uint8_t edm_noc_x = 0;
  uint8_t edm_noc_y = 0;
  /// Direction of the router's link, or COUNT if the host did not set it. Clients of muxes do not
  /// set it, because tt-metal's have no such store, which would take time.
  uint8_t direction;
};

using WorkerToFabricEdmSender = WorkerToFabricEdmSenderImpl<0>;
static_assert(sizeof(WorkerToFabricEdmSender) <= FABRIC_CONNECTION_OBJECT_SIZE);

namespace fabric_detail {
/// Sends the slot's contents from the previous round again, as benchmarks do.
template <bool STATEFUL_NOC>
FORCE_INLINE void update_credits_and_slots(WorkerToFabricEdmSender* connection) {
  connection->send_slot_again();
}
}  // namespace fabric_detail

/// A client of virtual channel 2, for which routers here have no channels. Kernels that support
/// both name it.
struct WorkerToFabricEdmSenderVC2 : WorkerToFabricEdmSender {
  template <ProgrammableCoreType core = ProgrammableCoreType::TENSIX>
  static WorkerToFabricEdmSenderVC2 build_from_args(size_t&) {
    static_assert(core != core, "routers here have no channels of virtual channel 2");
    return {};
  }
};

template <uint8_t NUM_BUFFERS = 0>
using WorkerToFabricMuxSender = WorkerToFabricEdmSenderImpl<NUM_BUFFERS>;

}  // namespace tt::tt_fabric
