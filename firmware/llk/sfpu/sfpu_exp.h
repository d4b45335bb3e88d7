#pragma once

// e^x of a tile: the fast approximation, and at the end the ones that are as precise as Dst.
//
// Threads 1 and 2: an approximate e^x of about three cycles a vector for kernels that ask for the
// fast approximation. It uses SFPLOADMACRO's pipelines (ISA TensixCoprocessor/SFPLOADMACRO.md).
//
// Schraudolph's method: an FP32 number's bits grow with its logarithm. Therefore x * 2^23 / ln 2
// plus a bias, as an integer, are the bits of e^x with straight lines between powers of two. The
// unit rounds to 16 bits, hence 2^8 and a shift by 15. The bias is 127 * 2^8 less 11.18, so that
// errors of both signs have the same size: 3.1 % at most. The mantissa of 8 bits adds up to 0.4 %.

#include <utility>

#include "firmware/llk/sfpu/sfpu.h"
#if !TVP_VECTOR_UNIT_BORROWED
#include "firmware/llk/sfpu/sfpu_bf16.h"
#endif

namespace tvp::llk::sfpu {

/// LReg 12 to 14 while this program owns them.
inline constexpr Word kSlope = 12, kBias = 13, kLimit = 14;
/// 2^8 / ln 2, and an operand whose power is almost zero.
inline constexpr float kSlopeOfOne = 369.329925537109375F, kLeastOfOne = -88.5F;
inline constexpr Word kBiasBits = 0x46FDE9A3;  // 32500.818

enum Macro : Word { kExpMacro = 0, kClampMacro = 1 };

/// The words that SFPCONFIG writes from LReg 0: constants and parts of macros.
template <Word kWhat, Word kValue>
inline void configure_vector_unit() {
  load_bits<0, kValue>();
  op<t::encode_sfpconfig(0, kWhat, 0)>();
}

/// Below this operand the power is almost zero. Any value serves if no operand is that large.
constexpr float least_operand(float factor) {
  const float magnitude = factor < 0 ? -factor : factor;
  return magnitude < 1e-30F ? (factor < 0 ? 3e38F : -3e38F) : kLeastOfOne / factor;
}

/// Macro 1 clamps the loaded vector to the limit and stores it two cycles later. Macro 0 multiplies
/// and adds. Two cycles later it rounds, then shifts into the register that only macros see, then
/// stores this register: one vector each cycle.
///
/// Stores use the load's format. Operands are multiplied by `kFactor` (FP32 bits). For a negative
/// factor the limit is the largest operand. Not inlined, because it may run again later. Uses LReg
/// 0.
template <Word kFactor>
[[gnu::noinline]] void load_fast_exp() {
  constexpr float kOperandFactor = __builtin_bit_cast(float, kFactor);
  constexpr Word kSmaller = 9, kLarger = 1;
  // Instructions of a sequence. The templates have numbers from 4 on.
  constexpr Word kStoring = 3, kSwap = 4, kMultiply = 5, kRounding = 6, kShift = 7;
  constexpr Word kSimple = 0, kMad = 8, kRound = 16, kStore = 24;  // the byte of each sub-unit
  constexpr Word kLoadedIsB = 0x80, kBonus = 0x40, kDelay = 8;
  constexpr Word kTemplates = 0, kSequences = 4, kMisc = 8;

  everywhere();
  configure_vector_unit<kSlope, __builtin_bit_cast(Word, kSlopeOfOne * kOperandFactor)>();
  configure_vector_unit<kBias, kBiasBits>();
  configure_vector_unit<kLimit, __builtin_bit_cast(Word, least_operand(kOperandFactor))>();
  configure_vector_unit<kTemplates,
                        t::encode_sfpswap(0, kLimit, kOperandFactor < 0 ? kSmaller : kLarger)>();
  nop();
  // A VD of 13 to 15 makes an instruction the template 1 to 3.
  op<t::encode_sfpmad(kSlope, 0, kBias, 13, 0)>();
  op<t::encode_sfpstochrnd(0, 0, 0, 0, 14, 0, 6)>();
  op<t::encode_sfpshft(15, 0, 15, 1)>();
  configure_vector_unit<kSequences + kClampMacro, kSwap << kSimple | (2 * kDelay | kStoring)
                                                                         << kStore>();
  configure_vector_unit<kSequences + kExpMacro,
                        (kLoadedIsB | kBonus | 3 * kDelay | kShift) << kSimple |
                            (kLoadedIsB | kMultiply) << kMad | (2 * kDelay | kRounding) << kRound |
                            (kBonus | 4 * kDelay | kStoring) << kStore>();
  constexpr Word kStoresAsLoaded = 0xF0;
  op<t::encode_sfpconfig(kStoresAsLoaded, kMisc, 1)>();
  nop();
}

/// The function that has set the unit's macros. All except the fast exponential's also set LReg 12
/// to 14, so one test of this pointer is enough.
inline void (*macros_of)() = nullptr;
/// The function that sets LReg 12 to 14 and the macros for the last init.
inline void (*fast_exp_loader)() = nullptr;
inline void reload_fast_exp() {
  fast_exp_loader();
  macros_of = fast_exp_loader;
  constants_owner = ConstantsOwner::kFastExp;
}
template <Word kFactor>
inline void init_fast_exp() {
  fast_exp_loader = load_fast_exp<kFactor>;
#if !TVP_VECTOR_UNIT_BORROWED
  reload_fast_exp();
#endif
}

inline constexpr unsigned kFastExpVectors = 8;
template <Macro kMacro, bool kFp32, Word kVector>
inline void start_macro() {
  op<t::encode_sfploadmacro(kMacro, kVector % 4, dst_mode(kFp32), kStay, kVector, 0)>();
}
/// Processes 16 rows. A clamp occupies the unit every second cycle. The last store must end before
/// the next face's first clamp, which takes one NOP and the two instructions that move to that
/// face.
template <bool kFp32>
inline void fast_exp_of_face() {
  [&]<Word... kVectors>(std::integer_sequence<Word, kVectors...>) {
    ((start_macro<kClampMacro, kFp32, kVectors>(), nop()), ...);
  }
  (std::make_integer_sequence<Word, kFastExpVectors - 1>());
  start_macro<kClampMacro, kFp32, kFastExpVectors - 1>();
  [&]<Word... kVectors>(std::integer_sequence<Word, kVectors...>) {
    (start_macro<kExpMacro, kFp32, kVectors>(), ...);
  }
  (std::make_integer_sequence<Word, kFastExpVectors>());
  nop();
  skip_face();
}

/// Processes one vector of a face with fewer rows.
template <bool kFp32>
inline void fast_exp_of_vector() {
  start_macro<kClampMacro, kFp32, 0>();
  for (unsigned i = 0; i < 3; ++i) nop();
  start_macro<kExpMacro, kFp32, 0>();
  for (unsigned i = 0; i < 5; ++i) nop();
  op<t::encode_incrwc(0, 0, 0, 2, 0, 0)>();
}

/// As over_tile(). A tile without mode has this many `vectors`.
template <bool kFp32>
inline void fast_exp_over_tile(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                               unsigned vectors) {
#if TVP_VECTOR_UNIT_BORROWED
  begin_with_any_constants(half, tile);
  fast_exp_loader();  // thread 1 may have other macros there
#else
  if (constants_owner != ConstantsOwner::kFastExp) reload_fast_exp();
  begin_with_any_constants(half, tile);
#endif
  over_faces(shape, mode, vectors, [](unsigned count) {
#pragma GCC unroll 1
    for (; count >= kFastExpVectors; count -= kFastExpVectors) fast_exp_of_face<kFp32>();
#pragma GCC unroll 1
    for (; count != 0; --count) fast_exp_of_vector<kFp32>();
  });
#if TVP_VECTOR_UNIT_BORROWED
  load_constants();
#endif
  end();
}

#if !TVP_VECTOR_UNIT_BORROWED
// ---- Exact ones, recorded and replayed ---------------------------------------------------------

/// e^x with the bounds of exp().
inline void exp_of_fp32(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                        unsigned one) {
  replayed<16, 12>(
      half, tile, shape, mode, one, [] { need_library_constants(); },
      [] {
        load_dst<0, true, 0>();
        exp_begin<0, 2, 3, 1, 4, 5>();
      },
      [] {
        exp_end<0, 2, 3, 1, 4, 5>();
        saturate_exp<0, 2, 3>();
        store_dst<2, true, 0, kNextVector>();
      });
}

/// e^x like exp(), with a polynomial of degree three: 2^-12.9. Operands are clamped to -87.5, whose
/// power is flushed to zero, and 89, whose power has the exponent of infinities and is rounded to
/// one. LReg 5 is -ln 2 and LReg 6 is 1.5 * 2^23. At the end LReg 3 is e^f and LReg 1 the power of
/// two to add.
template <bool kScaled>
struct ExponentialOfBf16 {
  static constexpr unsigned kHead = kScaled ? 15 : 13, kTail = 6;
  static void prepare() {
    if (constants_owner != ConstantsOwner::kExpOfBf16) {
      need_library_constants();
      set_constant<kMinusLn2>(kLeastExponent);
      set_constant<kRoundMagic>(kLargestExponent);
      constants_owner = ConstantsOwner::kExpOfBf16;
    }
    load_bits<5, 0xBF317218>();
    load_bits<6, kRoundMagicBits>();
  }
  static void head() {
    load_dst<0, false, 0>();
    if constexpr (kScaled) mad_wait<0, 7, kZero, 0>();
    split_power<kLog2E, 0x3155>();
    mad<2, 5, 0, 4>();
    loadi<2, kFp16, 0x3808>();
    mad<3, 4, 2, 3>();
    nop();
    mad<3, 4, kOne, 3>();
  }
  static void tail() {
    nop();
    mad<3, 4, kOne, 3>();
    nop();
    op<t::encode_sfpiadd(0, 1, 3, 4)>();
    store_bf16<3>();
  }
};
using ExpOfBf16 = ExponentialOfBf16<false>;
/// Exponential of x times a number in LReg 7.
using ScaledExpOfBf16 = ExponentialOfBf16<true>;
/// 2^x: 2^-12.5. Operands are clamped to -126.25 and 128.5.
struct Exp2OfBf16 {
  static constexpr unsigned kHead = 15, kTail = 4;
  static void prepare() {
    load_bits<6, kRoundMagicBits>();
    set_constant<kMinusLn2>(0xC2FC8000);
    set_constant<kRoundMagic>(0x43008000);
  }
  static void head() {
    load_dst<0, false, 0>();
    split_power<kOne, 0x2B0B>();
    mad<2, kMinusOne, 0, 4>();
    horner_on<3, 4, 2, 0x33C0, 0x398C>();
    nop();
    mad<3, 4, kOne, 3>();
  }
  static void tail() {
    nop();
    op<t::encode_sfpiadd(0, 1, 3, 4)>();
    store_bf16<3>();
  }
};
#endif

}  // namespace tvp::llk::sfpu
