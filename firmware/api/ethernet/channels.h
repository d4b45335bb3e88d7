#pragma once
// Channels over a link. A sender writes the number of sent bytes to a word behind its data. The
// receiver acknowledges and sets the word to 0 when it has consumed the data. The words of a
// channel have the same address on both sides. Each side overwrites the other's words with its own.

#include <stdint.h>

#include "debug/assert.h"
#include "ethernet/sending.h"
#include "foundation/contract/memory_map.h"

/// One packet carries the struct, so the order of the fields is part of the protocol.
struct eth_channel_sync_t {
  volatile uint32_t bytes_sent;
  volatile uint32_t receiver_ack;
  volatile uint32_t src_id;
  uint32_t reserved;
};
static_assert(sizeof(eth_channel_sync_t) == tvp::contract::kEthChannelBytes);

struct erisc_info_t {
  volatile uint32_t launch_user_kernel;
  uint32_t unused[3];
  volatile eth_channel_sync_t channels[tvp::contract::kEthChannels];
};
static_assert(sizeof(erisc_info_t) == tvp::contract::kEthChannelSyncBytes);

inline erisc_info_t* const erisc_info =
    reinterpret_cast<erisc_info_t*>(tvp::contract::kEthChannelSyncBase);

namespace tvp::eth {
/// Sends this side's words of a channel to the other side's.
FORCE_INLINE void send_sync(const volatile void* words) {
  const auto word = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(words)) >> 4;
  internal_::eth_send_packet(0, word, word, 1);
}
FORCE_INLINE volatile eth_channel_sync_t& channel(uint32_t number) {
  return erisc_info->channels[number];
}
FORCE_INLINE void wait_bytes(const volatile uint32_t& bytes_sent, uint32_t bytes) {
  while (bytes_sent != bytes) {
  }
}
}  // namespace tvp::eth

inline void reset_erisc_info() {
  for (uint32_t i = 0; i < tvp::contract::kEthChannels; ++i) {
    tvp::eth::channel(i).bytes_sent = 0;
    tvp::eth::channel(i).receiver_ack = 0;
  }
}

// --- sender

/// Sends data of channel 0. eth_wait_for_receiver_done notifies the receiver.
FORCE_INLINE void eth_send_bytes(uint32_t source, uint32_t destination, uint32_t bytes,
                                 uint32_t bytes_per_send = 16, uint32_t words_per_send = 1) {
  eth_send_bytes_over_channel_payload_only(source, destination, bytes, bytes_per_send,
                                           words_per_send);
  tvp::eth::channel(0).bytes_sent = tvp::eth::channel(0).bytes_sent + bytes;
}
FORCE_INLINE void eth_send_payload_complete_signal_over_channel(uint32_t channel, uint32_t bytes) {
  volatile eth_channel_sync_t& sync = tvp::eth::channel(channel);
  sync.bytes_sent = bytes;
  sync.receiver_ack = 0;
  tvp::eth::send_sync(&sync);
}
FORCE_INLINE void eth_send_bytes_over_channel(uint32_t source, uint32_t destination, uint32_t bytes,
                                              uint32_t channel, uint32_t bytes_per_send = 16,
                                              uint32_t words_per_send = 1) {
  eth_send_bytes_over_channel_payload_only(source, destination, bytes, bytes_per_send,
                                           words_per_send);
  eth_send_payload_complete_signal_over_channel(channel, bytes);
}
FORCE_INLINE bool eth_is_receiver_channel_send_acked(uint32_t channel) {
  return tvp::eth::channel(channel).receiver_ack != 0;
}
FORCE_INLINE bool eth_is_receiver_channel_send_done(uint32_t channel) {
  return tvp::eth::channel(channel).bytes_sent == 0;
}
FORCE_INLINE void eth_wait_for_receiver_channel_done(uint32_t channel) {
  tvp::eth::wait_bytes(tvp::eth::channel(channel).bytes_sent, 0);
}
FORCE_INLINE void eth_wait_receiver_done(uint32_t = 0) { eth_wait_for_receiver_channel_done(0); }
/// Notifies the receiver of the sent bytes and waits until it has consumed them.
FORCE_INLINE void eth_wait_for_receiver_done(uint32_t = 0) {
  tvp::eth::send_sync(&tvp::eth::channel(0));
  eth_wait_for_receiver_channel_done(0);
}
/// One step of a ring. It notifies the other end of the sent bytes. When `sender_semaphore` shows
/// that data has arrived at the chip's receiver, another ethernet tile, it fetches the data and
/// notifies that tile by `receiver_semaphore`. Then it waits until the other end has consumed its
/// bytes. Kernels of later releases define their own function of this name, which takes precedence.
template <bool kWritesToo = false, typename Flag>
FORCE_INLINE void eth_wait_for_remote_receiver_done_and_get_local_receiver_data(
    Flag* sender_semaphore, uint64_t receiver_semaphore, uint64_t receiver_data,
    uint32_t destination, uint32_t bytes) {
  tvp::eth::send_sync(&tvp::eth::channel(0));
  eth_noc_semaphore_wait(sender_semaphore, 1);
  noc_async_read(receiver_data, destination, bytes);
  noc_semaphore_set(sender_semaphore, 0);
  eth_noc_async_read_barrier();
  if constexpr (kWritesToo) eth_noc_async_write_barrier();
  noc_semaphore_inc(receiver_semaphore, 1);
  eth_wait_for_receiver_channel_done(0);
}
FORCE_INLINE void eth_clear_sender_channel_ack(uint32_t channel) {
  tvp::eth::channel(channel).receiver_ack = 0;
}

// --- receiver

FORCE_INLINE bool eth_bytes_are_available_on_channel(uint8_t channel) {
  return tvp::eth::channel(channel).bytes_sent != 0;
}
FORCE_INLINE void eth_wait_for_bytes_on_channel_sync_addr(uint32_t bytes,
                                                          volatile eth_channel_sync_t* sync,
                                                          uint32_t = 0) {
  tvp::eth::wait_bytes(sync->bytes_sent, bytes);
}
FORCE_INLINE void eth_wait_for_bytes_on_channel(uint32_t bytes, uint8_t channel, uint32_t = 0) {
  tvp::eth::wait_bytes(tvp::eth::channel(channel).bytes_sent, bytes);
}
FORCE_INLINE void eth_wait_for_bytes(uint32_t bytes, uint32_t = 0) {
  eth_wait_for_bytes_on_channel(bytes, 0);
}
/// Marks the data as consumed.
FORCE_INLINE void send_eth_receiver_channel_done(volatile eth_channel_sync_t* sync) {
  sync->bytes_sent = 0;
  sync->receiver_ack = 0;
  tvp::eth::send_sync(sync);
}
FORCE_INLINE void eth_receiver_channel_done(uint32_t channel) {
  send_eth_receiver_channel_done(&tvp::eth::channel(channel));
}
FORCE_INLINE void eth_receiver_done() {
  tvp::eth::channel(0).bytes_sent = 0;
  tvp::eth::send_sync(&tvp::eth::channel(0));
}
/// Acknowledges the data: the sender may reuse its memory. `ack_words` are the words that are sent.
/// The kernel has set them to 1, so that they do not overwrite the channel's own.
FORCE_INLINE void eth_receiver_channel_ack(uint32_t channel, uint32_t ack_words) {
  auto* words = reinterpret_cast<volatile uint32_t*>(ack_words);
  tvp::eth::channel(channel).receiver_ack = 1;
  ASSERT(words[0] == 1);
  words[1] = 1;
  const auto to =
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&tvp::eth::channel(channel).receiver_ack));
  internal_::eth_send_packet(0, ack_words >> 4, to >> 4, 1);
}
FORCE_INLINE void eth_receiver_acknowledge(uint8_t channel = 0) {
  tvp::eth::channel(channel).bytes_sent = 1;
  tvp::eth::send_sync(&tvp::eth::channel(channel));
}
/// Waits for the acknowledgement from eth_receiver_acknowledge.
FORCE_INLINE void eth_wait_receiver_acknowledge(uint8_t channel = 0) {
  tvp::eth::wait_bytes(tvp::eth::channel(channel).bytes_sent, 1);
}
