#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "models/riscv/translate/block_translator.h"

#define TVP_RUN(field) ptr[rbp + static_cast<int>(offsetof(TranslatedRun, field))]

namespace tvp::riscv {

/// x86-64 machine code that executes instructions of a core. Some registers are fixed across nodes.
/// rbx points to the core's registers (and the state around them), rbp to the TranslatedRun, r14 to
/// L1, r15 to local data RAM. r12 is the cycle, r13 the limit, r10 the number of executed
/// instructions, r11d the activity. At the beginning of a node, rax has its address and rdx the
/// edge that led to it. rax, rcx and rdx are scratch; esi, edi, r8d and r9d cache values of the
/// core's registers.
class CodeWriter : public Xbyak::CodeGenerator {
 public:
  /// Offsets of the code that all nodes of a core share.
  struct Common {
    std::size_t enter;   ///< a function that runs a TranslatedRun
    std::size_t leave;   ///< replaces a node without translation
    std::size_t exit;    ///< returns before operation ecx of node rax
    std::size_t absent;  ///< enters node rax, whose code may be absent
  };

  CodeWriter(std::uint8_t* to, std::size_t room, ExecutionState& state,
             const BlockTranslator::Calls& calls)
      : CodeGenerator(room, to), s_(state), calls_(calls) {}

  Common write_common();

 protected:
  using Reg32 = Xbyak::Reg32;
  using Label = Xbyak::Label;
  static constexpr unsigned kNobody = 64;
  /// Stack slots of the new prediction and the new mark of the predictor; the size also aligns the
  /// stack.
  static constexpr int kRoom = 24, kMark = 0, kPrediction = 8;

  int distance(const void* field) const;
  Xbyak::Address in_state(const void* field);
  Xbyak::Address guest(unsigned r);

  Reg32 value_of(unsigned guest, unsigned with = kNobody);
  Reg32 result(unsigned rd, unsigned rs1, unsigned rs2);
  void store_result(unsigned rd, const Reg32& value);
  void keep_nothing() { kept_.fill({}); }

  /// Label at which the code leaves an operation to BlockRunner.
  Label& leave_at(unsigned op);
  /// Adds code behind all hot code.
  void later(std::function<void()> write) { cold_.push_back(std::move(write)); }
  void write_cold(BlockNode& node, const std::uint8_t* exit);
  /// Calls a function of BlockRunner with Calls::self, rsi, rdx and rcx as its arguments. Only the
  /// fixed registers survive.
  void call(const void* function);

  ExecutionState& s_;
  const BlockTranslator::Calls& calls_;

 private:
  static constexpr unsigned kKept = 4;
  /// A register of the host that caches one of the core's.
  struct Kept {
    unsigned guest = kNobody;
    unsigned used = 0;
  };

  Reg32 kept(unsigned slot) const;
  unsigned take(unsigned first, unsigned second);

  std::array<Kept, kKept> kept_{};
  unsigned uses_ = 0;
  std::array<Label, TimedBlock::kMost + 1> leave_;
  std::array<bool, TimedBlock::kMost + 1> is_left_{};
  std::vector<std::function<void()>> cold_;
};

}  // namespace tvp::riscv
