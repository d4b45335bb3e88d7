#pragma once

#include "foundation/regs/generation.h"
#include "foundation/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

/// The instruction words of a generation. Models execute one form for all of them: that of
/// Wormhole, with a third bit of an address modifier at MovedField::kHighBit.
class InstructionForm {
 public:
  static const InstructionForm& of(Generation generation);

  /// An instruction of the generation in the form that models execute.
  Word internal(Word word) const {
    const Word kept = word & kept_[word >> 24];
    return moves_ ? kept | moved(word) : kept;
  }
  /// The instruction of the generation that becomes `internal`.
  Word external(Word internal) const;

 private:
  explicit InstructionForm(Generation generation);
  static Word moved(Word word);

  bool moves_;  ///< fields are at other places than in the internal form
  Word kept_[256];
};

}  // namespace tvp::regs::tensix
