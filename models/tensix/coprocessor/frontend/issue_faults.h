#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "foundation/regs/tensix_disassembler.h"
#include "foundation/warning_sink.h"
#include "models/tensix/coprocessor/frontend/offered.h"
#include "models/tensix/coprocessor/frontend/pushed.h"

namespace tvp::tensix::coprocessor {

/// Adds to a unit's fault the instruction, its thread, and the pc that pushed it, which units do
/// not know. Then passes the fault to the policy.
class IssueFaults : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  explicit IssueFaults(foundation::FaultPolicy& policy) : policy_(policy) {}

  /// Faults of units from now on belong to this instruction.
  void offer(unsigned thread, const Pushed& head) {
    offered_ = {head.instruction, head.pc, thread};
  }
  /// The same for another instruction of the same thread and pc.
  void offer_next(std::uint32_t instruction) { offered_.instruction = instruction; }
  void offer_nothing() { offered_.thread = Offered::kNone; }
  const Offered& offered() const { return offered_; }

  /// Text of a fault about the instruction that raised it.
  static std::string text_of(unsigned thread, std::uint32_t instruction, std::uint32_t pc) {
    return "; thread T" + std::to_string(thread) + ", " + regs::tensix::disassemble(instruction) +
           (pc == 0 ? "" : ", which its core pushed at pc " + foundation::hex(pc));
  }

  void raise(const foundation::Fault& fault) override { policy_.raise(with_instruction(fault)); }
  void warn(const foundation::Fault& fault) override {
    auto* const sink = dynamic_cast<foundation::WarningSink*>(&policy_);
    if (sink == nullptr) return raise(fault);
    sink->warn(with_instruction(fault));
  }

 private:
  foundation::Fault with_instruction(const foundation::Fault& fault) const {
    if (offered_.thread == Offered::kNone) return fault;
    return {fault.kind(), fault.where(),
            fault.message() + text_of(offered_.thread, offered_.instruction, offered_.pc)};
  }

  foundation::FaultPolicy& policy_;
  Offered offered_;
};

}  // namespace tvp::tensix::coprocessor
