#include "models/tensix/coprocessor/scalar/miscellaneous_unit.h"

#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
namespace cfg = regs::config;

Issue MiscellaneousUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (op::opcode_of(instruction) == op::Opcode::kSetdvalid) {
    const auto& words = config_.thread[thread];
    if (op::Setdvalid::kFlipSrcA.of(instruction) != 0) {
      registers_.srca.unpacker_flip(thread, cfg::thread::kSrcASetBase.get(words), now + 1);
    }
    if (op::Setdvalid::kFlipSrcB.of(instruction) != 0) {
      registers_.srcb.unpacker_flip(thread, cfg::thread::kSrcBSetBase.get(words), now + 1);
    }
  } else if (op::opcode_of(instruction) != op::Opcode::kNop) {
    adcs_.execute(instruction, thread);
  }
  return Issue::started(now, now + 1);
}

}  // namespace tvp::tensix::coprocessor
