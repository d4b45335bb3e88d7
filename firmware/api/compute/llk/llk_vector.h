#pragma once

// Functions of tiles of DST on the vector unit under LLK names. Kernels call them within MATH(), or
// for the half to be packed within PACK(). Template parameters for approximations or for the
// vectors of a face have no effect.

#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/llk/ckernel_sfpu.h"
#include "api/compute/pack_activations.h"

/// The function that an init prepares. Here no function needs one.
enum class SfpuType {
  unused,
  tanh,
  hardtanh,
  gelu,
  exponential,
  exp_with_base,
  sigmoid,
  sigmoid_appx,
  reciprocal,
  sqrt,
  rsqrt,
  lrelu,
  power,
  square,
  tanh_derivative,
  log,
  log_with_base,
  equal_zero,
  not_equal_zero,
  less_than_zero,
  greater_than_equal_zero,
  less_than_equal_zero,
  greater_than_zero,
  clamp,
  gelu_derivative,
  dropout,
  relu_min,
  relu_max,
  elu,
  exp2,
  heaviside,
  expm1,
  signbit,
  asin,
  acos,
  atan,
  sine,
  cosine,
  tan,
  sign,
  abs,
  negative,
  identity,
  silu,
  softplus,
  typecast,
  max,
  min,
  fill,
  where,
  mask,
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  add1,
  reduce
};

namespace ckernel {

enum class BinaryOp : uint8_t { ADD, SUB, MUL, DIV, RSUB, POW };
namespace sfpu {
using ckernel::BinaryOp;
}

#if COMPILE_FOR_TRISC != 0 && defined(__riscv)

namespace math {
/// Address modifiers by number are then those of the vector unit's sections, otherwise those of the
/// matrix unit.
ALWI void set_addr_mod_base() { llk::use_vector_mods(true); }
/// Also resets the row counters, which the library's functions expect and whose inits do not change
/// them.
ALWI void clear_addr_mod_base() { llk::sfpu::end(); }
}  // namespace math

namespace llk_vector {
template <typename Program>
ALWI void unary(uint32_t dst, int mode, Program program) {
#if COMPILE_FOR_TRISC == 1
  sfpu_unary(dst, mode, program);
#else
  sfpu_of_pack(dst, mode, program);
#endif
}
ALWI llk::TileShape shape() {
#if COMPILE_FOR_TRISC == 1
  return thread_state.shape;
#else
  return thread_state.out.shape;
#endif
}
ALWI void init() { PACK((llk::sfpu::init_addr_mods())); }
}  // namespace llk_vector

/// `init` prepares a function of the kernel.
template <SfpuType, auto...>
ALWI void llk_math_eltwise_unary_sfpu_init() {
  llk_vector::init();
}
template <SfpuType, auto..., typename Init, typename... Args>
ALWI void llk_math_eltwise_unary_sfpu_init(Init init, Args... args) {
  llk_vector::init();
  init(args...);
}
template <SfpuType, auto...>
ALWI void llk_math_eltwise_binary_sfpu_init() {
  llk_vector::init();
}
template <SfpuType, auto..., typename Init, typename... Args>
ALWI void llk_math_eltwise_binary_sfpu_init(Init init, Args... args) {
  llk_vector::init();
  init(args...);
}

// Inits of functions from ckernel::sfpu for any operation (llk_math_eltwise_*_sfpu_macros.h). They
// call the given function.
#define SFPU_UNARY_INIT(operation) ::ckernel::llk_vector::init()
#define SFPU_UNARY_INIT_FN_ARGS(operation, function, parameters, ...) \
  (::ckernel::llk_vector::init(), function<TVP_SFPU_WITHIN parameters>(__VA_ARGS__))
#define SFPU_UNARY_INIT_FN SFPU_UNARY_INIT_FN_ARGS
#define SFPU_BINARY_INIT SFPU_UNARY_INIT
#define SFPU_BINARY_INIT_FN_NO_ARGS(operation, function) (::ckernel::llk_vector::init(), function())
#define SFPU_BINARY_INIT_FN SFPU_UNARY_INIT_FN_ARGS
#define SFPU_BINARY_INIT_FN_ARGS SFPU_UNARY_INIT_FN_ARGS
#define SFPU_TERNARY_INIT SFPU_UNARY_INIT
#define SFPU_TERNARY_INIT_FN_NO_ARGS SFPU_BINARY_INIT_FN_NO_ARGS
#define SFPU_TERNARY_INIT_FN SFPU_UNARY_INIT_FN_ARGS
#define SFPU_TERNARY_INIT_FN_ARGS SFPU_UNARY_INIT_FN_ARGS

#define TVP_LLK_UNARY(name)                                                               \
  template <auto...>                                                                      \
  ALWI void llk_math_eltwise_unary_sfpu_##name##_init() {                                 \
    llk_vector::init();                                                                   \
  }                                                                                       \
  template <auto...>                                                                      \
  ALWI void llk_math_eltwise_unary_sfpu_##name(uint32_t dst, int mode = VectorMode::RC) { \
    llk_vector::unary(dst, mode, [] { llk::sfpu::name##_program(); });                    \
  }
TVP_LLK_UNARY(silu)
TVP_LLK_UNARY(sigmoid)
#undef TVP_LLK_UNARY

// Inits of functions that kernels then call by their API names, which need no init.
// clang-format off
#define TVP_LLK_INIT(name) \
  template <auto...>       \
  ALWI void llk_math_eltwise_unary_sfpu_##name##_init() { llk_vector::init(); }
TVP_LLK_INIT(abs) TVP_LLK_INIT(acos) TVP_LLK_INIT(acosh) TVP_LLK_INIT(add1) TVP_LLK_INIT(asin)
TVP_LLK_INIT(asinh) TVP_LLK_INIT(atan) TVP_LLK_INIT(atanh) TVP_LLK_INIT(binop_with_scalar)
TVP_LLK_INIT(bitwise_and) TVP_LLK_INIT(bitwise_not) TVP_LLK_INIT(bitwise_or)
TVP_LLK_INIT(bitwise_xor) TVP_LLK_INIT(cbrt) TVP_LLK_INIT(ceil) TVP_LLK_INIT(celu)
TVP_LLK_INIT(clamp) TVP_LLK_INIT(cosh) TVP_LLK_INIT(cosine) TVP_LLK_INIT(elu) TVP_LLK_INIT(eqz)
TVP_LLK_INIT(erf) TVP_LLK_INIT(erfc) TVP_LLK_INIT(erfinv) TVP_LLK_INIT(exp2) TVP_LLK_INIT(expm1)
TVP_LLK_INIT(fill) TVP_LLK_INIT(floor) TVP_LLK_INIT(fmod) TVP_LLK_INIT(gelu)
TVP_LLK_INIT(gelu_derivative) TVP_LLK_INIT(gez) TVP_LLK_INIT(gtz) TVP_LLK_INIT(hardmish)
TVP_LLK_INIT(hardsigmoid) TVP_LLK_INIT(hardtanh) TVP_LLK_INIT(heaviside) TVP_LLK_INIT(i0)
TVP_LLK_INIT(i1) TVP_LLK_INIT(identity) TVP_LLK_INIT(isfinite) TVP_LLK_INIT(isinf)
TVP_LLK_INIT(isnan) TVP_LLK_INIT(isneginf) TVP_LLK_INIT(isposinf) TVP_LLK_INIT(left_shift)
TVP_LLK_INIT(lez) TVP_LLK_INIT(log) TVP_LLK_INIT(log1p) TVP_LLK_INIT(log_with_base)
TVP_LLK_INIT(logical_not_unary) TVP_LLK_INIT(lrelu) TVP_LLK_INIT(ltz) TVP_LLK_INIT(mask)
TVP_LLK_INIT(max) TVP_LLK_INIT(min) TVP_LLK_INIT(negative) TVP_LLK_INIT(nez) TVP_LLK_INIT(power)
TVP_LLK_INIT(prelu) TVP_LLK_INIT(rdiv) TVP_LLK_INIT(reciprocal) TVP_LLK_INIT(relu)
TVP_LLK_INIT(relu_max) TVP_LLK_INIT(relu_min) TVP_LLK_INIT(remainder) TVP_LLK_INIT(right_shift)
TVP_LLK_INIT(rounding_op) TVP_LLK_INIT(rpow) TVP_LLK_INIT(rsqrt) TVP_LLK_INIT(rsub)
TVP_LLK_INIT(selu) TVP_LLK_INIT(sign) TVP_LLK_INIT(signbit) TVP_LLK_INIT(sine) TVP_LLK_INIT(sinh)
TVP_LLK_INIT(softplus) TVP_LLK_INIT(softshrink) TVP_LLK_INIT(softsign) TVP_LLK_INIT(sqrt)
TVP_LLK_INIT(square) TVP_LLK_INIT(tan) TVP_LLK_INIT(tanh) TVP_LLK_INIT(tanh_derivative)
TVP_LLK_INIT(threshold) TVP_LLK_INIT(typecast) TVP_LLK_INIT(unary_eq) TVP_LLK_INIT(unary_ge)
TVP_LLK_INIT(unary_gt) TVP_LLK_INIT(unary_le) TVP_LLK_INIT(unary_lt) TVP_LLK_INIT(unary_max)
TVP_LLK_INIT(unary_min) TVP_LLK_INIT(unary_ne)
#undef TVP_LLK_INIT
#define TVP_LLK_INIT(name) \
  template <auto...>       \
  ALWI void llk_math_eltwise_binary_sfpu_##name##_init() { llk_vector::init(); }
TVP_LLK_INIT(add_int) TVP_LLK_INIT(binary_max) TVP_LLK_INIT(binary_min) TVP_LLK_INIT(bitwise)
TVP_LLK_INIT(copy_dest_values) TVP_LLK_INIT(div_int32) TVP_LLK_INIT(gcd) TVP_LLK_INIT(lcm)
TVP_LLK_INIT(logsigmoid) TVP_LLK_INIT(mul_int) TVP_LLK_INIT(rsub_int) TVP_LLK_INIT(shift)
TVP_LLK_INIT(sub_int) TVP_LLK_INIT(xlogy)
#undef TVP_LLK_INIT
    // clang-format on
    /// This init keeps its parameters for the calls.
    template <auto... kArguments>
    ALWI void llk_math_eltwise_unary_sfpu_exponential_init() {
  exp_tile_init<kArguments...>();
}

/// DST[out] = DST[a] op DST[b].
template <bool, BinaryOp, auto...>
ALWI void llk_math_eltwise_binary_sfpu_binop_init() {
  llk_vector::init();
}
template <bool, BinaryOp kOperation, auto...>
ALWI void llk_math_eltwise_binary_sfpu_binop(uint32_t a, uint32_t b, uint32_t out,
                                             int mode = VectorMode::RC) {
  namespace s = llk::sfpu;
  static_assert(kOperation != BinaryOp::POW, "a power of two tiles is power_binary_tile() here");
  constexpr s::Binary kHow = kOperation == BinaryOp::ADD   ? s::Binary::kAdd
                             : kOperation == BinaryOp::SUB ? s::Binary::kSubtract
                             : kOperation == BinaryOp::MUL ? s::Binary::kMultiply
                             : kOperation == BinaryOp::DIV ? s::Binary::kDivide
                                                           : s::Binary::kReverseSubtract;
  s::binary<DST_ACCUM_MODE>(thread_state.half, a, b, out, llk_vector::shape(),
                            static_cast<s::VectorMode>(mode), [] { s::binary_program<kHow>(); });
}

namespace sfpu {
/// Runs a program of the library over the vectors of a face.
template <typename Program>
ALWI void library_over_face(int vectors, Program program) {
  llk::sfpu::load_constants();
  for (int i = 0; i < vectors; ++i) {
    llk::sfpu::load_dst<0, DST_ACCUM_MODE, 0>();
    program();
    llk::sfpu::round_for_dst<0, DST_ACCUM_MODE>();
    llk::sfpu::store_dst<0, DST_ACCUM_MODE, 0, llk::sfpu::kNextVector>();
  }
}
/// gelu and reciprocals need no preparation.
template <auto...>
ALWI void gelu_init() {}
template <auto...>
ALWI void _init_reciprocal_() {}
template <bool, bool, int kVectors = 8>
ALWI void calculate_gelu() {
  library_over_face(kVectors, [] { llk::sfpu::gelu_program(); });
}
template <auto...>
sfpi_inline vFloat _sfpu_exp_21f_bf16_(vFloat x) {
  return exponential<false>(x);
}
}  // namespace sfpu

#endif

}  // namespace ckernel
