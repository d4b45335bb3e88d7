// Receiver: output columns of one core. All blocks of a tensor are added up in Dst, beginning with
// the one of the core's place in the ring; the unpackers' thread sets its pointer into the tensor
// by hand.

#include "api/compute/eltwise_unary.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/unary_bcast.h"
#include "api/remote_circular_buffer.h"
#include "compile_time_args.h"
#include "firmware/kernels/prefetcher/fifo.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kReadsItself = get_compile_time_arg_val(kDirect) != 0;
constexpr bool kIsCompact = get_compile_time_arg_val(kCompact) != 0;
constexpr bool kBiased = get_compile_time_arg_val(kHasBias) != 0;
constexpr uint32_t kApplied = get_compile_time_arg_val(kFunction);

/// Each row of tiles in DST begins with the biases of its columns.
ALWI void load_bias(uint32_t first, uint32_t width, uint32_t batch) {
  init_unary_bcast<BroadcastType::ROW>(kBias);
  for (uint32_t row = 0; row < batch; ++row)
    for (uint32_t tile = 0; tile < width; ++tile)
      unary_bcast<BroadcastType::ROW>(kBias, first + tile, row * width + tile);
}

ALWI void apply_function([[maybe_unused]] uint32_t tiles) {
  if constexpr (kApplied == kRelu) {
    relu_tile_init();
    for (uint32_t tile = 0; tile < tiles; ++tile) relu_tile(tile);
  } else if constexpr (kApplied == kSilu) {
    silu_tile_init();
    for (uint32_t tile = 0; tile < tiles; ++tile) silu_tile(tile);
  } else if constexpr (kApplied == kGelu) {
    gelu_tile_init();
    for (uint32_t tile = 0; tile < tiles; ++tile) gelu_tile(tile);
  }
}

#if COMPILE_FOR_TRISC == 0
uint32_t no_weights = 0;
uint32_t no_activation = 0;

/// Where the blocks of a tensor are.
class Weights {
 public:
  void begin(const TensorShape& shape) {
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
  /// A tensor that reaches the end goes on at the start.
  uint32_t address_of(uint32_t block) {
    if constexpr (kReadsItself) {
      timed(no_weights, [] { cb_wait_front(kReady, 1); });
      return get_arg_val<uint32_t>(kWeightsMemory) +
             (taken_++ & 1) * get_arg_val<uint32_t>(kWeightsHalf);
    }
    const uint32_t address = first_ + block * bytes_;
    return address < limit_ ? address : address - limit_ + start_;
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
  uint32_t bytes_ = 0, first_ = 0, start_ = 0, limit_ = 0;
  uint32_t taken_ = 0;
};
#endif

}  // namespace

void kernel_main() {
  UNPACK(volatile uint32_t* stats = stats_at(get_arg_val<uint32_t>(kReceiverStats)));
  UNPACK(stats[kComputeBegin] = get_timestamp_32b());
  UNPACK(Weights weights);
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
      UNPACK(weights.begin(shape));
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
        get_local_cb_interface(operand).fifo_rd_ptr = weights.address_of(block) >> cb_addr_shift;
#endif
        for (uint32_t k = 0; k < rows; ++k)
          matmul_block(in0, operand, k * batch, k * width, 0, 0, width, batch, 1);
        if (step != 0) cb_pop_front(kGathered, shard_tiles);
        UNPACK(weights.release_block());
      }
      UNPACK(weights.end(blocks));
      UNPACK(if (layer == 0 && tensor == 0) stats[kNoWeightsAtFirst] = no_weights);
      apply_function(batch * width);
      tile_regs_commit();
      cb_reserve_back(kOutput, batch * width);
      tile_regs_wait();
      pack_tile_block(0, kOutput, batch * width);
      tile_regs_release();
      cb_push_back(kOutput, batch * width);
      if constexpr (!kReadsItself) {
        cb_reserve_back(kDone, 1);
        cb_push_back(kDone, 1);
      }
    }
  }
  UNPACK(stats[kNoWeights] = no_weights);
  UNPACK(stats[kNoActivation] = no_activation);
  UNPACK(stats[kComputeEnd] = get_timestamp_32b());
}
