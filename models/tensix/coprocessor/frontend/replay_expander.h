#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

/// Replay expander of one thread (ISA TensixCoprocessor/REPLAY.md). It has no notion of time;
/// Frontend passes it one instruction in each cycle or takes one.
class ReplayExpander {
 public:
  static constexpr unsigned kBufferSize = 32;

  /// True for a REPLAY whose count fits the buffer. Hardware's behavior for a larger count is not
  /// documented, so such a REPLAY goes to the wait gate, which raises a fault with its name.
  static bool expands(std::uint32_t instruction) {
    return regs::tensix::opcode_of(instruction) == regs::tensix::Opcode::kReplay &&
           regs::tensix::Replay::kCount.of(instruction) <= kBufferSize;
  }
  /// Executes a REPLAY for which expands() holds.
  void start(std::uint32_t replay);
  /// Recording: incoming instructions, including REPLAY, go to record().
  bool recording() const { return recording_ != 0; }
  bool executes_while_recording() const { return execute_; }
  void record(std::uint32_t instruction) {
    buffer_[index_ % kBufferSize] = instruction;
    ++changes_;
    ++index_;
    --recording_;
  }
  /// Replaying: instructions come from take(); none is accepted.
  bool replaying() const { return replaying_ != 0; }
  unsigned left() const { return replaying_; }
  /// The instruction that the i-th take() from now on returns.
  std::uint32_t peek(unsigned i) const { return buffer_[(index_ + i) % kBufferSize]; }
  /// Its index in the buffer.
  unsigned place(unsigned i) const { return (index_ + i) % kBufferSize; }
  std::span<const std::uint32_t, kBufferSize> buffer() const { return buffer_; }
  /// Number of changes of the buffer; never 0.
  std::uint64_t changes() const { return changes_; }
  void skip(unsigned count) {
    index_ += count;
    replaying_ -= count;
  }
  std::uint32_t take() {
    const std::uint32_t instruction = buffer_[index_ % kBufferSize];
    ++index_;
    --replaying_;
    return instruction;
  }

 private:
  std::array<std::uint32_t, kBufferSize> buffer_{};
  std::uint64_t changes_ = 1;
  unsigned index_ = 0;
  unsigned recording_ = 0;  ///< instructions still to record
  unsigned replaying_ = 0;  ///< instructions still to replay
  bool execute_ = false;
};

}  // namespace tvp::tensix::coprocessor
