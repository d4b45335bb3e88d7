#pragma once

// Two places for the credits of a global circular buffer: the counters in L1 of the API, and stream
// registers, to which an inline write adds. Units of 16 bytes.

#include "api/dataflow/dataflow_api.h"
#include "api/remote_circular_buffer.h"
#include "firmware/kernels/prefetcher/arguments.h"
#include "internal/stream_registers.h"

namespace tvp::kernels::prefetcher {

/// In L1.
struct CountedCredits {
  static void init(const RemoteSenderCBInterface&) {}
  static bool has_room(const RemoteSenderCBInterface& cb, uint32_t receiver, uint32_t units) {
    const auto counters = remote_cb::counters_of(cb, receiver);
    return *counters.sent - *counters.acked <=
           remote_cb::fifo_size(cb.config_ptr) / contract::kRemoteCbUnit - units;
  }
  static void sent(const RemoteSenderCBInterface& cb, uint32_t receiver, uint32_t xy,
                   uint32_t bytes) {
    remote_cb::add_credits(remote_cb::counters_of(cb, receiver).sent, bytes, xy, noc_index, true,
                           write_at_cmd_buf);
  }
  static bool has_come(const RemoteReceiverCBInterface& cb, uint32_t units) {
    const auto counters = remote_cb::counters_of(cb);
    return *counters.sent - *counters.acked >= units;
  }
  static void taken(const RemoteReceiverCBInterface& cb, uint32_t, uint32_t bytes) {
    remote_cb::add_credits(remote_cb::counters_of(cb).acked, bytes,
                           get_noc_xy(cb.sender_noc_x, cb.sender_noc_y), noc_index, true,
                           write_at_cmd_buf);
  }
};

/// In space counters of streams (ISA NoC/Overlay/AsGeneralUse.md): a receiver's counts arrived
/// pages, a sender's the room of each receiver.
struct StreamedCredits {
  static void init(const RemoteSenderCBInterface& cb) {
    for (uint32_t i = 0; i < cb.num_receivers; ++i)
      NOC_STREAM_WRITE_REG(kRoomStream + i, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX,
                           remote_cb::fifo_size(cb.config_ptr) / contract::kRemoteCbUnit);
  }
  static bool has_room(const RemoteSenderCBInterface&, uint32_t receiver, uint32_t units) {
    return read(kRoomStream + receiver) >= units;
  }
  static void sent(const RemoteSenderCBInterface&, uint32_t receiver, uint32_t xy, uint32_t bytes) {
    const uint32_t units = bytes / contract::kRemoteCbUnit;
    add(kRoomStream + receiver, 0 - units);
    add_remotely(xy, kSentStream, units);
  }
  static bool has_come(const RemoteReceiverCBInterface&, uint32_t units) {
    return read(kSentStream) >= units;
  }
  static void taken(const RemoteReceiverCBInterface& cb, uint32_t receiver, uint32_t bytes) {
    const uint32_t units = bytes / contract::kRemoteCbUnit;
    add(kSentStream, 0 - units);
    add_remotely(get_noc_xy(cb.sender_noc_x, cb.sender_noc_y), kRoomStream + receiver, units);
  }

 private:
  static uint32_t read(uint32_t stream) {
    return NOC_STREAM_READ_REG(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX);
  }
  static void add(uint32_t stream, uint32_t units) {
    NOC_STREAM_WRITE_REG(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX,
                         units << REMOTE_DEST_BUF_WORDS_FREE_INC);
  }
  static void add_remotely(uint32_t xy, uint32_t stream, uint32_t units) {
    const uint32_t to =
        STREAM_REG_ADDR(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX);
    noc_inline_dw_write<InlineWriteDst::REG, true>(get_noc_addr_helper(xy, to),
                                                   units << REMOTE_DEST_BUF_WORDS_FREE_INC);
  }
};

}  // namespace tvp::kernels::prefetcher
