#include "foundation/regs/tensix_disassembler.h"

#include "foundation/hex.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::regs::tensix {

namespace {

struct NamedField {
  const char* name;  ///< null in the last entry
  Field wormhole;
  Field blackhole;

  const Field& in(Generation generation) const {
    return generation == Generation::kBlackhole ? blackhole : wormhole;
  }
};

struct Form {
  Word mask;
  Word match;
  const NamedField* fields;
};

template <typename... Constants>
constexpr Form form(const NamedField* fields, Opcode opcode, Constants... constants) {
  return {(0xFF000000U | ... | constants(~Word{0})),
          (word(opcode) | ... | constants(constants.value)), fields};
}

// clang-format off
#define NAMED_F(Name, low, width) {#Name, {low, width}, {low, width}},
#define NAMED_G(Name, low, width, other_low, other_width) {#Name, {low, width}, {other_low, other_width}},
#define NAMED_A(Name, low, width)
#define NAMED_C(Name, low, width, value) NAMED_F(Name, low, width)
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  FORM(Type, encoder, Type __VA_OPT__(,) __VA_ARGS__)
#define FORM(Type, encoder, Base, ...) \
  constexpr NamedField kFieldsOf##Type[] = {TVP_EACH(NAMED_, __VA_ARGS__) {nullptr, {}, {}}};
#include "foundation/regs/tensix_opcodes.def"

constexpr Form kForms[] = {
#define FIXED_F(Name, low, width)
#define FIXED_G(Name, ...)
#define FIXED_A(Name, low, width)
#define FIXED_C(Name, low, width, value) , Constant{{low, width}, value}
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  FORM(Type, encoder, Type __VA_OPT__(,) __VA_ARGS__)
#define FORM(Type, encoder, Base, ...) \
  form(kFieldsOf##Type, Opcode::k##Base TVP_EACH(FIXED_, __VA_ARGS__)),
#include "foundation/regs/tensix_opcodes.def"
};
// clang-format on

std::string number(Word value) {
  return value < 10 ? std::to_string(value) : foundation::hex(value);
}

}  // namespace

std::string disassemble(Word instruction, Generation generation) {
  const char* const mnemonic = opcode_name(opcode_of(instruction));
  if (mnemonic == nullptr) {
    return "opcode " + foundation::hex(instruction >> 24) + " " +
           foundation::hex(instruction & 0xFFFFFF);
  }
  std::string text = mnemonic;
  Word rest = instruction & 0xFFFFFF;
  for (const Form& form : kForms) {
    if ((instruction & form.mask) != form.match) continue;
    for (const NamedField* named = form.fields; named->name != nullptr; ++named) {
      const Field& field = named->in(generation);
      const Word value = field.of(instruction);
      if (value != 0) text += std::string(" ") + named->name + "=" + number(value);
      rest &= ~field(~Word{0});
    }
    break;
  }
  if (rest != 0) text += " " + foundation::hex(rest);
  return text;
}

}  // namespace tvp::regs::tensix
