// Round trips over a link between two ethernet cores without any other protocol: a message with a
// flag in 16 bytes behind its payload, answered by a message of the same size. A zone for each size
// holds all of its round trips.

#include "ethernet/dataflow_api.h"

namespace {

constexpr uint32_t kBuffer = get_compile_time_arg_val(0);
constexpr uint32_t kRounds = get_compile_time_arg_val(1);
constexpr uint32_t kLargest = get_compile_time_arg_val(2);
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
  tvp::eth::wait_txq(0);
}
