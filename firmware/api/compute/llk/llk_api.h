#pragma once

// LLK names that published kernels use within UNPACK(), MATH() and PACK(). Each is one thread's
// part of an operation. Template parameters that repeat the configuration of buffers and kernel
// have no effect.

#include "api/compute/eltwise_binary.h"
#include "api/compute/reduce.h"
#include "api/compute/threads/core_sync.h"
#include "api/compute/tile_move_copy.h"
#include "risc_common.h"

namespace ckernel {

/// True if 32-bit tiles bypass SrcA on their way to DST. Here the format decides, so both are
/// equal.
constexpr bool UnpackToDestEn = true, UnpackToDestDis = false;
/// Broadcast dimension of SrcB, for kernels that take the name from the namespace.
constexpr BroadcastType NONE = BroadcastType::NONE;

/// The first template parameter of type BroadcastType: the repeated dimension of SrcB. With a
/// broadcast, tiles go through SrcB instead of SrcA.
template <auto kFirst = BroadcastType::NONE, auto... kRest>
consteval BroadcastType broadcast_among() {
  if constexpr (std::is_same_v<decltype(kFirst), BroadcastType>) return kFirst;
  if constexpr (sizeof...(kRest) != 0) return broadcast_among<kRest...>();
  return BroadcastType::NONE;
}

/// The first template parameter that selects the operand in Dst.
template <auto kFirst = EltwiseBinaryReuseDestType::NONE, auto... kRest>
consteval bool reuse_among() {
  if constexpr (std::is_same_v<decltype(kFirst), EltwiseBinaryReuseDestType>)
    return kFirst != EltwiseBinaryReuseDestType::NONE;
  if constexpr (sizeof...(kRest) != 0) return reuse_among<kRest...>();
  return false;
}

#if COMPILE_FOR_TRISC == 0

// Inits take the shape of tiles from a buffer and leave formats as configured. Kernels may name any
// buffer of that shape.
template <BroadcastType kBroadcast = BroadcastType::NONE>
ALWI void llk_unpack_AB_init(uint32_t a = 0, uint32_t b = 1, uint32_t transpose = 0) {
  use_shape_a(a, transpose != 0);
  const llk::Operand now{thread_state.b.format, operand(b).shape};
  constexpr llk::Broadcast kOver = broadcast_of(kBroadcast);
  if (now == thread_state.b && kOver == thread_state.broadcast) return;
  thread_state.b = now;
  thread_state.broadcast = kOver;
  llk::describe_unpack_b(now, kOver);
}
template <BroadcastType kBroadcast = BroadcastType::NONE>
ALWI void llk_unpack_AB_init(uint32_t a, uint32_t b, Transpose transpose) {
  ASSERT(transpose != Transpose::InterFace);
  llk_unpack_AB_init<kBroadcast>(a, b, static_cast<uint32_t>(transpose));
}
template <BroadcastType kBroadcast = BroadcastType::NONE>
ALWI void llk_unpack_AB(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                        uint32_t row = 0) {
  llk::unpack_tile<llk::Source::kA>(tile_address(a, tile_a));
  const uint32_t address = tile_address(b, tile_b);
  if (thread_state.broadcast == llk::Broadcast::kRow && row != 0)
    return llk::unpack_b_row(address + row_offset(operand(b), row), operand(b));
  llk::unpack_b(address, operand(b), thread_state.broadcast);
}
/// Where MATH takes an operand from Dst, UNPACK fills both sources and MATH overwrites one.
template <auto... kSays>
ALWI void llk_unpack_A_init(uint32_t swap_faces = 0, uint32_t transpose_faces = 0,
                            uint32_t cb = 0) {
  constexpr BroadcastType kBroadcast = broadcast_among<kSays...>();
  if constexpr (reuse_among<kSays...>()) {
    llk_unpack_AB_init<kBroadcast>(cb, cb, transpose_faces);
  } else if constexpr (kBroadcast != BroadcastType::NONE) {
    use_operand_b(cb, broadcast_of(kBroadcast));
  } else {
    use_shape_a(cb, transpose_faces != 0);
  }
}
template <auto... kSays>
ALWI void llk_unpack_A(uint32_t cb, uint32_t tile) {
  constexpr BroadcastType kBroadcast = broadcast_among<kSays...>();
  if constexpr (reuse_among<kSays...>()) {
    llk_unpack_AB<kBroadcast>(cb, cb, tile, tile);
  } else if constexpr (kBroadcast != BroadcastType::NONE) {
    llk::unpack_b(tile_address(cb, tile), operand(cb), broadcast_of(kBroadcast));
  } else {
    llk::unpack_tile<llk::Source::kA>(tile_address(cb, tile));
  }
}

/// Hands MATH a bank of each source with any contents.
ALWI void llk_unpack_set_srcb_dummy_valid() { llk::give_sources(); }

#elif COMPILE_FOR_TRISC == 1

/// Works on tiles of the shape that was set last.
template <DataCopyType kFrom, auto... kSays>
ALWI void llk_math_eltwise_unary_datacopy_init() {
  if constexpr (kFrom == A2D) {
    llk::init_copy_a(thread_state.shape);
  } else {
    llk::init_copy_b(thread_state.shape, broadcast_of(broadcast_among<kSays...>()));
  }
}
template <DataCopyType kFrom, auto... kSays>
ALWI void llk_math_eltwise_unary_datacopy_init(uint32_t cb) {
  moves_to_dst(cb);
  thread_state.shape = operand(cb).shape;
  llk_math_eltwise_unary_datacopy_init<kFrom, kSays...>();
}
/// With transpositions, which UNPACK does, before the buffer parameter.
template <DataCopyType kFrom, auto... kSays>
ALWI void llk_math_eltwise_unary_datacopy_init(uint32_t, uint32_t, uint32_t cb) {
  llk_math_eltwise_unary_datacopy_init<kFrom, kSays...>(cb);
}
/// The form without a buffer, for tiles of a number of whole faces.
template <DataCopyType kFrom, auto... kSays>
ALWI void _llk_math_eltwise_unary_datacopy_init_(uint32_t = 0, uint32_t = 0, uint32_t faces = 4,
                                                 uint32_t = 255) {
  thread_state.shape = {static_cast<uint8_t>(faces), 16};
  llk_math_eltwise_unary_datacopy_init<kFrom, kSays...>();
}
template <DataCopyType kFrom, auto...>
ALWI void llk_math_eltwise_unary_datacopy(uint32_t dst, uint32_t cb = 0) {
  if constexpr (kFrom == A2D) {
    llk::copy_a(thread_state.half, dst);
  } else {
    llk::copy_b(thread_state.half, dst);
  }
}
/// Clears all of Dst, both halves.
ALWI void zeroacc() { llk::clear_dst(); }
/// The hardware fixes the layout of a 32-bit Dst.
ALWI void llk_math_reconfig_remap(bool on) {}

#endif

}  // namespace ckernel
