#pragma once

#include <cstdint>

#include "models/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

/// T1 hands parts of Dst over to T2 with semaphore 1, as tt-metal's firmware does: it posts when it
/// has written one, and T2 gets when it has packed it. Firmware that has done both since it
/// initialized the semaphore must not pack while it is zero; other firmware may do as it likes.
class DstHandover {
 public:
  static constexpr unsigned kSemaphore = 1;

  /// The sync unit has executed an instruction of this thread.
  void synchronized(std::uint32_t instruction, unsigned thread) {
    namespace op = regs::tensix;
    const op::Opcode opcode = op::opcode_of(instruction);
    const bool sets = opcode == op::Opcode::kSeminit;
    if (!sets && opcode != op::Opcode::kSempost && opcode != op::Opcode::kSemget) return;
    const std::uint32_t mask = sets ? op::Seminit::kSemaphoreMask.of(instruction)
                                    : op::Sempost::kSemaphoreMask.of(instruction);
    if ((mask >> kSemaphore & 1) == 0) return;
    if (sets) {
      posted_ = taken_ = false;
    } else if (opcode == op::Opcode::kSempost) {
      posted_ = thread == 1;
    } else {
      taken_ = thread == 2;
    }
  }
  /// T2 packs what T1 has not handed over.
  bool is_ahead(std::uint32_t instruction, unsigned thread, unsigned semaphore) const {
    namespace op = regs::tensix;
    return semaphore == 0 && posted_ && taken_ && thread == 2 &&
           op::opcode_of(instruction) == op::Opcode::kPacr &&
           op::Pacr::kFlush.of(instruction) == 0 && op::Pacr::kZeroWrite.of(instruction) == 0;
  }

 private:
  bool posted_ = false;
  bool taken_ = false;
};

}  // namespace tvp::tensix::coprocessor
