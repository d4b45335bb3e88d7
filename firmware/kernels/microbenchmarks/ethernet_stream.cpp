// Messages one behind the other over a link, from slot to slot of a ring in L1, as long as the
// other core acknowledges: it answers each with the 16 bytes of sync words that follow the payload.
// A zone a size on the sender, from the first message to the last acknowledgement. Both cores may
// also do both at once, each with a ring of its own for either direction.

#include "firmware/kernels/microbenchmarks/ethernet_ring.h"

using namespace tvp::kernels::microbenchmarks;

namespace {

constexpr uint32_t kBuffer = get_compile_time_arg_val(0);
constexpr uint32_t kSlots = get_compile_time_arg_val(1);
constexpr uint32_t kMessages = get_compile_time_arg_val(2);
constexpr uint32_t kLargest = get_compile_time_arg_val(3);
constexpr bool kBothWays = get_compile_time_arg_val(4) != 0;
constexpr uint32_t kRingBytes = kSlots * (kLargest + kSyncBytes);

Slot slots[kSlots];
Slot incoming[kSlots];  // of the other direction

void lay_out(uint32_t bytes, uint32_t address, Slot* ring) {
  for (uint32_t i = 0; i < kSlots; ++i) {
    ring[i] = {address, reinterpret_cast<volatile uint32_t*>(address + bytes)};
    address += kLargest + kSyncBytes;
  }
}

void stream(uint32_t bytes) {
  Sender<kSlots>::prepare(slots);
  DeviceZoneScopedN("stream");
  Sender<kSlots> sender(slots, bytes, kMessages);
  for (uint32_t done = 0; done < kMessages;) done += sender.step();
}
void acknowledge(uint32_t bytes) {
  Receiver<kSlots, false> receiver(slots, bytes);
  for (uint32_t done = 0; done < kMessages;) done += receiver.step();
}
void stream_both_ways(uint32_t bytes) {
  Sender<kSlots>::prepare(slots);
  DeviceZoneScopedN("stream");
  Sender<kSlots> sender(slots, bytes, kMessages);
  Receiver<kSlots, false> receiver(incoming, bytes);
  for (uint32_t done = 0; done < 2 * kMessages;) {
    done += sender.step();
    done += receiver.step();
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
      acknowledge(bytes);
    }
  }
  tvp::eth::wait_txq(0);
}
