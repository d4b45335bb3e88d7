#pragma once
// A client of a mux that ends with its clients (tt-metal's Mux V2, as of July 2026). It is the only
// client of its channel, for one connection. Its parameters are run-time arguments. With
// EAGER_STAGING it may fill slots before the mux runs.

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "foundation/contract/fabric/mux.h"

namespace tt::tt_fabric {

enum class FabricMuxV2SenderState : uint8_t {
  Disconnected = 0,
  Staging = 1,  ///< fills slots before the mux is notified of them
  Connected = 2,
};
constexpr uint8_t kInvalidStatusReadTrid = 0xFF;

/// <EAGER_STAGING, NUM_BUFFERS>, or <NUM_BUFFERS> as in kernels of June 2026. NUM_BUFFERS 0: the
/// number of slots is a run-time value.
template <auto first = false, uint8_t second = 0>
class FabricMuxV2Sender {
  static constexpr bool kSlotsFirst = !std::is_same_v<decltype(first), bool>;
  static constexpr bool kEager = kSlotsFirst ? false : first;
  static constexpr uint8_t kSlots = kSlotsFirst ? static_cast<uint8_t>(first) : second;

 public:
  static constexpr bool USER_DEFINED_NUM_BUFFERS = kSlots != 0;

  FabricMuxV2Sender() = default;

  /// Takes kMuxClientRuntimeArgs run-time arguments.
  static FabricMuxV2Sender build_from_args(size_t& arg_idx) {
    using namespace tvp::contract::fabric;
    const size_t begin = arg_idx;
    arg_idx += kMuxClientRuntimeArgs;
    const auto arg = [begin](uint32_t i) {
      return get_arg_val<uint32_t>(static_cast<int>(begin + i));
    };
    const auto word = [&arg](uint32_t i) {
      return reinterpret_cast<volatile uint32_t*>(get_semaphore(arg(i)));
    };
    FabricMuxV2Sender sender;
    sender.x_ = static_cast<uint8_t>(arg(kMuxClientArgX));
    sender.y_ = static_cast<uint8_t>(arg(kMuxClientArgY));
    sender.credits_ =
        tvp::fabric::credit_update_address(stream_mux_free_slots(arg(kMuxClientArgChannel)));
    sender.slots_ =
        USER_DEFINED_NUM_BUFFERS ? kSlots : static_cast<uint8_t>(arg(kMuxClientArgSlots));
    sender.slot_bytes_ = arg(kMuxClientArgSlotBytes);
    sender.channel_base_ = arg(kMuxClientArgChannelBase);
    sender.info_ = arg(kMuxClientArgInfo);
    sender.handshake_ = arg(kMuxClientArgHandshake);
    sender.status_ = arg(kMuxClientArgStatus);
    sender.counter_ = word(kMuxClientArgCounterSemaphore);
    sender.teardown_ = word(kMuxClientArgTeardownSemaphore);
    return sender;
  }

  // --- connecting

  /// Waits for the mux. With EAGER_STAGING it begins to stage immediately, and polls the mux by
  /// reads of `status_trid` if one is given.
  void open(uint8_t status_trid = kInvalidStatusReadTrid) {
    if constexpr (!kEager) read_status_until_ready();
    written_ = 0;
    slot_ = 0;
    staged_ = 0;
    *counter_ = 0;
    *teardown_ = 0;
    tell_where_client_is();
    if constexpr (kEager) {
      state_ = FabricMuxV2SenderState::Staging;
      status_trid_ = status_trid;
      read_status();
    } else {
      request(connection_interface::open_connection_value);
      state_ = FabricMuxV2SenderState::Connected;
    }
  }

  /// Changes from staging to connected when the mux is ready. Either waits for it, or returns if it
  /// was ready.
  template <bool Blocking = true>
  bool flush() {
    if (state_ != FabricMuxV2SenderState::Staging) return true;
    if constexpr (Blocking) {
      end_status_read();
      if (!ready()) read_status_until_ready();
      connect();
      return true;
    } else {
      if (reading_status_) {
        if (!ncrisc_noc_read_with_transaction_id_flushed(noc_index, status_trid_)) return false;
        reading_status_ = false;
        if (ready()) {
          connect();
          return true;
        }
      }
      read_status();
      return false;
    }
  }

  /// The mux responds when all packets of the channel have left it.
  void close() {
    flush();
    noc_async_writes_flushed();
    request(connection_interface::close_connection_request_value);
    WAYPOINT("MV2C");
    while (*teardown_ != 1) {
    }
    WAYPOINT("MV2D");
    noc_async_write_barrier();
    *teardown_ = 0;
  }

  // --- sending

  FORCE_INLINE uint32_t get_num_free_write_slots() const {
    const uint32_t used = written_ - *counter_;
    return used >= slots() ? 0 : slots() - used;
  }
  template <size_t num_slots = 1>
  FORCE_INLINE bool has_space_for_packet() const {
    return get_num_free_write_slots() >= num_slots;
  }
  FORCE_INLINE void wait_for_empty_write_slot() {
    WAYPOINT("MWSW");
    // The mux takes no packet out before it is notified.
    if constexpr (kEager) {
      if (is_staging_ring_full()) flush();
    }
    while (!has_space_for_packet()) {
    }
    WAYPOINT("MWSD");
  }
  FORCE_INLINE bool is_staging_ring_full() const {
    return state_ == FabricMuxV2SenderState::Staging && staged_ == slots();
  }

  /// Writes the payload after the place of the header. The packet is sent with its header.
  FORCE_INLINE void send_payload_without_header_non_blocking_from_address(uint32_t source,
                                                                          size_t bytes) {
    noc_async_write(source, there(slot_address()) + sizeof(PACKET_HEADER_TYPE),
                    static_cast<uint32_t>(bytes));
  }
  /// Writes the header, or header and payload together, and sends the packet.
  FORCE_INLINE void send_payload_flush_non_blocking_from_address(uint32_t source, size_t bytes) {
    ASSERT(bytes <= slot_bytes_);
    noc_async_write(source, there(slot_address()), static_cast<uint32_t>(bytes));
    if (!stage()) {
      give_credits(1);
      next_slot();
    }
  }

  // --- sending by two command buffers that keep what does not change. Inline writes and increments
  // use the second one, too: the kernel sets both up again behind one.

  template <bool posted = false>
  FORCE_INLINE void setup_stateful_send_cmd_bufs(uint8_t noc = noc_index) {
    ncrisc_noc_write_set_state<posted, false>(noc, kDataBuf, get_noc_addr(x_, y_, 0, noc), 0,
                                              NOC_UNICAST_WRITE_VC);
    set_up_credits(noc);
    stateful_ = true;
  }
  /// Header and payload in one.
  template <bool posted = false>
  FORCE_INLINE void send_current_slot_stateful_non_blocking_from_address(uint32_t source,
                                                                         uint32_t bytes,
                                                                         uint8_t noc = noc_index) {
    write_with_state<posted>(noc, source, slot_address(), bytes);
    commit_with_state(noc);
  }
  template <bool posted = false>
  FORCE_INLINE void send_current_slot_stateful_non_blocking(uint32_t payload, uint32_t bytes,
                                                            uint32_t header,
                                                            uint8_t noc = noc_index) {
    write_with_state<posted>(noc, payload, slot_address() + sizeof(PACKET_HEADER_TYPE), bytes);
    write_with_state<posted>(noc, header, slot_address(), sizeof(PACKET_HEADER_TYPE));
    commit_with_state(noc);
  }
  FORCE_INLINE uint8_t get_stateful_send_data_noc_cmd_buf() const { return kDataBuf; }

 private:
  using Info = tvp::contract::fabric::ConnectionInfo;
  static constexpr uint8_t kDataBuf = write_reg_cmd_buf;
  static constexpr uint8_t kCreditBuf = write_at_cmd_buf;

  static FORCE_INLINE uint32_t address_of(const volatile uint32_t* word) {
    return reinterpret_cast<uintptr_t>(word);
  }
  FORCE_INLINE uint32_t slots() const { return USER_DEFINED_NUM_BUFFERS ? kSlots : slots_; }
  /// NoC address in the mux's tile.
  FORCE_INLINE uint64_t there(uint32_t address) const { return get_noc_addr(x_, y_, address); }
  FORCE_INLINE uint32_t slot_address() const { return channel_base_ + slot_ * slot_bytes_; }
  FORCE_INLINE void next_slot() {
    ++written_;
    slot_ = static_cast<uint8_t>(slot_ + 1u == slots() ? 0 : slot_ + 1);
  }
  void request(uint32_t value) const { noc_inline_dw_write(there(handshake_), value); }
  void tell_where_client_is() const {
    noc_inline_dw_write(there(info_ + offsetof(Info, worker_counter_address)),
                        address_of(counter_));
    noc_inline_dw_write(there(info_ + offsetof(Info, worker_teardown_address)),
                        address_of(teardown_));
    noc_inline_dw_write(there(info_ + offsetof(Info, worker_xy)),
                        WorkerXY(my_x[0], my_y[0]).to_uint32());
  }

  // The mux's status goes to the teardown word, which only this client writes before close().
  FORCE_INLINE bool ready() const {
    return *teardown_ == tvp::contract::fabric::kStatusReadyForTraffic;
  }
  void read_status_until_ready() const {
    wait_for_fabric_endpoint_ready(x_, y_, status_, address_of(teardown_));
  }
  void read_status() {
    if (status_trid_ == kInvalidStatusReadTrid) return;
    noc_async_read_set_trid(status_trid_);
    noc_async_read(there(status_), address_of(teardown_), sizeof(uint32_t));
    noc_async_read_set_trid(0);
    reading_status_ = true;
  }
  void end_status_read() {
    if (!reading_status_) return;
    noc_async_read_barrier_with_trid(status_trid_);
    reading_status_ = false;
  }
  /// The mux is ready: sends the staged packets.
  void connect() {
    *teardown_ = 0;
    request(connection_interface::open_connection_value);
    if (staged_ != 0) give_credits(staged_);
    staged_ = 0;
    if (stateful_) set_up_credits(noc_index);
    state_ = FabricMuxV2SenderState::Connected;
  }

  /// Keeps the packet of this slot until the mux is ready.
  FORCE_INLINE bool stage() {
    if constexpr (kEager) {
      if (is_staging_ring_full()) flush();
      if (state_ != FabricMuxV2SenderState::Staging) return false;
      next_slot();
      ++staged_;
      if (status_trid_ != kInvalidStatusReadTrid) flush<false>();
      return true;
    }
    return false;
  }
  /// Uses the virtual channel of the data, so that credits do not overtake it.
  FORCE_INLINE void give_credits(uint32_t packets) const {
    noc_inline_dw_write(there(credits_),
                        tvp::fabric::credit_update(-static_cast<int32_t>(packets)));
  }
  FORCE_INLINE void set_up_credits(uint8_t noc) const {
    noc_inline_dw_write_set_state(get_noc_addr(x_, y_, credits_, noc),
                                  tvp::fabric::credit_update(-1), 0xF, kCreditBuf, noc);
  }
  template <bool posted>
  FORCE_INLINE void write_with_state(uint8_t noc, uint32_t source, uint32_t to,
                                     uint32_t bytes) const {
    ASSERT(stateful_);
    ASSERT(bytes <= slot_bytes_ && bytes <= NOC_MAX_BURST_SIZE);
    ncrisc_noc_write_with_state<posted, true, false>(noc, kDataBuf, source, to, bytes);
  }
  FORCE_INLINE void commit_with_state(uint8_t noc) {
    if (stage()) return;
    noc_inline_dw_write_with_state(0, 0, kCreditBuf, noc);
    next_slot();
  }

  uint8_t x_ = 0;
  uint8_t y_ = 0;
  uint8_t slots_ = 0;
  uint32_t slot_bytes_ = 0;
  uint32_t channel_base_ = 0;
  uint32_t info_ = 0;
  uint32_t handshake_ = 0;
  uint32_t status_ = 0;
  uint32_t credits_ = 0;                   ///< address that adds to the free slots
  volatile uint32_t* counter_ = nullptr;   ///< packets that the mux has taken out
  volatile uint32_t* teardown_ = nullptr;  ///< 1: disconnected
  uint32_t written_ = 0;                   ///< packets sent or staged
  uint8_t slot_ = 0;                       ///< slot of the next packet

  FabricMuxV2SenderState state_ = FabricMuxV2SenderState::Disconnected;
  uint8_t staged_ = 0;
  uint8_t status_trid_ = kInvalidStatusReadTrid;
  bool reading_status_ = false;
  bool stateful_ = false;
};

}  // namespace tt::tt_fabric
