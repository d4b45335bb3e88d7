#pragma once

// Macros that declare functions of tiles of DST on the vector unit: name_init(), which has no
// effect, and name(). Operands are a tile, a tile and up to three words p0 to p2, or two tiles and
// one for the result. Bodies are for MATH only; `s` is the vector unit's namespace. Template
// parameters for approximations have no effect, except those of exponential.h.

#include "api/compute/threads/vector_mode.h"

#if COMPILE_FOR_TRISC == 1
#include "firmware/llk/sfpu/sfpu_bf16_activation.h"
#include "firmware/llk/sfpu/sfpu_typecast.h"
#endif

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
template <typename Program>
ALWI void sfpu_unary(uint32_t dst, int mode, Program program) {
  llk::sfpu::unary<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape,
                                   static_cast<llk::sfpu::VectorMode>(mode), program);
}
/// Runs a function of firmware/llk/sfpu/sfpu_bf16.h.
template <typename Function>
ALWI void sfpu_bf16(uint32_t dst, int mode) {
  llk::sfpu::run_bf16<Function>(thread_state.half, dst, thread_state.shape,
                                static_cast<llk::sfpu::VectorMode>(mode));
}
/// Runs the BF16 function, or the program if Dst holds FP32.
template <typename Function, typename Program>
ALWI void sfpu_of_bf16(uint32_t dst, int mode, Program program) {
  if constexpr (DST_ACCUM_MODE) {
    sfpu_unary(dst, mode, program);
  } else {
    sfpu_bf16<Function>(dst, mode);
  }
}
/// As sfpu_unary(), recorded and replayed. `prepare` loads what all vectors use. A program of
/// kLength instructions may change LReg 0 to 3.
template <unsigned kLength, bool kRounds, typename Prepare, typename Program>
ALWI void sfpu_replayed(uint32_t dst, int mode, Prepare prepare, Program program) {
  llk::sfpu::replayed_unary<DST_ACCUM_MODE, kLength, kRounds>(
      thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode), prepare,
      program);
}
template <unsigned kLength, bool kRounds, typename Program>
ALWI void sfpu_replayed_binary(uint32_t a, uint32_t b, uint32_t out, Program program) {
  llk::sfpu::replayed_binary<DST_ACCUM_MODE, kLength, kRounds>(
      thread_state.half, a, b, out, thread_state.shape, llk::sfpu::VectorMode::kAll, program);
}
template <llk::sfpu::Cell kIn, llk::sfpu::Cell kOut = kIn, typename Program>
ALWI void sfpu_unary_cells(uint32_t dst, Program program) {
  llk::sfpu::unary_cells<DST_ACCUM_MODE, kIn, kOut>(thread_state.half, dst, dst, thread_state.shape,
                                                    llk::sfpu::VectorMode::kAll, program);
}
template <typename Program>
ALWI void sfpu_binary(uint32_t a, uint32_t b, uint32_t out, Program program) {
  llk::sfpu::binary<DST_ACCUM_MODE>(thread_state.half, a, b, out, thread_state.shape,
                                    llk::sfpu::VectorMode::kAll, program);
}
template <llk::sfpu::Cell kIn, llk::sfpu::Cell kOut = kIn, typename Program>
ALWI void sfpu_binary_cells(uint32_t a, uint32_t b, uint32_t out, Program program) {
  llk::sfpu::binary_cells<DST_ACCUM_MODE, kIn, kOut>(thread_state.half, a, b, out,
                                                     thread_state.shape, program);
}

/// Mode of the vector unit for datums of this format.
constexpr llk::sfpu::Cell cell_of(DataFormat format) {
  switch (format) {
    case DataFormat::Int32:
    case DataFormat::UInt32:
      return llk::sfpu::Cell::kInt32;
    case DataFormat::UInt16:
      return llk::sfpu::Cell::kUInt16;
    default:
      return llk::sfpu::Cell::kFloat;
  }
}
/// DST[out] = DST[a] op DST[b], or DST[a] op a number.
template <llk::sfpu::Integer kOp, DataFormat kFormat>
ALWI void sfpu_integer(uint32_t a, uint32_t b, uint32_t out) {
  namespace s = llk::sfpu;
  if constexpr (s::kIntegerLength<kOp> != 0) {
    s::replayed_binary_cells<DST_ACCUM_MODE, cell_of(kFormat), s::kIntegerLength<kOp>>(
        thread_state.half, a, b, out, thread_state.shape, [] { s::integer_program<kOp>(); });
  } else {
    sfpu_binary_cells<cell_of(kFormat)>(a, b, out, [] { s::integer_program<kOp>(); });
  }
}
/// Cell of the format among template parameters, by default of 32 bits.
template <auto kFirst = DataFormat::Int32, auto...>
consteval llk::sfpu::Cell integer_cell_among() {
  if constexpr (std::is_same_v<decltype(kFirst), DataFormat>) {
    static_assert(cell_of(kFirst) != llk::sfpu::Cell::kFloat,
                  "tiles of integers are Int32, UInt32 or UInt16");
    return cell_of(kFirst);
  }
  return llk::sfpu::Cell::kInt32;
}
template <llk::sfpu::Integer kOp, llk::sfpu::Cell kCell = llk::sfpu::Cell::kInt32>
ALWI void sfpu_integer_with(uint32_t dst, uint32_t value) {
  namespace s = llk::sfpu;
  const auto replay = [&]<unsigned kLength>(auto prepare, auto program) {
    s::replayed_unary_cells<DST_ACCUM_MODE, kCell, kLength>(
        thread_state.half, dst, dst, thread_state.shape, s::VectorMode::kAll, prepare, program);
  };
  if constexpr (kOp == s::Integer::kSubtract) {
    sfpu_integer_with<s::Integer::kAdd, kCell>(dst, 0 - value);
  } else if constexpr (kOp == s::Integer::kShiftLeft || kOp == s::Integer::kShiftRight) {
    replay.template operator()<s::kShiftLength<kOp>>(s::Nothing{},
                                                     [&] { s::integer_shift_by<kOp>(value); });
  } else if constexpr (s::kIntegerLength<kOp> == 1) {
    replay.template operator()<1>([&] { s::variable<1>(value); },
                                  [] { s::integer_program<kOp>(); });
  } else {
    sfpu_unary_cells<kCell>(dst, [=] { s::integer_program_with<kOp>(value); });
  }
}
#endif

// clang-format off
#define TVP_SFPU_INIT(name) \
  template <auto...>        \
  ALWI void name##_init() {}
#define TVP_SFPU_PROGRAM(...) { namespace s = llk::sfpu; __VA_ARGS__ }

#define TVP_SFPU_UNARY(name, ...)                                                             \
  TVP_SFPU_INIT(name)                                                                         \
  template <auto...>                                                                          \
  ALWI void name(uint32_t dst, int mode = VectorMode::RC) { \
    MATH((sfpu_unary(dst, mode, [] TVP_SFPU_PROGRAM(__VA_ARGS__))));                          \
  }
/* With BF16 in Dst a function of its own. */
#define TVP_SFPU_OF_BF16(name, function, ...)                                                 \
  TVP_SFPU_INIT(name)                                                                         \
  template <auto...>                                                                          \
  ALWI void name(uint32_t dst, int mode = VectorMode::RC) { \
    MATH((sfpu_of_bf16<llk::sfpu::function>(dst, mode, [] TVP_SFPU_PROGRAM(__VA_ARGS__))));   \
  }
/* Replayed: kLength instructions, which may leave more bits than BF16 has or not. */
#define TVP_SFPU_REPLAYED(name, length, rounds, ...)                                          \
  TVP_SFPU_INIT(name)                                                                         \
  template <auto...>                                                                          \
  ALWI void name(uint32_t dst, int mode = VectorMode::RC) { \
    MATH((sfpu_replayed<length, rounds>(dst, mode, [] {}, [] TVP_SFPU_PROGRAM(__VA_ARGS__)))); \
  }
#define TVP_SFPU_REPLAYED_1(name, length, rounds, prepare, ...)                               \
  TVP_SFPU_INIT(name)                                                                         \
  template <auto...>                                                                          \
  ALWI void name(uint32_t dst, uint32_t p0,                 \
                 int mode = VectorMode::RC) {                                \
    MATH((sfpu_replayed<length, rounds>(dst, mode, [=] TVP_SFPU_PROGRAM(prepare),             \
                                        [=] TVP_SFPU_PROGRAM(__VA_ARGS__))));                 \
  }
#define TVP_SFPU_REPLAYED_BINARY(name, length, rounds, ...)                                   \
  TVP_SFPU_INIT(name)                                                                         \
  template <auto...>                                                                          \
  ALWI void name(uint32_t a, uint32_t b,                    \
                 uint32_t out,                                               \
                 int mode = VectorMode::RC) {                                \
    MATH((sfpu_replayed_binary<length, rounds>(a, b, out, [] TVP_SFPU_PROGRAM(__VA_ARGS__)))); \
  }                                                                                           \
  template <auto... parameters>                                                               \
  ALWI void name(uint32_t a, uint32_t b) {                                                    \
    name<parameters...>(a, b, a);                                                             \
  }
#define TVP_SFPU_UNARY_1(name, ...)                                             \
  TVP_SFPU_INIT(name)                                                           \
  template <auto...>                                                            \
  ALWI void name(uint32_t dst, uint32_t p0,   \
                 int mode = VectorMode::RC) {                  \
    MATH((sfpu_unary(dst, mode, [=] TVP_SFPU_PROGRAM(__VA_ARGS__))));           \
  }
#define TVP_SFPU_UNARY_2(name, ...)                                             \
  TVP_SFPU_INIT(name)                                                           \
  template <auto...>                                                            \
  ALWI void name(uint32_t dst, uint32_t p0,   \
                 uint32_t p1) {                                \
    MATH((sfpu_unary(dst, VectorMode::RC, [=] TVP_SFPU_PROGRAM(__VA_ARGS__)))); \
  }
#define TVP_SFPU_UNARY_3(name, ...)                                             \
  TVP_SFPU_INIT(name)                                                           \
  template <auto...>                                                            \
  ALWI void name(uint32_t dst, uint32_t p0,   \
                 uint32_t p1, uint32_t p2) {  \
    MATH((sfpu_unary(dst, VectorMode::RC, [=] TVP_SFPU_PROGRAM(__VA_ARGS__)))); \
  }
#define TVP_SFPU_BINARY(name, ...)                                              \
  TVP_SFPU_INIT(name)                                                           \
  template <auto...>                                                            \
  ALWI void name(uint32_t a, uint32_t b,      \
                 uint32_t out,                                 \
                 int mode = VectorMode::RC) {                  \
    MATH((sfpu_binary(a, b, out, [] TVP_SFPU_PROGRAM(__VA_ARGS__))));           \
  }                                                                             \
  /* As kernels of June 2025 call it: the result replaces the first. */         \
  template <auto... parameters>                                                 \
  ALWI void name(uint32_t a, uint32_t b) {                                      \
    name<parameters...>(a, b, a);                                               \
  }

// Integers of 32 bits, or of the format in the first template parameter.
#define TVP_SFPU_INT_UNARY(name, cell, ...)                                                  \
  template <auto...>                                                                         \
  ALWI void name(uint32_t dst) {                                            \
    MATH((sfpu_unary_cells<llk::sfpu::Cell::cell>(dst, [] TVP_SFPU_PROGRAM(__VA_ARGS__))));  \
  }
#define TVP_SFPU_INT_UNARY_1(name, cell, ...)                                                \
  template <auto...>                                                                         \
  ALWI void name(uint32_t dst, uint32_t p0) {              \
    MATH((sfpu_unary_cells<llk::sfpu::Cell::cell>(dst, [=] TVP_SFPU_PROGRAM(__VA_ARGS__)))); \
  }
#define TVP_SFPU_INT_BINARY(name, ...)                                                       \
  template <DataFormat kFormat = DataFormat::Int32, auto...>                                 \
  ALWI void name(uint32_t a, uint32_t b,                   \
                 uint32_t out) {                                            \
    MATH((sfpu_binary_cells<cell_of(kFormat)>(a, b, out, [] TVP_SFPU_PROGRAM(__VA_ARGS__)))); \
  }
// clang-format on

}  // namespace ckernel
