#pragma once

// A T core hands instructions to its coprocessor thread and accesses its registers here. On RV32 a
// constant instruction is one `.ttinsn` (ISA BabyRISCV/PushTensixInstruction.md). On a host the
// same calls go to a backend, which tests connect to the models.

#include <stdint.h>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::llk {

using regs::tensix::Word;

#if defined(__riscv)

inline constexpr uint32_t kInstructionPush = 0xFFE40000;

/// `.ttinsn` is the instruction rotated left by two; valid instructions are below 0xC0000000.
template <Word kInstruction>
inline __attribute__((always_inline)) void issue() {
  static_assert(kInstruction < 0xC0000000u);
  asm volatile(".word %0" : : "i"((kInstruction << 2) | (kInstruction >> 30)));
}
/// A constant word becomes a `.ttinsn`, other words are stored.
inline __attribute__((always_inline)) void push(Word instruction) {
  if (__builtin_constant_p(instruction)) {
    asm volatile(".word %0" : : "i"((instruction << 2) | (instruction >> 30)));
  } else {
    *reinterpret_cast<volatile uint32_t*>(kInstructionPush) = instruction;
  }
}
inline __attribute__((always_inline)) void store(uint32_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}
inline __attribute__((always_inline)) uint32_t load(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

#else

/// The interface that a host test provides for each of the three threads.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual void push(Word instruction) = 0;
  virtual void store(uint32_t address, uint32_t value) = 0;
  virtual uint32_t load(uint32_t address) = 0;
};
inline thread_local Backend* backend = nullptr;

template <Word kInstruction>
inline void issue() {
  static_assert(kInstruction < 0xC0000000u);
  backend->push(kInstruction);
}
inline void push(Word instruction) { backend->push(instruction); }
inline void store(uint32_t address, uint32_t value) { backend->store(address, value); }
inline uint32_t load(uint32_t address) { return backend->load(address); }

#endif

/// TTSync (ISA BabyRISCV/TTSync.md): the store orders the load after earlier pushes. The use of the
/// loaded value orders later accesses after it.
inline void wait_ttsync(uint32_t address) {
  store(address, 0);
  [[maybe_unused]] const uint32_t unused = load(address);
#if defined(__riscv)
  asm volatile("andi zero, %0, 0" : : "r"(unused));
#endif
}
inline constexpr uint32_t kCoprocessorDone = 0xFFE80004;
inline constexpr uint32_t kMopExpanderDone = 0xFFE80008;
inline constexpr uint32_t kSemaphores = 0xFFE80020;  // one word each

/// Returns when the coprocessor has finished everything that this thread pushed.
inline void wait_coprocessor() { wait_ttsync(kCoprocessorDone); }

}  // namespace tvp::llk
