#include "models/tensix/coprocessor/frontend/frontend.h"

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

using regs::tensix::MopCfg;
using regs::tensix::Opcode;
using regs::tensix::opcode_of;

bool Frontend::push_from_t(std::uint32_t instruction, std::uint32_t pc) {
  if (mop_fifo_.full()) return false;
  mop_fifo_.push({instruction, pc});
  if (opcode_of(instruction) == Opcode::kMop) ++queued_mops_;
  return true;
}

bool Frontend::push_from_b(std::uint32_t instruction, Cycle now, bool& collided) {
  collided = mux_used_ == now;
  if (collided) replay_fifo_.pop_back();
  if (replay_fifo_.full()) return false;
  through_mux({instruction, 0}, now);
  return true;
}

void Frontend::emit_mop(Cycle now) {
  through_mux({mop_.take(), mop_pc_}, now);
  after_mop_ = true;
}

bool Frontend::expand_step(Cycle now) {
  if (mop_.expanding()) {
    emit_mop(now);
    return mop_done();
  }
  const auto [instruction, pc] = mop_fifo_.front();
  const Opcode opcode = opcode_of(instruction);
  if (after_mop_ && opcode != Opcode::kMop) {
    // Transition penalty: a cycle without input and output (MOPExpander.md, performance). It is
    // taken when the next instruction arrives, which may be later (assumed).
    after_mop_ = false;
    return false;
  }
  mop_fifo_.pop();
  if (opcode == Opcode::kMop) {
    // If there is room, the first instruction is emitted in the cycle of the ingestion.
    --queued_mops_;
    mop_pc_ = pc;
    mop_.start(instruction);
    if (mop_.expanding() && !replay_fifo_.full()) emit_mop(now);
  } else if (opcode == Opcode::kMopCfg) {
    mop_.set_mask_high(MopCfg::kMaskHi.of(instruction));
  } else {
    through_mux({instruction, pc}, now);
  }
  return true;
}

}  // namespace tvp::tensix::coprocessor
