#pragma once

// The macro-op expander of this thread (ISA TensixCoprocessor/MOPExpander.md), template 1: two
// nested loops whose last instructions may differ.

#include "firmware/llk/issue.h"

namespace tvp::llk {

inline constexpr uint32_t kMopConfig = 0xFFB80000;

struct MopLoop {
  Word outer_count = 1;
  Word inner_count = 1;
  Word start_op = regs::tensix::encode_nop();  ///< before every inner loop
  Word loop_op = regs::tensix::encode_nop();
  Word loop_op_alternate = regs::tensix::encode_nop();  ///< every second one, doubles inner_count
  Word inner_last = regs::tensix::encode_nop();         ///< instead of the last of an inner loop
  Word outer_last = regs::tensix::encode_nop();         ///< instead of the very last
  Word end_op = regs::tensix::encode_nop();             ///< after every inner loop
  Word second_end_op = regs::tensix::encode_nop();      ///< after that
};

/// Waits for expansions in progress, because they read the configuration.
inline void configure_mop(const MopLoop& loop) {
  wait_ttsync(kMopExpanderDone);
  const Word words[9] = {
      loop.outer_count, loop.inner_count,       loop.start_op,   loop.end_op,    loop.second_end_op,
      loop.loop_op,     loop.loop_op_alternate, loop.outer_last, loop.inner_last};
  for (unsigned i = 0; i < 9; ++i) store(kMopConfig + 4 * i, words[i]);
}

inline void run_mop() { issue<regs::tensix::encode_mop(1, 0, 0)>(); }

}  // namespace tvp::llk
