// Round trips over a link between two ethernet cores without any other protocol: a message with a
// flag in 16 bytes behind its payload, answered by a message of the same size. A zone for each size
// holds all of its round trips.

#include "ethernet/dataflow_api.h"

namespace {

constexpr uint32_t kBuffer = get_compile_time_arg_val(0);
constexpr uint32_t kRounds = get_compile_time_arg_val(1);
constexpr uint32_t kLargest = get_compile_time_arg_val(2);
constexpr uint32_t kPingBytes = get_compile_time_arg_val(3);
constexpr uint32_t kFlagBytes = 16;

FORCE_INLINE volatile uint32_t& flag_of(uint32_t bytes) {
  return *reinterpret_cast<volatile uint32_t*>(kBuffer + bytes);
}
FORCE_INLINE void send(uint32_t bytes, uint32_t flag) {
  flag_of(bytes) = flag;
  eth_send_bytes_over_channel_payload_only_unsafe_one_packet(kBuffer, kBuffer, bytes + kFlagBytes);
}

void begin(uint32_t bytes) {
  DeviceZoneScopedN("round trips");
  for (uint32_t i = 0; i < kRounds; ++i) {
    send(bytes, 1);
    while (flag_of(bytes) != 0) {
    }
  }
}
void answer(uint32_t bytes) {
  for (uint32_t i = 0; i < kRounds; ++i) {
    while (flag_of(bytes) == 0) {
    }
    send(bytes, 0);
  }
}

// A ping as tt-metal's ping benchmark makes it: a message with 16 bytes of sync words behind its
// payload, answered by the sync words alone. Both sides mark the parts of each ping with zones of
// their own, which are part of what it takes.
struct Sync {
  uint32_t bytes_sent;
  uint32_t receiver_ack;
};
FORCE_INLINE volatile Sync& sync_of(uint32_t bytes) {
  return *reinterpret_cast<volatile Sync*>(kBuffer + bytes);
}
FORCE_INLINE void send_whole(uint32_t address, uint32_t bytes) {
  eth_send_bytes_over_channel_payload_only(address, address, bytes, bytes, bytes >> 4);
}

void ping(uint32_t bytes) {
  volatile Sync& sync = sync_of(bytes);
  tvp::eth::wait_txq(0);
  DeviceZoneScopedN("ping");
  {
    DeviceZoneScopedN("send");
    sync.bytes_sent = 1;
    sync.receiver_ack = 0;
    send_whole(kBuffer, bytes + kFlagBytes);
  }
  {
    DeviceZoneScopedN("wait");
    while (sync.bytes_sent != 0) {
    }
  }
}
void answer_ping(uint32_t bytes) {
  volatile Sync& sync = sync_of(bytes);
  DeviceZoneScopedN("answer");
  while (sync.bytes_sent == 0) {
  }
  DeviceZoneScopedN("reply");
  while (sync.bytes_sent == 0) {
  }
  sync.bytes_sent = 0;
  sync.receiver_ack = 0;
  send_whole(kBuffer + bytes, kFlagBytes);
}

}  // namespace

void kernel_main() {
  const bool begins = get_arg_val<uint32_t>(0) != 0;
  // Ascending: the flag of a size lies beyond what smaller messages touch.
  for (uint32_t bytes = 16; bytes <= kLargest; bytes *= 2) {
    if (begins) {
      begin(bytes);
    } else {
      answer(bytes);
    }
  }
  for (uint32_t i = 0; i < kRounds; ++i) {
    if (begins) {
      ping(kPingBytes);
    } else {
      answer_ping(kPingBytes);
    }
  }
  tvp::eth::wait_txq(0);
}
