#pragma once

#include <cstdint>

#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/frontend/dst_handover.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// Which part of Dst is T1's, where firmware hands it over as DstHandover has it: with two parts
/// that take turns (SEMINIT gives semaphore 1 at most 2) one half after the other, from the first
/// one on, else all of it. Tiles are selected by DEST_TARGET_REG_CFG_MATH_Offset, which hardware
/// adds up modulo 1024 without a word: a tile beyond the part is one of those that T2 packs.
class DstPart {
 public:
  /// The sync unit has executed an instruction of this thread.
  void synchronized(std::uint32_t instruction, unsigned thread) {
    namespace op = regs::tensix;
    const auto has = [](std::uint32_t mask) { return (mask >> DstHandover::kSemaphore & 1) != 0; };
    switch (op::opcode_of(instruction)) {
      case op::Opcode::kSeminit:
        if (has(op::Seminit::kSemaphoreMask.of(instruction))) {
          parts_ = op::Seminit::kNewMax.of(instruction);
          half_ = 0;
          waits_ = false;
        }
        break;
      case op::Opcode::kSemwait:
        if (thread == 1 && has(op::Semwait::kSemaphoreMask.of(instruction))) waits_ = true;
        break;
      case op::Opcode::kSempost:
        if (thread == 1 && has(op::Sempost::kSemaphoreMask.of(instruction))) half_ ^= 1;
        break;
      default:
        break;
    }
  }
  /// T1 has set the row that its instructions begin at; of 32 bits or of 16.
  void selected(unsigned row, bool dst32) {
    row_ = row;
    is_outside_ = false;
    if (!waits_ || parts_ == 0 || parts_ > 2) return;
    const unsigned storage = dst32 ? Dst::adjusted(row) : row;
    is_outside_ = row >= Dst::kRows || (parts_ == 2 && storage / (Dst::kRows / 2) != half_) ||
                  (parts_ == 1 && dst32 && row >= Dst::kRows / 2);
  }
  /// True if T1's change now is outside of its part.
  bool is_outside() const { return is_outside_; }
  void told() { is_outside_ = false; }

  unsigned row() const { return row_; }
  unsigned half() const { return half_; }
  bool takes_turns() const { return parts_ == 2; }

 private:
  unsigned parts_ = 0;  ///< as SEMINIT said
  unsigned half_ = 0;
  unsigned row_ = 0;
  bool waits_ = false;  ///< T1 does, for a part
  bool is_outside_ = false;
};

}  // namespace tvp::tensix::coprocessor
