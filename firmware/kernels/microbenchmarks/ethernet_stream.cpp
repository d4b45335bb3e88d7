// Messages one behind the other over a link, from slot to slot of a ring in L1, as long as the
// other core acknowledges: it answers each with the 16 bytes of sync words that follow the payload.
// A zone a size on the sender, from the first message to the last acknowledgement. Both cores may
// also do both at once, each with a ring of its own for either direction.

#include "ethernet/dataflow_api.h"

namespace {

constexpr uint32_t kBuffer = get_compile_time_arg_val(0);
constexpr uint32_t kSlots = get_compile_time_arg_val(1);
constexpr uint32_t kMessages = get_compile_time_arg_val(2);
constexpr uint32_t kLargest = get_compile_time_arg_val(3);
constexpr bool kBothWays = get_compile_time_arg_val(4) != 0;
constexpr uint32_t kSyncBytes = 16;
constexpr uint32_t kRingBytes = kSlots * (kLargest + kSyncBytes);

/// A slot's message and the sync words behind its payload.
struct Slot {
  uint32_t address;
  volatile uint32_t* sync;
};
Slot slots[kSlots];
Slot incoming[kBothWays ? kSlots : 1];  // of the other direction

void lay_out(uint32_t bytes, uint32_t address, Slot* ring) {
  for (uint32_t i = 0; i < kSlots; ++i) {
    Slot& slot = ring[i];
    slot = {address, reinterpret_cast<volatile uint32_t*>(address + bytes)};
    address += kLargest + kSyncBytes;
  }
}
FORCE_INLINE uint32_t behind(uint32_t slot) { return (slot + 1) % kSlots; }
FORCE_INLINE void send(uint32_t address, uint32_t bytes) {
  tvp::eth::wait_txq(0);
  eth_send_bytes_over_channel_payload_only_unsafe_one_packet(address, address, bytes);
}

void stream(uint32_t bytes) {
  for (Slot& slot : slots) *slot.sync = 1;
  DeviceZoneScopedN("stream");
  uint32_t to_send = kMessages;
  uint32_t write = 0;
  uint32_t read = 0;
  for (uint32_t acknowledged = 0; acknowledged < kMessages;) {
    if (to_send != 0 && behind(write) != read) {
      *slots[write].sync = 1;
      send(slots[write].address, bytes + kSyncBytes);
      write = behind(write);
      --to_send;
    }
    if (read != write && *slots[read].sync == 0) {
      read = behind(read);
      ++acknowledged;
    }
  }
}
void acknowledge() {
  uint32_t next = 0;
  for (uint32_t i = 0; i < kMessages; ++i) {
    volatile uint32_t* sync = slots[next].sync;
    while (*sync == 0) {
    }
    *sync = 0;
    send(reinterpret_cast<uintptr_t>(sync), kSyncBytes);
    next = behind(next);
  }
}

void stream_both_ways(uint32_t bytes) {
  for (Slot& slot : slots) *slot.sync = 1;
  DeviceZoneScopedN("stream");
  uint32_t to_send = kMessages;
  uint32_t to_receive = kMessages;
  uint32_t write = 0;
  uint32_t read = 0;
  uint32_t next = 0;
  for (uint32_t acknowledged = 0; acknowledged < kMessages || to_receive != 0;) {
    if (to_send != 0 && behind(write) != read) {
      *slots[write].sync = 1;
      send(slots[write].address, bytes + kSyncBytes);
      write = behind(write);
      --to_send;
    }
    if (to_receive != 0 && *incoming[next].sync != 0) {
      *incoming[next].sync = 0;
      send(reinterpret_cast<uintptr_t>(incoming[next].sync), kSyncBytes);
      next = behind(next);
      --to_receive;
    }
    if (read != write && *slots[read].sync == 0) {
      read = behind(read);
      ++acknowledged;
    }
  }
}

}  // namespace

void kernel_main() {
  const bool sends = get_arg_val<uint32_t>(0) != 0;
  // Ascending: the sync words of a size lie beyond what smaller messages touch.
  for (uint32_t bytes = 16; bytes <= kLargest; bytes *= 2) {
    lay_out(bytes, kBothWays && !sends ? kBuffer + kRingBytes : kBuffer, slots);
    if constexpr (kBothWays) {
      lay_out(bytes, sends ? kBuffer + kRingBytes : kBuffer, incoming);
      stream_both_ways(bytes);
    } else if (sends) {
      stream(bytes);
    } else {
      acknowledge();
    }
  }
  tvp::eth::wait_txq(0);
}
