#pragma once

#include <stdint.h>

// clang-format off
// Puts X in front of each of up to 14 further arguments. (Written out: recursion takes longer to
// read than all that is made by it.)
#define TVP_EACH(X, ...)                                                                     \
  TVP_COUNT(__VA_ARGS__ __VA_OPT__(,) 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(X __VA_OPT__(,) __VA_ARGS__)
#define TVP_COUNT(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, n, ...) TVP_EACH_##n
#define TVP_EACH_0(X)
#define TVP_EACH_1(X, a) X##a
#define TVP_EACH_2(X, a, ...) X##a TVP_EACH_1(X, __VA_ARGS__)
#define TVP_EACH_3(X, a, ...) X##a TVP_EACH_2(X, __VA_ARGS__)
#define TVP_EACH_4(X, a, ...) X##a TVP_EACH_3(X, __VA_ARGS__)
#define TVP_EACH_5(X, a, ...) X##a TVP_EACH_4(X, __VA_ARGS__)
#define TVP_EACH_6(X, a, ...) X##a TVP_EACH_5(X, __VA_ARGS__)
#define TVP_EACH_7(X, a, ...) X##a TVP_EACH_6(X, __VA_ARGS__)
#define TVP_EACH_8(X, a, ...) X##a TVP_EACH_7(X, __VA_ARGS__)
#define TVP_EACH_9(X, a, ...) X##a TVP_EACH_8(X, __VA_ARGS__)
#define TVP_EACH_10(X, a, ...) X##a TVP_EACH_9(X, __VA_ARGS__)
#define TVP_EACH_11(X, a, ...) X##a TVP_EACH_10(X, __VA_ARGS__)
#define TVP_EACH_12(X, a, ...) X##a TVP_EACH_11(X, __VA_ARGS__)
#define TVP_EACH_13(X, a, ...) X##a TVP_EACH_12(X, __VA_ARGS__)
#define TVP_EACH_14(X, a, ...) X##a TVP_EACH_13(X, __VA_ARGS__)
// clang-format on

namespace tvp::regs::tensix {

using Word = uint32_t;

/// Bits 31:24 of a Tensix instruction.
enum class Opcode : uint8_t {
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) k##Type = (opcode),
#define NO_PAGE(Type, MNEMONIC, opcode) k##Type = (opcode),
#include "foundation/regs/tensix_opcodes.def"
};

/// One field of an instruction word.
struct Field {
  unsigned low;
  unsigned width;

  [[gnu::always_inline]] constexpr Word mask() const {
    return width >= 32 ? ~Word{0} : (Word{1} << width) - 1;
  }
  /// Reads the field of an instruction.
  constexpr Word of(Word instruction) const { return (instruction >> low) & mask(); }
  /// Like of(), but the top bit of the field is the sign.
  constexpr int32_t signed_of(Word instruction) const {
    const Word sign = Word{1} << (width - 1);
    return static_cast<int32_t>((of(instruction) ^ sign) - sign);
  }
  /// The bits of `value` at the place of the field. Bits that do not fit are dropped.
  [[gnu::always_inline]] constexpr Word operator()(Word value) const {
    return (value & mask()) << low;
  }
};

/// A field at another place in Blackhole's instructions, where it may be one bit wider. Models
/// execute instructions in Wormhole's form (instruction_form.h). It has the additional bit at
/// kHighBit, which no instruction with such a field uses.
struct MovedField : Field {
  static constexpr unsigned kHighBit = 11;
  Field blackhole;

  constexpr bool is_wider() const { return blackhole.width > width; }
  constexpr Word of(Word instruction) const {
    const Word high = is_wider() ? (instruction >> kHighBit & 1) << width : 0;
    return Field::of(instruction) | high;
  }
  /// The bits of `value` in the form that models execute.
  constexpr Word internal(Word value) const {
    return (*this)(value) | (is_wider() ? (value >> width & 1) << kHighBit : 0);
  }
};

/// A field that has the same value in all instructions of a form.
struct Constant : Field {
  Word value;

  constexpr bool holds(Word instruction) const { return of(instruction) == value; }
};

[[gnu::always_inline]] constexpr Word word(Opcode opcode) {
  return static_cast<Word>(opcode) << 24;
}
constexpr Opcode opcode_of(Word instruction) { return static_cast<Opcode>(instruction >> 24); }

/// The mnemonic; null for an opcode that no generation has.
constexpr const char* opcode_name(Opcode opcode) {
  switch (opcode) {
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  case Opcode::k##Type:                                   \
    return #MNEMONIC;
#define NO_PAGE(Type, MNEMONIC, opcode) INSTRUCTION(Type, , MNEMONIC, opcode)
#include "foundation/regs/tensix_opcodes.def"
  }
  return nullptr;
}

}  // namespace tvp::regs::tensix
