#pragma once

#include <cstdint>

#include "foundation/regs/generation.h"
#include "foundation/regs/tensix_opcode.h"

namespace tvp::tensix::coprocessor {

/// The vector unit's differences between generations (ISA WormholeB0 and BlackholeA0,
/// TensixCoprocessor/VectorUnit.md).
class VectorRules {
 public:
  using Opcode = regs::tensix::Opcode;

  explicit constexpr VectorRules(Generation generation)
      : is_blackhole_(generation == Generation::kBlackhole) {}

  /// False for an instruction of another generation.
  bool has(Opcode opcode) const {
    return is_blackhole_ || opcode < Opcode::kSfple || opcode > Opcode::kSfparecip;
  }
  /// An instruction waits for a result that comes a cycle late, and needs no SFPNOP before it.
  bool waits_for_results() const { return is_blackhole_; }
  /// SFPPOPC reads the top of a full stack; on Wormhole this overwrites the bottom.
  bool peeks_at_full_stack() const { return is_blackhole_; }
  /// The register of the operand VB, which is `usual` on Wormhole.
  std::uint8_t vb(std::uint32_t word, unsigned mod, std::uint8_t usual) const;
  /// The instruction does something else than on Wormhole.
  bool changes(Opcode opcode, unsigned mod) const;

 private:
  bool is_blackhole_;
};

}  // namespace tvp::tensix::coprocessor
