#pragma once

// e^x of a tile of DST. Error bounds: firmware/llk/sfpu/sfpu_exp.h.

#include <type_traits>

#include "api/compute/sfpu/sfpu_call.h"

#if COMPILE_FOR_TRISC == 2
#include "firmware/llk/sfpu/sfpu_exp.h"
#include "firmware/llk/sfpu/sfpu_math.h"
#endif

namespace ckernel {

enum class InputClamping : uint8_t { None = 0, ClampToNegative = 1 };

/// Template arguments of exp_tile_init() and exp_tile(), whose order differs between tt-metal's
/// versions. Flags are, in order: approximate; fast, if the clamping of inputs is not given;
/// multiply by an argument; skip a check. A number is an init's factor, as FP32 bits, or a call's
/// number of vectors. Versions without the second flag have only the fast approximation.
struct ExpArguments {
  bool flags[4] = {false, true, false, false};
  bool only_two = false;
  bool has_number = false;
  uint32_t number = 0;

  constexpr uint32_t number_or(uint32_t otherwise) const { return has_number ? number : otherwise; }
  constexpr bool fast() const { return flags[0] && flags[1]; }
  constexpr bool scaled() const { return flags[2]; }
  /// With two flags only a number that is not one shows if the second means this.
  constexpr bool may_be_scaled() const { return only_two && flags[1]; }
};
template <bool kOfInit, auto... kArguments>
constexpr ExpArguments exp_arguments() {
  ExpArguments result;
  [[maybe_unused]] const bool knows_one_kind =
      !kOfInit && (std::is_same_v<decltype(kArguments), InputClamping> || ...) &&
      (0 + ... + std::is_same_v<decltype(kArguments), bool>) == 2;
  [[maybe_unused]] unsigned flag = 0, at = 0;
  [[maybe_unused]] const auto take = [&]<typename Argument>(Argument argument) {
    const auto value = static_cast<uint32_t>(argument);
    // Hosts may pass flags as numbers.
    const bool is_flag = std::is_same_v<Argument, bool> || (at < 2 && value < 2);
    ++at;
    if (std::is_same_v<Argument, InputClamping>) return;
    if (is_flag) {
      if (flag == 1 && knows_one_kind) ++flag;
      if (flag < 4) result.flags[flag++] = value != 0;
    } else {
      result.has_number = true;
      result.number = value;
    }
  };
  (take(kArguments), ...);
  result.only_two = at == 2 && flag == 2;
  return result;
}

#if COMPILE_FOR_TRISC == 1
/// Selection of the last init.
inline bool exp_is_fast = false;
#endif

/// The fast approximation multiplies its operands by the number among the arguments, FP32 bits, and
/// always clamps them. Other approximations are computed with full precision.
template <auto... kArguments>
ALWI void exp_tile_init() {
#if COMPILE_FOR_TRISC == 1
  constexpr ExpArguments kExp = exp_arguments<true, kArguments...>();
  exp_is_fast = kExp.fast();
  if constexpr (kExp.fast()) llk::sfpu::init_fast_exp<kExp.number_or(0x3F800000)>();
#endif
}
/// `scale`, a BF16 number, multiplies the operand if the arguments request it. A number among them
/// is the number of vectors of a call without mode.
template <auto... kArguments>
ALWI void exp_tile(uint32_t dst, int mode = VectorMode::RC, uint16_t scale = 0x3F80) {
#if COMPILE_FOR_TRISC == 1
  constexpr ExpArguments kExp = exp_arguments<false, kArguments...>();
  constexpr uint32_t kVectors = kExp.number_or(llk::sfpu::kVectorsOfOne);
  const auto vectors = static_cast<llk::sfpu::VectorMode>(mode);
  if (kExp.scaled() || (kExp.may_be_scaled() && scale != 0x3F80)) {
    if constexpr (DST_ACCUM_MODE) {
      return llk::sfpu::unary<DST_ACCUM_MODE>(
          thread_state.half, dst, thread_state.shape, vectors,
          [=] {
            llk::push(llk::sfpu::t::encode_sfpmuli(scale, 0, 0));
            llk::sfpu::nop();
            llk::sfpu::exp_program();
          },
          kVectors);
    } else {
      return llk::sfpu::run_bf16_with<llk::sfpu::ScaledExpOfBf16>(
          thread_state.half, dst, thread_state.shape, vectors,
          [=] { llk::push(llk::sfpu::t::encode_sfploadi(7, llk::sfpu::kBf16, scale)); }, kVectors);
    }
  }
  if (exp_is_fast)  // the loaded constants decide
    return llk::sfpu::fast_exp_over_tile<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape,
                                                         vectors, kVectors);
  if constexpr (DST_ACCUM_MODE) {
    llk::sfpu::exp_of_fp32(thread_state.half, dst, thread_state.shape, vectors, kVectors);
  } else {
    llk::sfpu::run_bf16<llk::sfpu::ExpOfBf16>(thread_state.half, dst, thread_state.shape, vectors,
                                              kVectors);
  }
#endif
}

/// Runs on PACK, as in pack_activations.h, as the last init on that thread requested.
#if COMPILE_FOR_TRISC == 2
inline bool exp_of_pack_is_fast = false;
#endif
template <auto... kArguments>
ALWI void exp_packthread_tile_init() {
  vector_unit_goes_to_pack();
#if COMPILE_FOR_TRISC == 2
  constexpr ExpArguments kExp = exp_arguments<true, kArguments...>();
  exp_of_pack_is_fast = kExp.fast();
  llk::sfpu::init_addr_mods();
  if constexpr (kExp.fast()) llk::sfpu::init_fast_exp<kExp.number_or(0x3F800000)>();
#endif
}
template <auto... kArguments>
ALWI void exp_packthread_tile(uint32_t dst, int mode = VectorMode::RC, uint16_t scale = 0x3F80) {
  vector_unit_goes_to_pack();
#if COMPILE_FOR_TRISC == 2
  constexpr ExpArguments kExp = exp_arguments<false, kArguments...>();
  constexpr uint32_t kVectors = kExp.number_or(llk::sfpu::kVectorsOfOne);
  namespace s = llk::sfpu;
  const bool scaled = kExp.scaled() || (kExp.may_be_scaled() && scale != 0x3F80);
  if (exp_of_pack_is_fast && !scaled)
    return s::fast_exp_over_tile<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.out.shape,
                                                 static_cast<s::VectorMode>(mode), kVectors);
  s::unary<DST_ACCUM_MODE>(
      thread_state.half, dst, thread_state.out.shape, static_cast<s::VectorMode>(mode),
      [=] {
        if (scaled) {
          llk::push(s::t::encode_sfpmuli(scale, 0, 0));
          s::nop();
        }
        s::exp_program();
      },
      kVectors);
#endif
}

}  // namespace ckernel
