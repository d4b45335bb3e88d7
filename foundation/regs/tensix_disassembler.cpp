#include "foundation/regs/tensix_disassembler.h"

#include "foundation/hex.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::regs::tensix {

namespace {

struct NamedField {
  const char* name;  ///< null in the last entry
  MovedField field;
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
#define NAMED_F(Name, low, width) {#Name, {{low, width}, {low, width}}},
#define NAMED_G(Name, low, width, other_low, other_width) {#Name, {{low, width}, {other_low, other_width}}},
#define NAMED_A(Name, low, width)
#define NAMED_C(Name, low, width, value) NAMED_F(Name, low, width)
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  FORM(Type, encoder, Type __VA_OPT__(,) __VA_ARGS__)
#define FORM(Type, encoder, Base, ...) \
  constexpr NamedField kFieldsOf##Type[] = {TVP_EACH(NAMED_, __VA_ARGS__) {nullptr, {}}};
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

/// `value_of` and `bits_of` read a field and say where it is.
template <typename ValueOf, typename BitsOf>
std::string text_of(Word instruction, ValueOf value_of, BitsOf bits_of) {
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
      const Word value = value_of(named->field);
      if (value != 0) text += std::string(" ") + named->name + "=" + number(value);
      rest &= ~bits_of(named->field);
    }
    break;
  }
  if (rest != 0) text += " " + foundation::hex(rest);
  return text;
}

}  // namespace

std::string disassemble(Word instruction) {
  return text_of(
      instruction, [&](const MovedField& field) { return field.of(instruction); },
      [](const MovedField& field) { return field.internal(~Word{0}); });
}

std::string disassemble(Word instruction, Generation generation) {
  const auto in = [&](const MovedField& field) -> const Field& {
    return generation == Generation::kBlackhole ? field.blackhole : field;
  };
  return text_of(
      instruction, [&](const MovedField& field) { return in(field).of(instruction); },
      [&](const MovedField& field) { return in(field)(~Word{0}); });
}

}  // namespace tvp::regs::tensix
