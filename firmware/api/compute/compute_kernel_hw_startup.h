#pragma once

// The state of the coprocessor that all operations expect; first call of a compute kernel.

#include "api/compute/sfpi_tile.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

/// `a` goes to SrcA, `b` to SrcB, `out` is packed first.
ALWI void compute_kernel_hw_startup([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b,
                                    [[maybe_unused]] uint32_t out) {
#if COMPILE_FOR_TRISC == 0
  thread_state.a = operand(a);
  thread_state.b = operand(b);
  thread_state.broadcast = llk::Broadcast::kNone;
  thread_state.transpose = false;
  thread_state.row = 0;
  thread_state.half = {0, DST_ACCUM_MODE};
  llk::configure_unpackers(thread_state.a, thread_state.b);
#elif COMPILE_FOR_TRISC == 1
  thread_state.half = {0, DST_ACCUM_MODE};
  thread_state.shape = operand(a).shape;
  thread_state.format_a = operand(a).format;
  llk::configure_math(operand(a).format, operand(b).format, DST_ACCUM_MODE);
  llk::clear_dst();
  llk::init_dst_semaphore();
  if constexpr (kUnpacksToDst) llk::init_unpack_to_dst();
  llk::sfpu::init();
#else
  thread_state.half = {0, DST_ACCUM_MODE};
  thread_state.out = llk::packed(operand(out));
  llk::configure_packers(thread_state.out, thread_state.half);
#endif
}
ALWI void compute_kernel_hw_startup(uint32_t a, uint32_t out) {
  compute_kernel_hw_startup(a, a, out);
}

/// The same within a kernel, too: Dst is cleared when the packers have taken what is there.
ALWI void startup_again(uint32_t a, uint32_t b, uint32_t out) {
  MATH((llk::wait_dst_taken()));
  compute_kernel_hw_startup(a, b, out);
}

ALWI void binary_op_init_common(uint32_t a, uint32_t b, uint32_t out = 16) {
  startup_again(a, b, out);
}
/// Also gets ready for copy_tile() from `in`: kernels of one input call no init of it.
ALWI void unary_op_init_common(uint32_t in, uint32_t out = 16) {
  startup_again(in, in, out);
  copy_init(in);
}
ALWI void init_sfpu(uint32_t in, uint32_t out = 16) { unary_op_init_common(in, out); }

}  // namespace ckernel
