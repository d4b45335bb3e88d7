#pragma once

// A tile with one column, row or datum repeated, without arithmetic.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/threads/operation_common.h"

namespace ckernel {

template <BroadcastType kBroadcast>
ALWI void init_unary_bcast(uint32_t cb) {
  UNPACK((use_shape_b(cb, broadcast_of(kBroadcast))));
#if COMPILE_FOR_TRISC == 1
  moves_to_dst(cb);
  thread_state.shape = operand(cb).shape;
  llk::init_copy_b(thread_state.shape, broadcast_of(kBroadcast));
#endif
}

template <BroadcastType kBroadcast>
ALWI void unary_bcast_init(uint32_t cb) {
  init_unary_bcast<kBroadcast>(cb);
}
/// Also sets the formats of both sides.
template <BroadcastType kBroadcast>
ALWI void unary_bcast_init(uint32_t cb, uint32_t out) {
  startup_again(cb, cb, out);
  init_unary_bcast<kBroadcast>(cb);
}

/// DST[dst] = tile.
template <BroadcastType kBroadcast>
ALWI void unary_bcast(uint32_t cb, uint32_t tile, uint32_t dst) {
  UNPACK((llk::unpack_b(tile_address(cb, tile), operand(cb), broadcast_of(kBroadcast))));
  MATH((llk::copy_b(thread_state.half, dst)));
}

template <BroadcastType>
ALWI void unary_bcast_uninit(uint32_t cb) {}
/// Changes from one kind and buffer to another.
template <BroadcastType kOld, BroadcastType kNew>
ALWI void reconfigure_unary_bcast(uint32_t old_cb, uint32_t cb, uint32_t old_out, uint32_t out) {
  reconfig_data_format_srcb(cb);
  pack_reconfig_data_format(out);
  init_unary_bcast<kNew>(cb);
}

}  // namespace ckernel
