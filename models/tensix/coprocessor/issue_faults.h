#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"
#include "models/regs/tensix_disassembler.h"

namespace tvp::tensix::coprocessor {

/// Between units and whoever decides about faults: says which instruction of which thread raised
/// one, which units do not know.
class IssueFaults : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  explicit IssueFaults(foundation::FaultPolicy& policy) : policy_(policy) {}

  /// What a unit does from now on, it does for this instruction.
  void offered(unsigned thread, std::uint32_t instruction) {
    thread_ = thread;
    instruction_ = instruction;
  }
  void nothing_offered() { thread_ = kNone; }

  void raise(const foundation::Fault& fault) override { policy_.raise(with_instruction(fault)); }
  void warn(const foundation::Fault& fault) override {
    auto* const sink = dynamic_cast<foundation::WarningSink*>(&policy_);
    if (sink == nullptr) return raise(fault);
    sink->warn(with_instruction(fault));
  }

 private:
  foundation::Fault with_instruction(const foundation::Fault& fault) const {
    if (thread_ == kNone) return fault;
    return {fault.kind(), fault.where(),
            fault.message() + "; thread T" + std::to_string(thread_) + ", " +
                regs::tensix::disassemble(instruction_)};
  }

  static constexpr unsigned kNone = ~0u;

  foundation::FaultPolicy& policy_;
  unsigned thread_ = kNone;
  std::uint32_t instruction_ = 0;
};

}  // namespace tvp::tensix::coprocessor
