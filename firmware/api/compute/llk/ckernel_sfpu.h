#pragma once

// Functions of vectors under the names of tt-metal's LLK, for kernels with their own vector-unit
// code. Also other names that kernels use within MATH() or PACK(): address modifiers and layouts of
// SFPLOAD. The results are those of tt-metal's functions, the methods are ours. Parameters that
// request less precision have no effect.

#include "api/compute/sfpu/sfpi_tile.h"
#include "api/compute/sfpu/sfpu_unary.h"

namespace ckernel::sfpu {

/// Restores all lanes to their state after a reset: LaneConfig (ISA SFPCONFIG.md) becomes zero.
/// Kernels call it on all threads.
ALWI void _init_sfpu_config_reg() {
  MATH((llk::issue<tvp::regs::tensix::encode_sfpconfig(0, 15, 1)>()));
}

}  // namespace ckernel::sfpu

#if COMPILE_FOR_TRISC != 0 && defined(__riscv)

#include <bit>  // for kernels; std::bit_cast of newlib 12 does not compile with GCC 14 and later

namespace ckernel {

/// An address modifier: the increment of each row counter and its reset.
struct addr_mod_t {
  struct addr_mod_src_t {
    uint8_t incr = 0, clr = 0, cr = 0;
  };
  struct addr_mod_dest_t {
    int16_t incr = 0;  ///< signed, 10 bits
    uint8_t clr = 0, cr = 0, c_to_cr = 0;
  };
  struct addr_mod_fidelity_t {
    uint8_t incr = 0, clr = 0;
  };
  struct addr_mod_bias_t {
    uint8_t incr = 0, clr = 0;
  };
  addr_mod_src_t srca = {};
  addr_mod_src_t srcb = {};
  addr_mod_dest_t dest = {};
  addr_mod_fidelity_t fidelity = {};
  addr_mod_bias_t bias = {};

  ALWI void set(uint8_t section) const {
    namespace thread = tvp::llk::config::thread;
    const auto ab = thread::addr_mod_ab(section);
    const auto dst = thread::addr_mod_dst(section);
    const auto b = thread::addr_mod_bias(section);
    llk::set_thread_word(ab.src_a_incr.addr32,
                         ab.src_a_incr.place(srca.incr) | ab.src_a_clear.place(srca.clr) |
                             ab.src_a_cr.place(srca.cr) | ab.src_b_incr.place(srcb.incr) |
                             ab.src_b_clear.place(srcb.clr) | ab.src_b_cr.place(srcb.cr));
    llk::set_thread_word(dst.dest_incr.addr32,
                         dst.dest_incr.place(dest.incr & 0x3FF) | dst.dest_clear.place(dest.clr) |
                             dst.dest_cr.place(dest.cr) | dst.dest_c_to_cr.place(dest.c_to_cr) |
                             dst.fidelity_incr.place(fidelity.incr) |
                             dst.fidelity_clear.place(fidelity.clr));
    llk::set_thread_word(b.bias_incr.addr32,
                         b.bias_incr.place(bias.incr) | b.bias_clear.place(bias.clr));
  }
};

/// Mod0 of SFPLOAD and SFPSTORE (ISA SFPLOAD.md).
enum InstrModLoadStore : uint32_t {
  DEFAULT = 0,
  FP16A = 1,
  FP16B = 2,
  FP32 = 3,
  INT32 = 4,
  INT8 = 5,
  LO16 = 6,
  HI16 = 7,
  INT32_2S_COMP = 12,
  INT8_2S_COMP = 13,
  LO16_ONLY = 14,
  HI16_ONLY = 15,
};

/// Functions of a tile and a number. A division gets the reciprocal.
enum BinopWithScalar { ADD_UNARY, SUB_UNARY, MUL_UNARY, DIV_UNARY, RSUB_UNARY };
#if COMPILE_FOR_TRISC == 1
template <bool, BinopWithScalar kFunction, auto...>
ALWI void llk_math_eltwise_unary_sfpu_binop_with_scalar(uint32_t dst, uint32_t number,
                                                        int mode = VectorMode::RC) {
  if constexpr (kFunction == ADD_UNARY) {
    add_unary_tile(dst, number, mode);
  } else if constexpr (kFunction == SUB_UNARY) {
    sub_unary_tile(dst, number, mode);
  } else if constexpr (kFunction == RSUB_UNARY) {
    rsub_unary_tile(dst, number, mode);
  } else {
    mul_unary_tile(dst, number, mode);
  }
}
#endif

namespace sfpu {

struct Converter {
  static float as_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }
};

/// 1 / x by `kSteps` + 1 Newton steps: relative errors of 2^-8, 2^-17 and 2^-22 (the first guess is
/// that of firmware/llk/sfpu/sfpu.h). The result is infinity for zero, and zero from 2^126 on.
template <int kSteps>
sfpi_inline vFloat _sfpu_reciprocal_(vFloat x) {
  vFloat r = reinterpret<vFloat>(vInt(static_cast<int>(llk::sfpu::kReciprocalMagic)) - as<vInt>(x));
  for (int i = 0; i <= kSteps; ++i) r = r * (2.0f - x * r);
  const vInt exponent = exexp_nodebias(x);
  v_if(exponent == 0) { r = __builtin_bit_cast(float, 0x7F800000); }
  v_elseif(exponent >= 253) { r = 0.0f; }
  v_endif;
  return r;
}
template <auto...>
sfpi_inline void sfpu_reciprocal_init() {}
/// Computes with the magnitude; callers set the sign. `kSteps` is the total number of steps.
template <int kSteps>
sfpi_inline vFloat _reciprocal_compat_(vFloat x) {
  return _sfpu_reciprocal_<kSteps - 1>(abs(x));
}

/// e^x with a relative error below 2e-5, by the reduction and the polynomial of
/// firmware/llk/sfpu/sfpu.h. It is 0 below -87 and infinity from 88.5 on. `kNeverLarge` means that
/// no x is that large.
template <bool kNeverLarge>
sfpi_inline vFloat exponential(vFloat x) {
  constexpr float kLog2E = 1.44269504f, kLn2 = 0.693147181f;
  constexpr float kRoundMagic = 1.5f * (1 << 23);
  const vFloat magic = kRoundMagic;
  const vFloat scaled = x * kLog2E + magic;
  const vFloat whole = scaled - magic;
  const vFloat f = whole * -kLn2 + x;
  vFloat r = f * 0.0396f + 0.1676f;
  r = r * f + __builtin_bit_cast(float, llk::sfpu::kExpC2);
  r = r * f + 1.0f;
  r = r * f + 1.0f;
  // The low bits of `scaled` are the power of two.
  r = reinterpret<vFloat>(as<vInt>(r) + (as<vInt>(scaled) << 23));
  v_if(x < -87.0f) { r = 0.0f; }
  v_endif;
  if constexpr (!kNeverLarge) {
    v_if(x >= 88.5f) { r = __builtin_bit_cast(float, 0x7F800000); }
    v_endif;
  }
  return r;
}
/// e^x, or with `kScale` e^(x times a number), given as BF16 bits. `kSkipPositiveCheck` means that
/// no x overflows.
template <bool, bool kScale, bool kSkipPositiveCheck>
sfpi_inline vFloat _calculate_exponential_piecewise_(vFloat x, uint16_t scale = 0x3F80) {
  if constexpr (kScale) x = x * __builtin_bit_cast(float, static_cast<uint32_t>(scale) << 16);
  return exponential<kSkipPositiveCheck>(x);
}

/// Names of other releases. The scale is given as BF16 bits.
template <bool>
sfpi_inline vFloat _sfpu_exp_improved_(vFloat x) {
  return exponential<false>(x);
}
template <bool>
sfpi_inline vFloat _sfpu_exp_accurate_(vFloat x) {
  return exponential<false>(x);
}
template <bool kScale, bool>
sfpi_inline vFloat _ckernel_sfpu_exp_accurate_(vFloat x, uint32_t scale) {
  if constexpr (kScale) x = x * __builtin_bit_cast(float, scale << 16);
  return exponential<false>(x);
}

/// ln(1 + e^(beta x)) / beta of a vector of Dst, or x where beta x is above the threshold. With y =
/// beta x it is max(y, 0) + ln(1 + t) and t = e^-|y|. The logarithm is t times a polynomial whose
/// coefficients minimize the largest relative error from 0 to 1: 1.3e-6.
template <bool, auto...>
sfpi_inline void calculate_softplus_body(auto beta, auto beta_reciprocal, auto threshold) {
  const vFloat x = dst_reg[0];
  const vFloat y = x * beta;
  const vFloat t = exponential<true>(-abs(y));
  vFloat r = t * 0.0141410215f - 0.0664017929f;
  r = r * t + 0.149223867f;
  r = r * t - 0.235038599f;
  r = r * t + 0.331094489f;
  r = r * t - 0.499869656f;
  r = r * t + 0.999998732f;
  r = r * t;
  v_if(y >= 0.0f) { r = r + y; }
  v_endif;
  r = r * beta_reciprocal;
  v_if(y > threshold) { r = x; }
  v_endif;
  dst_reg[0] = r;
}

/// A function of a face and a number, as in llk_math_eltwise_unary_sfpu_binop_with_scalar().
template <bool, BinopWithScalar kFunction, int kVectors = 8>
sfpi_inline void calculate_binop_with_scalar(uint32_t bits) {
  const float number = Converter::as_float(bits);
  for (int i = 0; i < kVectors; ++i) {
    const vFloat x = dst_reg[0];
    if constexpr (kFunction == ADD_UNARY) {
      dst_reg[0] = x + number;
    } else if constexpr (kFunction == SUB_UNARY) {
      dst_reg[0] = x - number;
    } else if constexpr (kFunction == RSUB_UNARY) {
      dst_reg[0] = number - x;
    } else {
      dst_reg[0] = x * number;
    }
    dst_reg++;
  }
}

}  // namespace sfpu
}  // namespace ckernel

// Applies a function of faces from ckernel::sfpu to a tile of Dst, since June 2026. Its template
// parameters stand in brackets. The mode is a name or an expression.
#define TVP_SFPU_WITHIN(...) __VA_ARGS__
#define SFPU_CALL_MODE(sync, fp32_dst, function, parameters, mode, dst, ...) \
  ::ckernel::_llk_math_eltwise_unary_sfpu_params_(                           \
      ::ckernel::sfpu::function<TVP_SFPU_WITHIN parameters>, dst,            \
      ::ckernel::VectorMode::mode __VA_OPT__(, ) __VA_ARGS__)
#define SFPU_CALL(sync, fp32_dst, function, parameters, dst, mode, ...) \
  ::ckernel::_llk_math_eltwise_unary_sfpu_params_(                      \
      ::ckernel::sfpu::function<TVP_SFPU_WITHIN parameters>, dst, mode __VA_OPT__(, ) __VA_ARGS__)

// The same for one, two or three tiles (llk_math_eltwise_*_sfpu_macros.h).
#define SFPU_UNARY_CALL SFPU_CALL
#define SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(sync, fp32_dst, function, dst, mode, ...) \
  ::ckernel::_llk_math_eltwise_unary_sfpu_params_(::ckernel::sfpu::function, dst,  \
                                                  mode __VA_OPT__(, ) __VA_ARGS__)
#define SFPU_BINARY_CALL(sync, fp32_dst, function, parameters, a, b, out, mode, ...) \
  ::ckernel::_llk_math_eltwise_binary_sfpu_params_(                                  \
      ::ckernel::sfpu::function<TVP_SFPU_WITHIN parameters>, a, b, out,              \
      mode __VA_OPT__(, ) __VA_ARGS__)
#define SFPU_BINARY_CALL_NO_TEMPLATE_ARGS(sync, fp32_dst, function, a, b, out, mode, ...) \
  ::ckernel::_llk_math_eltwise_binary_sfpu_params_(::ckernel::sfpu::function, a, b, out,  \
                                                   mode __VA_OPT__(, ) __VA_ARGS__)
#define SFPU_TERNARY_CALL(sync, fp32_dst, function, parameters, a, b, c, out, mode, ...) \
  ::ckernel::_llk_math_eltwise_ternary_sfpu_params_(                                     \
      ::ckernel::sfpu::function<TVP_SFPU_WITHIN parameters>, a, b, c, out,               \
      mode __VA_OPT__(, ) __VA_ARGS__)
#define SFPU_TERNARY_CALL_NO_TEMPLATE_ARGS(sync, fp32_dst, function, a, b, c, out, mode, ...) \
  ::ckernel::_llk_math_eltwise_ternary_sfpu_params_(::ckernel::sfpu::function, a, b, c, out,  \
                                                    mode __VA_OPT__(, ) __VA_ARGS__)

#endif
