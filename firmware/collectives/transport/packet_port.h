#pragma once
// A connection to a router for many packets of the same kind. Fields that do not change stay in the
// command buffers of the NIU. Payload, header and credit have a command buffer each, so that none
// waits until the one before has been read from L1. All three use one virtual channel, on which the
// credit does not overtake the others.

#include "api/dataflow/dataflow_api.h"
#include "fabric/edm_fabric_worker_adapters.hpp"

namespace tvp::firmware::collectives {

class PacketPort : public tt::tt_fabric::WorkerToFabricEdmSender {
 public:
  using Base = tt::tt_fabric::WorkerToFabricEdmSender;
  PacketPort() = default;
  explicit PacketPort(const Base& base)
      : Base(base), end_(channel_base_ + num_buffers_per_channel * buffer_size_) {}

  /// The command buffers are this port's until another one takes them.
  void take() {
    noc_async_write_one_packet_with_trid_set_state(there(0), kPayloadBuf);
    ncrisc_noc_write_set_state<false, true>(noc_index, kHeaderBuf, there(0), kHeader,
                                            NOC_UNICAST_WRITE_VC);
    noc_inline_dw_write_set_state(there(edm_buffer_remote_free_slots_update_addr),
                                  tvp::fabric::credit_update(-1), 0xF, kCreditBuf);
  }

  /// The port has a free slot, and the command buffers.
  FORCE_INLINE void send_packet(uint32_t header, uint32_t payload, uint32_t bytes) {
    // Mostly all are ready, and loads in a row overlap.
    const bool ready = noc_cmd_buf_ready(noc_index, kPayloadBuf) &
                       noc_cmd_buf_ready(noc_index, kHeaderBuf) &
                       noc_cmd_buf_ready(noc_index, kCreditBuf);
    if (!ready) noc_wait_cmd_buf(noc_index, kPayloadBuf);
    NOC_CMD_BUF_WRITE_REG(noc_index, kPayloadBuf, NOC_TARG_ADDR_LO, payload);
    NOC_CMD_BUF_WRITE_REG(noc_index, kPayloadBuf, NOC_RET_ADDR_LO, slot_address_ + kHeader);
    NOC_CMD_BUF_WRITE_REG(noc_index, kPayloadBuf, NOC_AT_LEN_BE, bytes);
    noc_send(noc_index, kPayloadBuf);
    send_header(header, 3, ready);
  }
  /// A packet without payload.
  FORCE_INLINE void send_packet(uint32_t header) { send_header(header, 2, false); }

 private:
  static constexpr uint32_t kHeader = sizeof(PACKET_HEADER_TYPE);
  static constexpr uint8_t kPayloadBuf = write_cmd_buf;
  static constexpr uint8_t kHeaderBuf = write_reg_cmd_buf;
  static constexpr uint8_t kCreditBuf = write_at_cmd_buf;

  FORCE_INLINE void send_header(uint32_t header, uint32_t writes, bool ready) {
    if (!ready) noc_wait_cmd_buf(noc_index, kHeaderBuf);
    NOC_CMD_BUF_WRITE_REG(noc_index, kHeaderBuf, NOC_TARG_ADDR_LO, header);
    NOC_CMD_BUF_WRITE_REG(noc_index, kHeaderBuf, NOC_RET_ADDR_LO, slot_address_);
    noc_send(noc_index, kHeaderBuf);
    if (!ready) noc_wait_cmd_buf(noc_index, kCreditBuf);
    noc_send(noc_index, kCreditBuf);
    noc_count_writes(noc_index, writes, 1, false);
    ++written_;
    slot_address_ += buffer_size_;
    if (slot_address_ == end_) slot_address_ = channel_base_;
  }

  uint32_t end_ = 0;  ///< end of the channel; only the slot's address is kept, not its index
};

}  // namespace tvp::firmware::collectives
