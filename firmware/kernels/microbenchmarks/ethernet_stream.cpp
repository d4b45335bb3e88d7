// Sends messages one after the other over a link, from slot to slot of a ring in L1. The other core
// acknowledges each with the 16 bytes of sync words that follow the payload. The sender has a zone
// for each size, from the first message to the last acknowledgement. Both cores may also send at
// the same time, with a ring for each direction.

#include "firmware/kernels/microbenchmarks/ethernet_ring.h"

using namespace tvp::kernels::microbenchmarks;

namespace {

constexpr uint32_t kBuffer = get_compile_time_arg_val(0);
constexpr uint32_t kSlots = get_compile_time_arg_val(1);
constexpr uint32_t kMessages = get_compile_time_arg_val(2);
constexpr uint32_t kLargest = get_compile_time_arg_val(3);
constexpr bool kBothWays = get_compile_time_arg_val(4) != 0;
constexpr bool kHasWorker = get_compile_time_arg_val(5) != 0;
using To = std::conditional_t<kHasWorker, Worker<kSlots>, NoWorker>;
constexpr uint32_t kRingBytes = kSlots * (kLargest + kSyncBytes);

void lay_out(uint32_t bytes, uint32_t address, Ring<kSlots>& ring) {
  for (uint32_t i = 0; i < kSlots; ++i) {
    ring.address[i] = address;
    ring.sync[i] = reinterpret_cast<volatile uint32_t*>(address + bytes);
    address += kLargest + kSyncBytes;
  }
}

void stream(uint32_t bytes) {
  Ring<kSlots> slots;
  lay_out(bytes, kBuffer, slots);
  Sender<kSlots>::prepare(slots);
  DeviceZoneScopedN("stream");
  Sender<kSlots> sender(slots, bytes, kMessages);
  for (uint32_t done = 0; done < kMessages;) sender.step(done);
}
void acknowledge(uint32_t bytes) {
  Ring<kSlots> slots;
  lay_out(bytes, kBuffer, slots);
  Receiver<kSlots, false, To> receiver(slots, bytes, worker<To>());
  for (uint32_t done = 0; done < kMessages;) receiver.step(done);
}
void stream_both_ways(uint32_t bytes, uint32_t out, uint32_t in) {
  Ring<kSlots> slots;
  Ring<kSlots> incoming;
  lay_out(bytes, out, slots);
  lay_out(bytes, in, incoming);
  Sender<kSlots>::prepare(slots);
  DeviceZoneScopedN("stream");
  Sender<kSlots> sender(slots, bytes, kMessages);
  Receiver<kSlots, false, To> receiver(incoming, bytes, worker<To>());
  for (uint32_t done = 0; done < 2 * kMessages;) {
    sender.step(done);
    receiver.step(done);
  }
}

}  // namespace

void kernel_main() {
  const bool sends = get_arg_val<uint32_t>(kBegins) != 0;
  // In ascending order: the sync words of a size are beyond the bytes of smaller messages.
  for (uint32_t bytes = 16; bytes <= kLargest; bytes *= 2) {
    if constexpr (kBothWays) {
      const uint32_t second = kBuffer + kRingBytes;
      stream_both_ways(bytes, sends ? kBuffer : second, sends ? second : kBuffer);
    } else if (sends) {
      stream(bytes);
    } else {
      acknowledge(bytes);
    }
  }
  tvp::eth::wait_txq(0);
  if constexpr (kHasWorker) wait_for_worker();
}
