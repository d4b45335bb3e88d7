#include "foundation/regs/instruction_form.h"

#include <array>
#include <span>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::regs::tensix {

namespace {

/// The fields of an opcode that moved between generations.
struct MovedFields {
  std::array<MovedField, 4> fields{};
  unsigned count = 0;

  constexpr void add(const MovedField& field) { fields.at(count++) = field; }
  constexpr std::span<const MovedField> list() const { return {fields.data(), count}; }
};

// clang-format off
constexpr std::array<MovedFields, 256> moved_fields() {
  std::array<MovedFields, 256> all{};
#define ADD_F(Name, low, width)
#define ADD_A(Name, low, width)
#define ADD_C(Name, low, width, value)
#define ADD_G(Name, low, width, ...) row.add({{low, width}, {__VA_ARGS__}});
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) {               \
    [[maybe_unused]] MovedFields& row = all[static_cast<Word>(opcode)];   \
    TVP_EACH(ADD_, __VA_ARGS__)                                           \
  }
#include "foundation/regs/tensix_opcodes.def"
  return all;
}
// clang-format on

constexpr std::array<MovedFields, 256> kMovedFields = moved_fields();

}  // namespace

InstructionForm::InstructionForm(Generation generation)
    : moves_(generation == Generation::kBlackhole) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    Word replaced = 0;
    for (const MovedField& field : kMovedFields[opcode].list()) {
      if (field.is_wider()) replaced |= Word{1} << MovedField::kHighBit;
      if (moves_) replaced |= field(~Word{0}) | field.blackhole(~Word{0});
    }
    kept_[opcode] = ~replaced;
  }
}

const InstructionForm& InstructionForm::of(Generation generation) {
  static const InstructionForm kWormhole(Generation::kWormhole);
  static const InstructionForm kBlackhole(Generation::kBlackhole);
  return generation == Generation::kBlackhole ? kBlackhole : kWormhole;
}

Word InstructionForm::moved(Word word) {
  Word result = 0;
  for (const MovedField& field : kMovedFields[word >> 24].list())
    result |= field.internal(field.blackhole.of(word));
  return result;
}

Word InstructionForm::external(Word internal) const {
  if (!moves_) return internal;
  Word result = internal & kept_[internal >> 24];
  for (const MovedField& field : kMovedFields[internal >> 24].list())
    result |= field.blackhole(field.of(internal));
  return result;
}

}  // namespace tvp::regs::tensix
