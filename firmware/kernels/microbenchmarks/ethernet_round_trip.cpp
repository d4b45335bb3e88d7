// Round trips over a link between two ethernet cores. A message with 16 bytes of sync words behind
// its payload is answered by a message of the same size. A zone for each holds one message and the
// work of tt-metal's benchmark for it: both cores keep a ring of slots, of which one is in use. The
// message may go to a worker before the answer.

#include "firmware/kernels/microbenchmarks/ethernet_ring.h"

using namespace tvp::kernels::microbenchmarks;

namespace {

constexpr uint32_t kBuffer = get_compile_time_arg_val(0);
constexpr uint32_t kRounds = get_compile_time_arg_val(1);
constexpr uint32_t kLargest = get_compile_time_arg_val(2);
constexpr uint32_t kPingBytes = get_compile_time_arg_val(3);

constexpr bool kHasWorker = get_compile_time_arg_val(4) != 0;
constexpr uint32_t kSlots = 16;
using To = std::conditional_t<kHasWorker, Worker<kSlots>, NoWorker>;

/// All slots are the same, because there is never more than one message.
void lay_out(uint32_t bytes, Ring<kSlots>& slots) {
  for (uint32_t i = 0; i < kSlots; ++i) {
    slots.address[i] = kBuffer;
    slots.sync[i] = reinterpret_cast<volatile uint32_t*>(kBuffer + bytes);
  }
}
/// Not inlined, so that the single message does not shorten the loops.
__attribute__((noinline)) void begin(uint32_t bytes, uint32_t messages) {
  Ring<kSlots> slots;
  lay_out(bytes, slots);
  Sender<kSlots>::prepare(slots);
  {
    DeviceZoneScopedN("round trip");
    Sender<kSlots> sender(slots, bytes, messages);
    for (uint32_t done = 0; done < messages;) sender.step(done);
  }
  *slots.sync[0] = 0;  // larger messages include it
}
__attribute__((noinline)) void answer(uint32_t bytes, uint32_t messages) {
  Ring<kSlots> slots;
  lay_out(bytes, slots);
  Receiver<kSlots, true, To> receiver(slots, bytes, worker<To>());
  for (uint32_t done = 0; done < messages;) receiver.step(done);
}

// A ping as in tt-metal's ping benchmark: a message with 16 bytes of sync words behind its payload,
// answered by the sync words alone. Both sides mark the parts of each ping with zones, whose cost
// is part of the time.
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
    send_whole(kBuffer, bytes + kSyncBytes);
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
  send_whole(kBuffer + bytes, kSyncBytes);
}

}  // namespace

void kernel_main() {
  const bool begins = get_arg_val<uint32_t>(kBegins) != 0;
  // In ascending order: the flag of a size is beyond the bytes of smaller messages.
  for (uint32_t bytes = 16; bytes <= kLargest; bytes *= 2) {
    for (uint32_t i = 0; i < kRounds; ++i) {
      if (begins) {
        begin(bytes, 1);
      } else {
        answer(bytes, 1);
      }
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
  if constexpr (kHasWorker) wait_for_worker();
}
