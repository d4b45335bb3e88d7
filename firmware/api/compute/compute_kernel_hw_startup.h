#pragma once

// Sets the state of the coprocessor that all operations expect. The first call of a compute kernel.

#include "api/compute/sfpu/sfpi_tile.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

/// Starts the threads in any state of Dst.
ALWI void start_threads(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 0
  thread_started = true;
  thread_state.a = operand(a);
  thread_state.b = operand(b);
  thread_state.broadcast = llk::Broadcast::kNone;
  thread_state.transpose = false;
  thread_state.row = 0;
  thread_state.half = {0, DST_ACCUM_MODE};
  llk::configure_unpackers(thread_state.a, thread_state.b);
#elif COMPILE_FOR_TRISC == 1
  thread_state.started = true;
  thread_state.half = {0, DST_ACCUM_MODE};
  thread_state.shape = operand(a).shape;
  thread_state.format_a = operand(a).format;
  llk::configure_math(operand(a).format, operand(b).format, DST_ACCUM_MODE);
  llk::clear_dst();
  llk::init_dst_semaphore();
  if constexpr (kUnpacksToDst) llk::init_unpack_to_dst();
  llk::sfpu::init();
#else
  thread_started = true;
  thread_state.half = {0, DST_ACCUM_MODE};
  thread_state.out = llk::packed(operand(out));
  llk::configure_packers(thread_state.out, thread_state.half);
  if constexpr (kHasInt32InShortDst)
    llk::read_32_bits(thread_state.out.format == llk::DataFormat::kInt32);
#endif
}

/// `a` goes to SrcA and `b` to SrcB, or with the reverse order the other way round. `out` is packed
/// first. Kernels of summer 2026 call it again where earlier ones had a complete init. Dst is then
/// cleared after the packers have read it.
template <SrcOrder kOrder = SrcOrder::Regular>
ALWI void compute_kernel_hw_startup(uint32_t a, uint32_t b, uint32_t out) {
  MATH((thread_state.started ? llk::wait_dst_taken() : void()));
  constexpr bool kReverse = kOrder == SrcOrder::Reverse;
  start_threads(kReverse ? b : a, kReverse ? a : b, out);
}
ALWI void compute_kernel_hw_startup(uint32_t a, uint32_t out) {
  compute_kernel_hw_startup(a, a, out);
}

/// The form for inits that may come first or within a kernel.
ALWI void startup_again(uint32_t a, uint32_t b, uint32_t out) {
  MATH((llk::wait_dst_taken()));
  start_threads(a, b, out);
}

ALWI void binary_op_init_common(uint32_t a, uint32_t b, uint32_t out = 16) {
  startup_again(a, b, out);
}
/// Also initializes copy_tile() from `in`: kernels of one input call no other init.
ALWI void unary_op_init_common(uint32_t in, uint32_t out = 16) {
  startup_again(in, in, out);
  copy_init(in);
}
ALWI void init_sfpu(uint32_t in, uint32_t out = 16) { unary_op_init_common(in, out); }

/// Changes the width of DST within a kernel. Not supported, because all code of an image is
/// compiled for one width (ComputeConfig::fp32_dest_acc_en).
template <typename Never = void>
ALWI void enable_fp32_dest_acc() {
  static_assert(!std::is_void_v<Never>,
                "enable_fp32_dest_acc: DST has one width in all of a kernel here; the host sets "
                "fp32_dest_acc_en");
}
template <typename Never = void>
ALWI void disable_fp32_dest_acc() {
  static_assert(!std::is_void_v<Never>,
                "disable_fp32_dest_acc: DST has one width in all of a kernel here; the host sets "
                "fp32_dest_acc_en");
}

}  // namespace ckernel
