#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "models/riscv/translate/block_translator.h"

/// A field of the TranslatedRun.
#define TVP_RUN(field) ptr[rbp + static_cast<int>(offsetof(TranslatedRun, field))]

namespace tvp::riscv {

/// Machine code of x86-64 that executes instructions of a core. What stays in registers from node
/// to node: rbx the core's registers (and its state around them), rbp the TranslatedRun, r12 the
/// cycle, r13 the limit, r14 L1, r15 local data RAM, r10 the instructions executed, r11d the
/// activity. A node begins with rax and its own address, rdx and the edge that led there. rax, rcx
/// and rdx are for anything; esi, edi, r8d and r9d keep values of the core's registers.
class CodeWriter : public Xbyak::CodeGenerator {
 public:
  /// Offsets in the code of what all nodes of a core share.
  struct Common {
    std::size_t enter;  ///< a function: from a TranslatedRun on
    std::size_t leave;  ///< in the place of a node that is not translated
    std::size_t exit;   ///< back, in front of operation ecx of node rax
  };

  CodeWriter(std::uint8_t* to, std::size_t room, ExecutionState& state,
             const BlockTranslator::Calls& calls)
      : CodeGenerator(room, to), s_(state), calls_(calls) {}

  Common write_common();

 protected:
  using Reg32 = Xbyak::Reg32;
  using Label = Xbyak::Label;
  static constexpr unsigned kNobody = 64;
  /// On the stack: what becomes of a prediction and of the mark of the predictor; aligns it, too.
  static constexpr int kRoom = 24, kMark = 0, kPrediction = 8;

  int distance(const void* field) const;
  Xbyak::Address in_state(const void* field);
  Xbyak::Address guest(unsigned r);

  Reg32 value_of(unsigned guest, unsigned with = kNobody);
  Reg32 result(unsigned rd, unsigned rs1, unsigned rs2);
  void store_result(unsigned rd, const Reg32& value);
  void keep_nothing() { kept_.fill({}); }

  /// Where the code goes when it leaves an operation to BlockRunner.
  Label& leave_at(unsigned op);
  /// Behind all that is hot.
  void later(std::function<void()> write) { cold_.push_back(std::move(write)); }
  void write_cold(BlockNode& node, const std::uint8_t* exit);
  /// rsi, rdx and rcx are its arguments behind Calls::self; nothing but what stays in registers is
  /// what it was.
  void call(const void* function);

  ExecutionState& s_;
  const BlockTranslator::Calls& calls_;

 private:
  static constexpr unsigned kKept = 4;
  /// A register of the host that has the value of one of the core's.
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
