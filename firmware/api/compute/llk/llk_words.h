#pragma once

// Hardware interface for kernels with their own operations on MATH, under the LLK names: loops of
// the macro-op expander, address modifiers, tiles of Dst and configuration words. Register names
// are those of the tree in TT_METAL_HOME.

#include "api/ckernel_instr_params.h"
#include "api/ckernel_ops.h"
#include "api/compute/compute_kernel_api.h"
#include "api/debug/assert.h"
#include "firmware/llk/mop.h"

#if __has_include("tt_metal/hw/inc/internal/tt-1xx/wormhole/wormhole_b0_defines/cfg_defines.h")
#include "tt_metal/hw/inc/internal/tt-1xx/wormhole/wormhole_b0_defines/cfg_defines.h"
#endif

/// Active wherever ASSERT is.
#define LLK_ASSERT(condition, message) ASSERT(condition)

namespace ckernel {

/// Two nested loops (ISA MOPExpander.md) of one operation or of two that alternate. An unset
/// operation is the one that it replaces.
class ckernel_template {
 public:
  ckernel_template(uint32_t outer, uint32_t inner, uint32_t op) {
    loop_.outer_count = outer;
    loop_.inner_count = inner;
    loop_.loop_op = loop_.inner_last = loop_.outer_last = op;
  }
  ckernel_template(uint32_t outer, uint32_t inner, uint32_t first, uint32_t second)
      : ckernel_template(outer, inner, first) {
    loop_.loop_op_alternate = loop_.inner_last = loop_.outer_last = second;
  }
  void set_loop_op0(uint32_t op) { loop_.loop_op = op; }
  void set_loop_op1(uint32_t op) { loop_.loop_op_alternate = op; }
  void set_start_op(uint32_t op) { loop_.start_op = op; }
  void set_end_op(uint32_t op) { loop_.end_op = op; }
  void set_end_ops(uint32_t first, uint32_t second) {
    loop_.end_op = first;
    loop_.second_end_op = second;
  }
  void set_last_inner_loop_instr(uint32_t op) { loop_.inner_last = op; }
  void set_last_outer_loop_instr(uint32_t op) { loop_.outer_last = op; }

  void program() const { tvp::llk::configure_mop(loop_); }
  static void run() { tvp::llk::run_mop(); }
  void program_and_run() const {
    program();
    run();
  }

 private:
  tvp::llk::MopLoop loop_;
};

template <uint32_t kAddr32, uint32_t kShift, uint32_t kMask>
ALWI void cfg_reg_rmw_tensix(uint32_t value) {
  llk::set_field(tvp::regs::config::Field{.addr32 = kAddr32, .shift = kShift, .mask = kMask},
                 value);
}
constexpr bool is_high_fidelity(MathFidelity phases) { return phases != MathFidelity::LoFi; }

#if COMPILE_FOR_TRISC == 1

enum class UnpackDestination : uint8_t { SrcRegs, DestReg };

namespace math {

/// Earlier places of the replay buffer belong to the vector unit.
constexpr uint32_t replay_buf_offset = 16;

ALWI void reset_counters(uint32_t which) {
  llk::push(TT_OP_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, which));
}
ALWI void incr_counters(uint32_t a, uint32_t b, uint32_t dst, uint32_t carriage) {
  llk::push(TT_OP_INCRWC(carriage, dst, b, a));
}
/// Selects a tile in MATH's half of Dst, for tiles of that shape.
template <DstTileShape kShape, UnpackDestination kDestination = UnpackDestination::SrcRegs>
ALWI void set_dst_write_addr(uint32_t tile) {
  static_assert(kDestination == UnpackDestination::SrcRegs,
                "set_dst_write_addr: tiles that unpackers write to Dst by copy_tile()");
  llk::set_thread_word(tvp::regs::config::thread::kMathDestOffset.addr32,
                       thread_state.half.base_row + (tile << (6 - kShape)));
}
ALWI void clear_dst_reg_addr() { reset_counters(p_setrwc::SET_D); }
template <uint32_t kRows = 8>
ALWI void inc_dst_addr() {
  static_assert(kRows <= 15, "inc_dst_addr: at most 15 rows");
  llk::push(TT_OP_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, kRows, 0, 0, p_setrwc::SET_D));
}

}  // namespace math

#endif

}  // namespace ckernel
