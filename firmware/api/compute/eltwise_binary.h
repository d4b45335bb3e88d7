#pragma once

// DST[dst] = a op b on the matrix unit, b broadcast or not. With `accumulate`, DST[dst] += a op b.

#include "api/compute/cb_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reconfig_data_format.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
template <EltwiseBinaryType kType>
inline constexpr llk::Elementwise kElementwise = kType == ELWADD   ? llk::Elementwise::kAdd
                                                 : kType == ELWSUB ? llk::Elementwise::kSubtract
                                                                   : llk::Elementwise::kMultiply;
#endif

template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void init_binary([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b,
                      [[maybe_unused]] bool accumulate = false) {
  UNPACK((use_operand_a(a)));
  UNPACK((use_operand_b(b, broadcast_of(kBroadcast))));
#if COMPILE_FOR_TRISC == 1
  thread_state.shape = operand(a).shape;
  thread_state.accumulate = accumulate;
  llk::init_elementwise<kElementwise<kType>>(thread_state.shape, broadcast_of(kBroadcast),
                                             math_fidelity(), accumulate);
#endif
}

template <EltwiseBinaryType kType, BroadcastType kBroadcast>
ALWI void any_tiles_bcast([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b,
                          [[maybe_unused]] uint32_t tile_a, [[maybe_unused]] uint32_t tile_b,
                          [[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 0
  llk::unpack_tile<llk::Source::kA>(tile_address(a, tile_a));
  llk::unpack_b(tile_address(b, tile_b), operand(b), broadcast_of(kBroadcast));
#elif COMPILE_FOR_TRISC == 1
  llk::elementwise<kElementwise<kType>>(thread_state.half, dst, thread_state.shape,
                                        thread_state.accumulate);
#endif
}

/// By the kind of operation; also without `kFull` all of it is set up.
template <bool kFull, EltwiseBinaryType kType>
ALWI void binary_tiles_init(uint32_t a, uint32_t b, bool accumulate = false) {
  init_binary<kType, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void add_tiles_init(uint32_t a, uint32_t b, bool accumulate = false) {
  init_binary<ELWADD, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void sub_tiles_init(uint32_t a, uint32_t b, bool accumulate = false) {
  init_binary<ELWSUB, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void mul_tiles_init(uint32_t a, uint32_t b, bool accumulate = false) {
  init_binary<ELWMUL, BroadcastType::NONE>(a, b, accumulate);
}
ALWI void add_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
  any_tiles_bcast<ELWADD, BroadcastType::NONE>(a, b, tile_a, tile_b, dst);
}
ALWI void sub_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
  any_tiles_bcast<ELWSUB, BroadcastType::NONE>(a, b, tile_a, tile_b, dst);
}
ALWI void mul_tiles(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
  any_tiles_bcast<ELWMUL, BroadcastType::NONE>(a, b, tile_a, tile_b, dst);
}

}  // namespace ckernel
