#pragma once

#include <cstdint>

#include "models/riscv/tensix_instruction_port.h"
#include "models/tensix/coprocessor/coprocessor.h"
#include "models/tensix/tile/pc_buffers.h"

namespace tvp::tensix {

/// The connection of T cores and PCBufs to the coprocessor's threads.
class ThreadPort : public ThreadStatus, public riscv::TensixInstructionPort {
 public:
  explicit ThreadPort(coprocessor::Coprocessor& coprocessor) : coprocessor_(coprocessor) {}

  bool thread_idle(unsigned thread) const override { return coprocessor_.thread_idle(thread); }
  bool mop_expander_done(unsigned thread) const override {
    return coprocessor_.mop_expander_done(thread);
  }
  bool push(unsigned thread, std::uint32_t instruction, support::Cycle now,
            unsigned order) override {
    return coprocessor_.issue().push(thread, instruction, now, order);
  }

 private:
  coprocessor::Coprocessor& coprocessor_;
};

}  // namespace tvp::tensix
