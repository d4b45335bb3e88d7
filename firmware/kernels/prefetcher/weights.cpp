// Receiver: notifies the compute cores when a tensor has arrived, and the sender when it is no
// longer needed. For a ring, tensors arrive and leave as a whole, because every core takes the
// blocks in a different order. For an element-wise consumer, blocks arrive and leave one by one.

#include "firmware/kernels/prefetcher/credits.h"
#include "firmware/kernels/prefetcher/fifo.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kStreams = get_compile_time_arg_val(kStreamCredits) != 0;
constexpr bool kIsCompact = get_compile_time_arg_val(kCompact) != 0;
constexpr bool kOwnWay = kStreams || kIsCompact;
constexpr bool kPops = get_compile_time_arg_val(kLocalPops) != 0;
constexpr bool kBlockwise = get_compile_time_arg_val(kConsumer) != kMatmul;

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

/// Adds block by block, because no block crosses the end of the buffer.
void add_local_blocks(uint32_t buffer, uint32_t blocks, uint32_t block_pages) {
  cb_reserve_back(buffer, blocks * block_pages);
  for (uint32_t i = 0; i < blocks; ++i) cb_push_back(buffer, block_pages);
}

/// Lets the unpackers take the tensor by pops of the local buffer over it. They begin at their
/// place in the ring and return to the tensor's beginning around the buffer, which takes that many
/// more blocks than the tensor has (compute.cpp). Returns when they have popped all of them.
void lend_local_pages(const TensorShape& shape, uint32_t blocks) {
  const uint32_t buffer = kWeights + shape[kFormat];
  const uint32_t local[] = {buffer};
  experimental::align_local_cbs_to_remote_cb<1>(kRemote, local);
  const uint32_t all = get_local_cb_interface(buffer).fifo_num_pages;
  const uint32_t block_pages = shape[kBlockRows] * shape[kWidth];
  add_local_blocks(buffer, blocks, block_pages);
  add_local_blocks(buffer, all / block_pages - blocks, block_pages);
  add_local_blocks(buffer, blocks, block_pages);
  cb_reserve_back(buffer, all);
}

/// While the compute cores use one block, they know of the next one.
void hand_over_blocks(uint32_t blocks, uint32_t place, volatile uint32_t* arrived) {
  constexpr uint32_t kMost = 2;
  uint32_t lent = 0;
  for (uint32_t block = 0; block < blocks || lent != 0;) {
    if (block < blocks && lent < kMost) {
      wait(lent + 1);
      if (block == 0) arrived[0] = c_tensix_core::read_wall_clock_l();
      cb_reserve_back(kReady, 1);
      cb_push_back(kReady, 1);
      ++block;
      ++lent;
    } else {
      cb_wait_front(kDone, 1);
      cb_pop_front(kDone, 1);
      pop(1, place);
      --lent;
    }
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
      const TensorShape shape(tensor);
      begin(shape, place);
      if constexpr (kBlockwise) {
        hand_over_blocks(blocks, place, arrived);
      } else {
        wait(blocks);
        arrived[0] = c_tensix_core::read_wall_clock_l();
        if constexpr (kPops) {
          lend_local_pages(shape, blocks);
        } else {
          cb_reserve_back(kReady, 1);
          cb_push_back(kReady, 1);
          cb_wait_front(kDone, 1);
          cb_pop_front(kDone, 1);
        }
        arrived[1] = c_tensix_core::read_wall_clock_l();
        pop(blocks, place);
      }
    }
  }
  experimental::update_remote_cb_config_in_l1(kRemote);
  noc_async_full_barrier();
}
