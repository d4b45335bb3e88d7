#pragma once
// Words between the cores of a tile (ISA BabyRISCV/Mailboxes.md): four deep in each direction.

#include <stdint.h>

#include "firmware/llk/issue.h"

namespace ckernel {

enum ThreadId { UnpackThreadId = 0, MathThreadId = 1, PackThreadId = 2, BriscThreadId = 3 };

/// Address of the mailboxes of that core. A write goes to its mailbox, a read takes from it.
constexpr uint32_t mailbox_address(uint32_t thread) {
  return 0xFFEC0000 + 0x1000 * ((thread + 1) & 3);
}
inline __attribute__((always_inline)) void mailbox_write(uint32_t thread, uint32_t value) {
  tvp::llk::store(mailbox_address(thread), value);
}
/// Waits for a word.
inline __attribute__((always_inline)) uint32_t mailbox_read(uint32_t thread) {
  return tvp::llk::load(mailbox_address(thread));
}
inline __attribute__((always_inline)) bool mailbox_not_empty(uint32_t thread) {
  return tvp::llk::load(mailbox_address(thread) + 4) != 0;
}

}  // namespace ckernel
