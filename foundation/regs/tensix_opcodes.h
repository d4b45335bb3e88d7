#pragma once

#include "foundation/regs/tensix_opcode.h"

/// Every Tensix instruction as a struct of fields (`Mvmul::kDstRow`) and an encoder
/// (`encode_mvmul(...)`), from the rows of tensix_opcodes.def. Freestanding for firmware, which
/// gets the fields of its own generation.
namespace tvp::regs::tensix {

// clang-format off
#define TVP_MEMBER_F(Name, low, width) static constexpr Field k##Name{low, width};
#if defined(ARCH_BLACKHOLE)
#define TVP_MEMBER_G(Name, low, width, ...) static constexpr Field k##Name{__VA_ARGS__};
#else
#define TVP_MEMBER_G(Name, low, width, ...) static constexpr MovedField k##Name{{low, width}, {__VA_ARGS__}};
#endif
#define TVP_MEMBER_A(Name, low, width) static constexpr Field k##Name{low, width};
#define TVP_MEMBER_C(Name, low, width, value) static constexpr Constant k##Name{{low, width}, value};
#define TVP_PARAMETER_F(Name, low, width) , Word Name
#define TVP_PARAMETER_G(Name, low, width, ...) , Word Name
#define TVP_PARAMETER_A(Name, low, width)
#define TVP_PARAMETER_C(Name, low, width, value)
#define TVP_TERM_F(Name, low, width) | I::k##Name(Name)
#define TVP_TERM_G(Name, low, width, ...) | I::k##Name(Name)
#define TVP_TERM_A(Name, low, width)
#define TVP_TERM_C(Name, low, width, value) | I::k##Name(value)
#define TVP_BEHIND_COMMA(nothing, ...) __VA_ARGS__
#define TVP_PARAMETERS(...) TVP_BEHIND_COMMA(__VA_ARGS__)

// Values that do not fit into their field are cut. Encoders are always inlined, even in large
// functions: their arguments are mostly constant, so the instruction becomes a constant.
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  FORM(Type, encoder, Type __VA_OPT__(,) __VA_ARGS__)
#define FORM(Type, encoder, Base, ...)                                                            \
  struct Type {                                                                                   \
    static constexpr Opcode kOpcode = Opcode::k##Base;                                            \
    TVP_EACH(TVP_MEMBER_, __VA_ARGS__)                                                            \
  };                                                                                              \
  [[gnu::always_inline]] constexpr Word encode_##encoder(                                         \
      TVP_PARAMETERS(TVP_EACH(TVP_PARAMETER_, __VA_ARGS__))) {                                    \
    using I = Type;                                                                               \
    return word(I::kOpcode) TVP_EACH(TVP_TERM_, __VA_ARGS__);                                     \
  }
#include "foundation/regs/tensix_opcodes.def"
// clang-format on

}  // namespace tvp::regs::tensix
