#include "models/tensix/coprocessor/frontend/mop_expander.h"

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

using regs::tensix::Mop;
using regs::tensix::Opcode;
using regs::tensix::opcode_of;

namespace {

/// Only the plain NOP, not DMANOP or SFPNOP.
bool is_nop(std::uint32_t instruction) { return opcode_of(instruction) == Opcode::kNop; }

// Words of MopCfg. Template 0:
constexpr unsigned kFlags = 1, kInsnB = 2, kInsnA0 = 3, kSkipA0 = 7, kSkipB = 8;
constexpr std::uint32_t kHasB = 1, kHasA123 = 2;
// Template 1:
constexpr unsigned kOuterCount = 0, kInnerCount = 1, kStartOp = 2, kEndOp0 = 3, kEndOp1 = 4,
                   kLoopOp = 5, kLoopOp1 = 6, kLoop0Last = 7, kLoop1Last = 8;
constexpr std::uint32_t kCountMask = 127;

// Position of template 1 in its outer iteration.
enum Step : unsigned { kStart, kLoop, kEnd0, kEnd1 };

}  // namespace

void MopExpander::start(std::uint32_t mop) {
  sampled_ = config_;
  sampled_at_ = configured_at_;
  template1_ = Mop::kWhichTemplate.of(mop) != 0;
  if (template1_) {
    start_template1();
  } else {
    start_template0(mop);
  }
}

void MopExpander::start_template0(std::uint32_t mop) {
  mask_ = (mask_high_ << 16) + Mop::kMaskLo.of(mop);
  remaining_ = Mop::kCount1.of(mop) + 1;
  step_ = 0;
  expanding_ = true;
}

std::uint32_t MopExpander::take_template0() {
  const bool has_b = (sampled_[kFlags] & kHasB) != 0;
  const bool skip = (mask_ & 1U) != 0;
  const unsigned a_count = !skip && (sampled_[kFlags] & kHasA123) != 0 ? 4 : 1;
  std::uint32_t instruction;
  if (step_ == a_count) {
    instruction = sampled_[skip ? kSkipB : kInsnB];
  } else {
    instruction = skip ? sampled_[kSkipA0] : sampled_[kInsnA0 + step_];
  }
  ++step_;
  if (step_ == a_count + (has_b ? 1U : 0U)) {
    step_ = 0;
    mask_ >>= 1;
    expanding_ = --remaining_ != 0;
  }
  return instruction;
}

void MopExpander::start_template1() {
  remaining_ = sampled_[kOuterCount] & kCountMask;
  inner_count_ = sampled_[kInnerCount] & kCountMask;
  loop_op_ = sampled_[kLoopOp];
  loop_flip_ = 0;
  if (!is_nop(sampled_[kLoopOp1])) {
    // The two instructions alternate. The count is in pairs, since the last instruction is
    // replaced.
    loop_flip_ = sampled_[kLoopOp] ^ sampled_[kLoopOp1];
    inner_count_ *= 2;
  }
  const bool has_start = !is_nop(sampled_[kStartOp]);
  const bool has_end = !is_nop(sampled_[kEndOp0]);
  // Documented hardware bug.
  if (remaining_ == 1 && !has_start && inner_count_ == 0 && has_end) remaining_ += 128;
  inner_ = 0;
  step_ = has_start ? kStart : kLoop;
  expanding_ = remaining_ != 0 && (has_start || inner_count_ != 0 || has_end);
  if (expanding_ && step_ == kLoop && inner_count_ == 0) step_ = kEnd0;
}

/// Called behind the inner loop of an outer iteration, which may have been empty.
void MopExpander::end_inner_loop() {
  if (is_nop(sampled_[kEndOp0])) {
    next_outer();
  } else {
    step_ = kEnd0;
  }
}

void MopExpander::next_outer() {
  if (--remaining_ == 0) {
    expanding_ = false;
    return;
  }
  inner_ = 0;
  if (!is_nop(sampled_[kStartOp])) {
    step_ = kStart;
  } else if (inner_count_ != 0) {
    step_ = kLoop;
  } else {
    step_ = kEnd0;
  }
}

std::uint32_t MopExpander::take_template1() {
  std::uint32_t instruction = 0;
  switch (step_) {
    case kStart:
      instruction = sampled_[kStartOp];
      step_ = kLoop;
      if (inner_count_ == 0) end_inner_loop();
      break;
    case kLoop:
      instruction = loop_op_;
      if (inner_ + 1 == inner_count_) {
        instruction = remaining_ != 1 ? sampled_[kLoop1Last] : sampled_[kLoop0Last];
      }
      loop_op_ ^= loop_flip_;
      if (++inner_ == inner_count_) end_inner_loop();
      break;
    case kEnd0:
      instruction = sampled_[kEndOp0];
      if (is_nop(sampled_[kEndOp1])) {
        next_outer();
      } else {
        step_ = kEnd1;
      }
      break;
    default:
      instruction = sampled_[kEndOp1];
      next_outer();
      break;
  }
  return instruction;
}

std::uint32_t MopExpander::take() { return template1_ ? take_template1() : take_template0(); }

}  // namespace tvp::tensix::coprocessor
