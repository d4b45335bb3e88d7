// Receiver: tells the compute cores when a tensor is there, and the sender when it is not needed
// any more. Tensors arrive and leave as a whole, as every core takes the blocks in an order of its
// own.

#include "firmware/kernels/prefetcher/credits.h"
#include "firmware/kernels/prefetcher/fifo.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kStreams = get_compile_time_arg_val(kStreamCredits) != 0;
constexpr bool kIsCompact = get_compile_time_arg_val(kCompact) != 0;
constexpr bool kOwnWay = kStreams || kIsCompact;

using Credits = std::conditional_t<kStreams, StreamedCredits, CountedCredits>;

RemoteReceiverCBInterface& remote() { return get_remote_receiver_cb_interface(kRemote); }

void wait_for_credits(uint32_t bytes) {
  while (!Credits::has_come(remote(), bytes / tvp::contract::kRemoteCbUnit)) {
  }
}

void begin(const TensorShape& shape, uint32_t place) {
  if constexpr (!kOwnWay) {
    experimental::resize_remote_receiver_cb_interface<true>(kRemote, shape.part_bytes(), noc_index);
  } else {
    RemoteReceiverCBInterface& cb = remote();
    const uint32_t skipped = begin_tensor<kIsCompact>(cb, cb.fifo_rd_ptr, shape.part_bytes());
    if (skipped == 0) return;
    wait_for_credits(skipped);
    Credits::taken(cb, place, skipped);
  }
}

void wait(uint32_t blocks) {
  if constexpr (!kOwnWay) {
    experimental::remote_cb_wait_front(kRemote, blocks);
  } else {
    wait_for_credits(tvp::remote_cb::extent(remote(), remote().fifo_rd_ptr, blocks));
  }
}

void pop(uint32_t blocks, uint32_t place) {
  if constexpr (!kOwnWay) {
    experimental::remote_cb_pop_front(kRemote, blocks);
  } else {
    RemoteReceiverCBInterface& cb = remote();
    Credits::taken(cb, place, advance<kIsCompact>(cb, cb.fifo_rd_ptr, blocks * cb.fifo_page_size));
  }
}

}  // namespace

void kernel_main() {
  volatile uint32_t* arrived = stats_at(get_arg_val<uint32_t>(kReceiverStats)) + kTensorStats;
  const uint32_t place = get_arg_val<uint32_t>(kPlaceInRow);
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  const uint32_t blocks = common(kRingSize);
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor, arrived += 2) {
      begin(TensorShape(tensor), place);
      wait(blocks);
      arrived[0] = get_timestamp_32b();
      cb_reserve_back(kReady, 1);
      cb_push_back(kReady, 1);
      cb_wait_front(kDone, 1);
      cb_pop_front(kDone, 1);
      arrived[1] = get_timestamp_32b();
      pop(blocks, place);
    }
  }
  experimental::update_remote_cb_config_in_l1(kRemote);
  noc_async_full_barrier();
}
