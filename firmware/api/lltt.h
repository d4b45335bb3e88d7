#pragma once

// The replay buffer of a T core's thread (ISA REPLAY.md) under tt-metal's names.

#include "api/sfpi/operations.h"
#include "firmware/llk/replay_buffer.h"

namespace lltt {

enum ExecBool : bool { NoExec, Exec };

/// Records the next `length` instructions in the buffer, and also executes them with `kExec`. The
/// compiler's copies of vectors and SFPNOP count, too.
template <ExecBool kExec = NoExec>
__attribute__((always_inline)) inline void record(unsigned start, unsigned length) {
  using namespace sfpi::impl_;
  if (start + length > tvp::llk::kSharedReplayPlaces) tvp::llk::take_second_half();
  issue<t::Opcode::kReplay>(t::encode_replay(start, length, kExec, 1));
}
__attribute__((always_inline)) inline void replay(unsigned start, unsigned length) {
  using namespace sfpi::impl_;
  issue<t::Opcode::kReplay>(t::encode_replay(start, length, 0, 0));
}
constexpr uint32_t replay_insn(unsigned start, unsigned length) {
  return tvp::regs::tensix::encode_replay(start, length, 0, 0);
}

}  // namespace lltt
