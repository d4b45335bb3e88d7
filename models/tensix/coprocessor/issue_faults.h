#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/regs/tensix_disassembler.h"

namespace tvp::tensix::coprocessor {

/// Between units and whoever decides about faults: says which instruction of which thread raised
/// one, which units do not know.
class IssueFaults : public foundation::FaultPolicy {
 public:
  explicit IssueFaults(foundation::FaultPolicy& policy) : policy_(policy) {}

  /// What a unit does from now on, it does for this instruction.
  void offered(unsigned thread, std::uint32_t instruction) {
    thread_ = thread;
    instruction_ = instruction;
  }
  void nothing_offered() { thread_ = kNone; }

  void raise(const foundation::Fault& fault) override {
    if (thread_ == kNone) return policy_.raise(fault);
    policy_.raise(foundation::Fault(fault.kind(), fault.where(),
                                    fault.message() + "; thread T" + std::to_string(thread_) +
                                        ", " + regs::tensix::disassemble(instruction_)));
  }

 private:
  static constexpr unsigned kNone = ~0u;

  foundation::FaultPolicy& policy_;
  unsigned thread_ = kNone;
  std::uint32_t instruction_ = 0;
};

}  // namespace tvp::tensix::coprocessor
