#pragma once
// The ends of global circular buffers of a core in a launch.

#include "firmware/boot/firmware_common.h"
#include "internal/remote_cb_pages.h"

namespace tvp::boot {

/// Sets the ends from the configurations in L1, index 31 first. With `kNotifiesOtherEnd`, which is
/// set for one core of the tile, it notifies the other ends of bytes that the launch's page sizes
/// skip.
template <bool kNotifiesOtherEnd>
inline void setup_remote_cb_interfaces(const volatile contract::LaunchMessage& launch,
                                       uint32_t base, uint8_t noc) {
  const uint32_t lowest = launch.min_remote_cb_start_index;
  const volatile contract::RemoteCbConfig* entry =
      reinterpret_cast<const volatile contract::RemoteCbConfig*>(base + launch.remote_cb_offset);
  for (uint32_t i = NUM_CIRCULAR_BUFFERS; i > lowest; ++entry) {
    CBInterface& cb = cb_interface[--i];
    const uint32_t address = entry->config_address;
    if (address == 0) continue;
    const volatile uint32_t* config = reinterpret_cast<const volatile uint32_t*>(address);
    RemoteSenderCBInterface& sender = cb.remote_sender_cb_interface;
    sender.config_ptr = address;
    sender.fifo_start_addr = config[contract::kRemoteCbFifoStart];
    sender.fifo_wr_ptr = config[contract::kRemoteCbFifoPointer];
    const uint32_t coordinates = config[contract::kRemoteCbCoordinates];
    const uint32_t counters = config[contract::kRemoteCbPagesSent];
    if (config[contract::kRemoteCbIsSender] != 0) {
      sender.receiver_noc_xy_ptr = coordinates;
      sender.aligned_pages_sent_ptr = counters;
      sender.num_receivers = config[contract::kRemoteCbReceivers];
      remote_cb::resize<kNotifiesOtherEnd>(sender, sender.fifo_wr_ptr, entry->page_size, noc, true,
                                           remote_cb::kCommandBuffer);
    } else {
      RemoteReceiverCBInterface& receiver = cb.remote_receiver_cb_interface;
      const volatile uint32_t* xy = reinterpret_cast<const volatile uint32_t*>(coordinates);
      receiver.sender_noc_x = xy[0];
      receiver.sender_noc_y = xy[1];
      receiver.aligned_pages_acked_ptr = counters + contract::kRemoteCbCounterStride;
      remote_cb::resize<kNotifiesOtherEnd>(receiver, receiver.fifo_rd_ptr, entry->page_size, noc,
                                           true, remote_cb::kCommandBuffer);
    }
  }
}

}  // namespace tvp::boot
