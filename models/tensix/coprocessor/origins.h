#pragma once

#include <array>
#include <cstdint>

#include "models/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/frontend.h"

namespace tvp::tensix::coprocessor {

/// Where in its core's program the instructions of a thread come from, for the text of faults: the
/// last ones that the T core pushed, with their pc.
class Origins {
 public:
  /// The pc of the T core, when there is one.
  void set_core(const std::uint32_t* pc) { pc_ = pc; }
  void pushed(std::uint32_t instruction) {
    if (pc_ != nullptr) ring_[count_++ % kKept] = {instruction, *pc_};
  }

  /// pc of what made the instruction at the wait gate: of itself, or of the MOP or REPLAY that it
  /// is an expansion of; 0 when that is not known (B pushed it, or the host).
  std::uint32_t of_head(const Frontend& frontend) const {
    if (!frontend.has_head()) return 0;
    // What has left the FIFO in front of the MOP expander, the latest first.
    const std::uint64_t taken = count_ - frontend.queued_before_mop();
    const std::uint64_t behind =
        frontend.queued_before_gate() + frontend.queued_before_replay() - 1;
    const std::uint32_t head = frontend.head();
    if (const Pushed* p = at(taken, behind); p != nullptr && p->instruction == head) return p->pc;
    // An expansion, or others in between are: the oldest one that is the same word.
    for (std::uint64_t back = kWindow; back-- > 0;) {
      if (const Pushed* p = at(taken, back); p != nullptr && p->instruction == head) return p->pc;
    }
    for (std::uint64_t back = 0; back < kWindow; ++back) {
      const Pushed* const p = at(taken, back);
      if (p != nullptr && expands(p->instruction)) return p->pc;
    }
    return 0;
  }

 private:
  struct Pushed {
    std::uint32_t instruction = 0;
    std::uint32_t pc = 0;
  };
  static constexpr std::uint64_t kKept = 64;    ///< the longest FIFO holds 32
  static constexpr std::uint64_t kWindow = 16;  ///< behind the MOP expander are up to 10

  static bool expands(std::uint32_t instruction) {
    const auto opcode = regs::tensix::opcode_of(instruction);
    return opcode == regs::tensix::Opcode::kMop || opcode == regs::tensix::Opcode::kReplay;
  }
  const Pushed* at(std::uint64_t taken, std::uint64_t back) const {
    if (back >= taken || count_ - (taken - 1 - back) > kKept) return nullptr;
    return &ring_[(taken - 1 - back) % kKept];
  }

  const std::uint32_t* pc_ = nullptr;
  std::uint64_t count_ = 0;
  std::array<Pushed, kKept> ring_;
};

}  // namespace tvp::tensix::coprocessor
