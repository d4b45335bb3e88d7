#include "models/tensix/coprocessor/vector/vector_rules.h"

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

bool VectorRules::changes(Opcode opcode, unsigned mod) const {
  if (!is_blackhole_) return false;
  switch (opcode) {
    case Opcode::kSfple:
    case Opcode::kSfpgt:
    case Opcode::kSfpmul24:
    case Opcode::kSfparecip:
      return true;
    case Opcode::kSfpmad:
    case Opcode::kSfpadd:
    case Opcode::kSfpmul:
      return (mod & 3) != 0;
    case Opcode::kSfpshft:
      return (mod & 6) != 0;
    case Opcode::kSfpcast:
      return (mod & 2) != 0;
    case Opcode::kSfppushc:
      return mod != 0;
    default:
      return false;
  }
}

std::uint8_t VectorRules::vb(std::uint32_t word, unsigned mod, std::uint8_t usual) const {
  constexpr unsigned kShiftOfVc = 5;
  if (!is_blackhole_) return usual;
  const Opcode opcode = opcode_of(word);
  if (opcode == Opcode::kSfpshft && (mod & kShiftOfVc) == kShiftOfVc)
    return static_cast<std::uint8_t>(Sfpshft::kVc.of(word));
  const bool bitwise = opcode == Opcode::kSfpand || opcode == Opcode::kSfpor;
  return bitwise && (mod & 1) != 0 ? static_cast<std::uint8_t>(Sfpmad::kVb.of(word)) : usual;
}

}  // namespace tvp::tensix::coprocessor
