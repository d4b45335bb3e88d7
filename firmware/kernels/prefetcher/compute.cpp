// Receiver: output columns of one core. It adds all blocks of a tensor in Dst, beginning with the
// block of the core's place in the ring. The UNPACK thread sets its pointer into the tensor itself.

#include "api/compute/eltwise_unary.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/unary_bcast.h"
#include "api/remote_circular_buffer.h"
#include "compile_time_args.h"
#include "firmware/kernels/prefetcher/fifo.h"
#include "firmware/kernels/prefetcher/function.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kReadsItself = get_compile_time_arg_val(kDirect) != 0;
constexpr bool kIsCompact = get_compile_time_arg_val(kCompact) != 0;
constexpr bool kPops = get_compile_time_arg_val(kLocalPops) != 0;
constexpr bool kBiased = get_compile_time_arg_val(kHasBias) != 0;

/// Each row of tiles in DST begins with the biases of its columns.
ALWI void load_bias(uint32_t first, uint32_t width, uint32_t batch) {
  init_unary_bcast<BroadcastType::ROW>(kBias);
  for (uint32_t row = 0; row < batch; ++row)
    for (uint32_t tile = 0; tile < width; ++tile)
      unary_bcast<BroadcastType::ROW>(kBias, first + tile, row * width + tile);
}

#if COMPILE_FOR_TRISC == 0
uint32_t no_weights = 0;
uint32_t no_activation = 0;

/// Goes through the blocks of a tensor, from the core's place in the ring on, by pops of the local
/// circular buffer over the whole pages of the remote one. After the tensor's last block it pops
/// everything outside the tensor, which wraps around the buffer to the first block. At the end the
/// pointer stands behind the tensor.
class PoppedWeights {
 public:
  void begin(const TensorShape& shape, uint32_t buffer, uint32_t blocks, uint32_t ring_index) {
    const uint32_t local[] = {buffer};
    experimental::resize_remote_receiver_cb_interface(kRemote, shape.part_bytes(), 0);
    experimental::align_local_cbs_to_remote_cb<1>(kRemote, local);
    buffer_ = buffer;
    block_ = shape[kBlockRows] * shape[kWidth];
    tensor_ = blocks * block_;
    around_ = get_local_cb_interface(buffer).fifo_num_pages - tensor_;
    done_ = ring_index * block_;
    timed(no_weights, [&] { cb_wait_front(buffer_, tensor_); });
    skip(done_);
    left_ = tensor_ + around_ + tensor_ - done_;
  }
  void take_block(uint32_t, uint32_t) {
    if (done_ == tensor_) skip_counted(around_);
    cb_wait_front(buffer_, block_);
  }
  void release_block() {
    cb_pop_front(buffer_, block_);
    done_ += block_;
    left_ -= block_;
  }
  void end(uint32_t blocks) {
    skip(left_);
    RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(kRemote);
    advance<false>(cb, cb.fifo_rd_ptr, blocks * cb.fifo_page_size);
  }

 private:
  void skip(uint32_t pages) {
    if (pages == 0) return;
    cb_wait_front(buffer_, pages);
    for (; pages != 0; pages -= block_) cb_pop_front(buffer_, block_);
  }
  void skip_counted(uint32_t pages) {
    skip(pages);
    left_ -= pages;
    done_ += pages;
  }

  uint32_t buffer_ = 0, block_ = 0, tensor_ = 0;
  uint32_t around_ = 0;  ///< pages of the local buffer that are not the tensor's
  uint32_t done_ = 0;    ///< pages behind the tensor's first one
  uint32_t left_ = 0;    ///< pages to pop
};

/// Goes through them with a pointer that the kernel sets itself.
class Weights {
 public:
  void begin(const TensorShape& shape, uint32_t, uint32_t, uint32_t) {
    bytes_ = shape.part_bytes();
    if constexpr (kReadsItself) return;
    RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(kRemote);
    begin_tensor<kIsCompact>(cb, cb.fifo_rd_ptr, bytes_);
    first_ = cb.fifo_rd_ptr;
    start_ = cb.fifo_start_addr;
    limit_ = cb.fifo_limit_page_aligned;
    timed(no_weights, [] { cb_wait_front(kReady, 1); });
    cb_pop_front(kReady, 1);
  }
  void take_block(uint32_t buffer, uint32_t block) {
    get_local_cb_interface(buffer).fifo_rd_ptr = address_of(block) >> cb_addr_shift;
  }
  void release_block() {
    if constexpr (kReadsItself) cb_pop_front(kReady, 1);
  }
  void end(uint32_t blocks) {
    if constexpr (kReadsItself) return;
    RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(kRemote);
    advance<kIsCompact>(cb, cb.fifo_rd_ptr, blocks * bytes_);
  }

 private:
  /// A tensor that reaches the end wraps around to the start.
  uint32_t address_of(uint32_t block) {
    if constexpr (kReadsItself) {
      timed(no_weights, [] { cb_wait_front(kReady, 1); });
      return get_arg_val<uint32_t>(kWeightsMemory) +
             (taken_++ & 1) * get_arg_val<uint32_t>(kWeightsHalf);
    }
    const uint32_t address = first_ + block * bytes_;
    return address < limit_ ? address : address - limit_ + start_;
  }

  uint32_t bytes_ = 0, first_ = 0, start_ = 0, limit_ = 0;
  uint32_t taken_ = 0;
};
using UsedWeights = std::conditional_t<kPops, PoppedWeights, Weights>;
#endif

}  // namespace

void kernel_main() {
  UNPACK(volatile uint32_t* stats = stats_at(get_arg_val<uint32_t>(kReceiverStats)));
  UNPACK(stats[kComputeBegin] = c_tensix_core::read_wall_clock_l());
  UNPACK(UsedWeights weights);
  [[maybe_unused]] uint32_t ring_index = get_arg_val<uint32_t>(kRingIndex);
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  const uint32_t blocks = common(kRingSize);
  const uint32_t shard_tiles = common(kShardTiles);
  const uint32_t batch = common(kRowTiles);

  mm_block_init(kActivation, kWeights, kOutput);
  uint32_t operand = kWeights;
  [[maybe_unused]] uint32_t output = 0;
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor) {
      const TensorShape shape(tensor);
      const uint32_t rows = shape[kBlockRows];
      const uint32_t width = shape[kWidth];
      const uint32_t old = operand;
      operand = kWeights + shape[kFormat];
      const auto begin_product = [&] {
        mm_block_init_short_with_dt(kActivation, operand, old, 0, width, batch, 1);
      };
      if constexpr (!kBiased) begin_product();
      UNPACK(weights.begin(shape, operand, blocks, ring_index));
      tile_regs_acquire();
      if constexpr (kBiased) {
        load_bias(output, width, batch);
        begin_product();
      }
      output += width;
      for (uint32_t step = 0; step < blocks; ++step) {
        const uint32_t in0 = step == 0 ? kActivation : kGathered;
#if COMPILE_FOR_TRISC == 0
        if (step != 0) timed(no_activation, [&] { cb_wait_front(kGathered, shard_tiles); });
        const uint32_t block =
            ring_index + step < blocks ? ring_index + step : ring_index + step - blocks;
        weights.take_block(operand, block);
#endif
        for (uint32_t k = 0; k < rows; ++k)
          matmul_block(in0, operand, k * batch, k * width, 0, 0, width, batch, 1);
        if (step != 0) cb_pop_front(kGathered, shard_tiles);
        UNPACK(weights.release_block());
      }
      UNPACK(weights.end(blocks));
      UNPACK(if (layer == 0 && tensor == 0) stats[kNoWeightsAtFirst] = no_weights);
      apply_function<get_compile_time_arg_val(kFunction)>(batch * width);
      tile_regs_commit();
      cb_reserve_back(kOutput, batch * width);
      tile_regs_wait();
      pack_tile_block(0, kOutput, batch * width);
      tile_regs_release();
      cb_push_back(kOutput, batch * width);
      if constexpr (!kReadsItself && !kPops) {
        cb_reserve_back(kDone, 1);
        cb_push_back(kDone, 1);
      }
    }
  }
  UNPACK(stats[kNoWeights] = no_weights);
  UNPACK(stats[kNoActivation] = no_activation);
  UNPACK(stats[kComputeEnd] = c_tensix_core::read_wall_clock_l());
}
