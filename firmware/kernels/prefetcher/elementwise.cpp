// Receiver: a function of each datum that arrives, or w + r times w with the datum r of a resident
// tensor that has the size of a block. Blocks are used in the order of their arrival.

#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"
#include "api/remote_circular_buffer.h"
#include "compile_time_args.h"
#include "firmware/kernels/prefetcher/fifo.h"
#include "firmware/kernels/prefetcher/function.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kIsCompact = get_compile_time_arg_val(kCompact) != 0;
constexpr bool kIsChain = get_compile_time_arg_val(kConsumer) == kElementwiseChain;
constexpr uint32_t kDstTiles = 4;  ///< tiles of 32-bit datums in half of Dst

/// DST[0 to tiles) = (resident + weights) * weights. The factor from Dst returns through SrcA.
ALWI void chain(uint32_t weights, uint32_t first, uint32_t tiles) {
  reconfig_data_format_srca(kActivation);
  add_tiles_init(kActivation, weights);
  for (uint32_t i = 0; i < tiles; ++i) add_tiles(kActivation, weights, first + i, first + i, i);
  reconfig_data_format_srca(weights);
  binary_dest_reuse_tiles_init<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(weights);
  for (uint32_t i = 0; i < tiles; ++i)
    binary_dest_reuse_tiles<ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(weights, first + i,
                                                                              i);
}

/// DST[0 to tiles) = function of the weights.
ALWI void activate(uint32_t weights, uint32_t first, uint32_t tiles) {
  copy_tile_to_dst_init_short(weights);
  for (uint32_t i = 0; i < tiles; ++i) copy_tile(weights, first + i, i);
  apply_function<get_compile_time_arg_val(kFunction)>(tiles);
}

}  // namespace

void kernel_main() {
  UNPACK(volatile uint32_t* stats = stats_at(get_arg_val<uint32_t>(kElementwiseStats)));
  UNPACK(stats[kComputeBegin] = c_tensix_core::read_wall_clock_l());
  UNPACK(uint32_t no_weights = 0);
  PACK(uint32_t no_room = 0);
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  const uint32_t blocks = common(kRingSize);

  if constexpr (kIsChain) {
    binary_op_init_common(kActivation, kWeights, kOutput);
  } else {
    unary_op_init_common(kWeights, kOutput);
  }
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor) {
      const TensorShape shape(tensor);
      const uint32_t tiles = shape[kBlockRows] * shape[kWidth];
      const uint32_t weights = kWeights + shape[kFormat];
      UNPACK(RemoteReceiverCBInterface& cb = get_remote_receiver_cb_interface(kRemote));
      UNPACK(begin_tensor<kIsCompact>(cb, cb.fifo_rd_ptr, shape.part_bytes()));
      if constexpr (kIsChain) {
        reconfig_data_format_srcb(weights);
      } else {
        reconfig_data_format_srca(weights);
      }
      for (uint32_t block = 0; block < blocks; ++block) {
        UNPACK(timed(no_weights, [] { cb_wait_front(kReady, 1); }));
        UNPACK(if (layer == 0 && tensor == 0 && block == 0) stats[kNoWeightsAtFirst] = no_weights);
        UNPACK(get_local_cb_interface(weights).fifo_rd_ptr = cb.fifo_rd_ptr >> cb_addr_shift);
        for (uint32_t first = 0; first < tiles; first += kDstTiles) {
          const uint32_t left = tiles - first;
          const uint32_t now = left < kDstTiles ? left : kDstTiles;
          tile_regs_acquire();
          if constexpr (kIsChain) {
            chain(weights, first, now);
          } else {
            activate(weights, first, now);
          }
          tile_regs_commit();
          tile_regs_wait();
          // Single pages, because groups of four need not end where the buffer does.
          for (uint32_t i = 0; i < now; ++i) {
            PACK(timed(no_room, [] { cb_reserve_back(kOutput, 1); }));
            pack_tile(i, kOutput);
            cb_push_back(kOutput, 1);
          }
          tile_regs_release();
        }
        UNPACK(advance<kIsCompact>(cb, cb.fifo_rd_ptr, shape.part_bytes()));
        UNPACK(cb_pop_front(kReady, 1));
        cb_reserve_back(kDone, 1);
        cb_push_back(kDone, 1);
      }
    }
  }
  UNPACK(stats[kNoWeights] = no_weights);
  UNPACK(stats[kComputeEnd] = c_tensix_core::read_wall_clock_l());
  PACK(stats_at(get_arg_val<uint32_t>(kElementwiseStats))[kNoRoomForResults] = no_room);
}
