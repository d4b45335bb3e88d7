// Receiver of an element-wise consumer: writes results to this core's place in DRAM, tile after
// tile. It can pause its sender while it writes the results of a block.

#include "api/dataflow/prefetcher_pause.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kPauses = get_compile_time_arg_val(kConsumerPauses) != 0;
constexpr uint32_t kMostLeaving = 4;  ///< tiles that are written before one is awaited

}  // namespace

void kernel_main() {
  volatile uint32_t* stored = stats_at(get_arg_val<uint32_t>(kElementwiseStats)) + kTensorStats + 1;
  const uint64_t results = get_noc_addr_from_bank_id<true>(get_arg_val<uint32_t>(kResultsBank),
                                                           get_arg_val<uint32_t>(kResultsAddress));
  tvp::prefetcher::PrefetcherPause sender(
      get_arg_val<uint32_t>(kSenderX), get_arg_val<uint32_t>(kSenderY),
      get_arg_val<uint32_t>(kSenderControl), get_arg_val<uint32_t>(kPauseScratch));
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  const uint32_t blocks = common(kRingSize);
  const uint32_t tile_bytes = get_local_cb_interface(kOutput).fifo_page_size;
  const uint32_t begin = get_read_ptr(kOutput);
  const uint32_t end = begin + get_local_cb_interface(kOutput).fifo_size;

  uint32_t from = begin;
  auto to = static_cast<uint32_t>(results);
  noc_async_write_one_packet_set_state(results, tile_bytes);
  const auto write_block = [&](uint32_t tiles) {
    uint32_t leaving = 0;
    for (uint32_t tile = 0; tile < tiles; ++tile, to += tile_bytes) {
      cb_wait_front(kOutput, leaving + 1);
      noc_async_write_one_packet_with_state(from, to);
      from += tile_bytes;
      if (from == end) from = begin;
      if (++leaving < kMostLeaving && tile + 1 < tiles) continue;
      noc_async_writes_flushed();
      for (; leaving != 0; --leaving) cb_pop_front(kOutput, 1);
    }
  };
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor, stored += 2) {
      const TensorShape shape(tensor);
      for (uint32_t block = 0; block < blocks; ++block) {
        if constexpr (kPauses) {
          // The block has arrived by then, so its results do not need the sender.
          cb_wait_front(kOutput, 1);
          sender.pause();
        }
        write_block(shape[kBlockRows] * shape[kWidth]);
        if constexpr (kPauses) {
          noc_async_write_barrier();
          sender.resume();
          noc_async_write_one_packet_set_state(results, tile_bytes);
        }
      }
      noc_async_write_barrier();
      *stored = c_tensix_core::read_wall_clock_l();
    }
  }
}
