#include "platform/checks/coprocessor/instructions.h"

#include "foundation/hex.h"
#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::checks {

namespace op = regs::tensix;

std::string instruction_text(std::uint32_t instruction, unsigned thread) {
  return op::disassemble(instruction) + " of T" + std::to_string(thread);
}

std::string origin_text(const support::Offered& offered) {
  if (offered.thread == support::Offered::kNone) return "";
  return "; thread T" + std::to_string(offered.thread) + ", " +
         op::disassemble(offered.instruction) +
         (offered.pc == 0 ? "" : ", which its core pushed at pc " + foundation::hex(offered.pc));
}

bool writes_result(std::uint32_t instruction) {
  using O = op::Opcode;
  switch (op::opcode_of(instruction)) {
    case O::kMvmul:
    case O::kElwadd:
    case O::kElwsub:
    case O::kElwmul:
    case O::kMova2d:
    case O::kMovb2d:
    case O::kGapool:
    case O::kGmpool:
    case O::kSfpstore:
      return true;
    default:
      return false;
  }
}

bool packs_dst(std::uint32_t instruction) {
  return op::opcode_of(instruction) == op::Opcode::kPacr && op::Pacr::kFlush.of(instruction) == 0 &&
         op::Pacr::kZeroWrite.of(instruction) == 0;
}

}  // namespace tvp::checks
