#pragma once

// Thread 1: functions of one tile whose results are rounded to BF16, with no more precision than
// that. The comments give relative errors before the rounding (2^-9). Programs are recorded and
// replayed (sfpu_replay.h); LReg 0 is x. Coefficients are FP16 numbers, loaded while the unit would
// wait for a product. They are fitted one by one from the highest power on, each with the earlier
// ones already rounded.

#include "firmware/llk/sfpu/sfpu_replay.h"

namespace tvp::llk::sfpu {

/// kR = a polynomial of kX. The coefficients begin with the highest power; n of them take 2 n - 1
/// instructions. The result is valid one instruction later. In horner_on() the caller has loaded
/// the first coefficient.
template <Word kR, Word kX, Word kScratch, Word... kCoefficients>
inline void horner_on() {
  ((loadi<kScratch, kFp16, kCoefficients>(), mad<kR, kX, kScratch, kR>()), ...);
}
template <Word kR, Word kX, Word kScratch, Word kFirst, Word... kCoefficients>
inline void horner() {
  loadi<kR, kFp16, kFirst>();
  horner_on<kR, kX, kScratch, kCoefficients...>();
}

/// `also` loads constants that the function expects besides its own.
template <typename Function, typename Also>
inline void run_bf16_with(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                          Also also, unsigned one = kVectorsOfOne) {
  const auto begin = [&] {
    Function::prepare();
    also();
  };
  const auto head = [] { Function::head(); };
  if constexpr (requires { Function::tail(); }) {
    replayed<Function::kHead, Function::kTail>(half, tile, shape, mode, one, begin, head,
                                               [] { Function::tail(); });
  } else {
    replayed<Function::kHead>(half, tile, shape, mode, one, begin, head, Nothing{});
  }
}
template <typename Function>
inline void run_bf16(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                     unsigned one = kVectorsOfOne) {
  run_bf16_with<Function>(half, tile, shape, mode, Nothing{}, one);
}
/// Rounds and moves on to the next vector.
template <Word kD>
inline void store_bf16() {
  round_to_bf16<kD>();
  store_dst<kD, false, 0, kNextVector>();
}

// ---- Powers ------------------------------------------------------------------------------------

/// Takes x in LReg 0, clamped by the constants of kMinusLn2 and kRoundMagic, and LReg 6 = 1.5 *
/// 2^23. One cycle later LReg 2 has the nearest whole number to kFactor x. LReg 1 has the same
/// number in the exponent's position, and LReg 3 the highest coefficient of a polynomial.
template <Word kFactor, Word kHighest>
inline void split_power() {
  keep_above<kMinusLn2, 0>();
  keep_below<kRoundMagic, 0>();
  mad<0, kFactor, 6, 1>();
  loadi<3, kFp16, kHighest>();
  mov<1, 2>();
  op<t::encode_sfpaddi(kMinusMagic, 2, 0)>();
  op<t::encode_sfpshft(23, 0, 1, 1)>();
}

/// Bounds of x whose powers of e are zero and infinite.
inline constexpr Word kLeastExponent = 0xC2AF0000, kLargestExponent = 0x42B20000;
inline constexpr Word kRoundMagicBits = 0x4B400000;

/// 1 / (1 + e^-x), or x times that. e^-x is computed as in ExpOfBf16 with f of the opposite sign
/// and operands clamped to within 87 of zero. The reciprocal is the first guess r of reciprocal()
/// and its series: with d r = 1 + e, 1/d = r (1 - e + e e), 2^-12.9.
template <bool kTimesX>
struct SigmoidOfBf16 {
  static constexpr unsigned kHead = 16, kTail = kTimesX ? 16 : 14;
  static void prepare() {
    load_bits<5, 0xBF317218>();
    load_bits<6, kRoundMagicBits>();
    load_bits<7, kReciprocalMagic>();
    set_constant<kLog2E>(0x3FB8AA3B);
    set_constant<kMinusLn2>(0xC2AE0000);
    set_constant<kRoundMagic>(0x42AE0000);
  }
  static void head() {
    load_dst<0, false, 0>();
    split_power<kLog2E, 0xB155>();
    mad<2, 5, 0, 4>();
    loadi<2, kFp16, 0x3808>();
    mad<3, 4, 2, 3>();
    nop();
    mad<3, 4, kMinusOne, 3>();
    nop();
    mad<3, 4, kOne, 3>();
    nop();
  }
  static void tail() {
    op<t::encode_sfpiadd(0, 3, 1, 2 | 4)>();  // e^-x
    mad<1, kOne, kOne, 2>();
    mad<1, kOne, kOne, 1>();
    op<t::encode_sfpiadd(0, 7, 2, 2 | 4)>();
    mad<1, 2, kMinusOne, 3>();
    if constexpr (kTimesX) {
      load_dst<0, false, 0>();
    } else {
      nop();
    }
    mad<3, kOne, kMinusOne, 4>();
    nop();
    mad<3, 4, kOne, 3>();
    nop();
    mad<2, 3, kZero, 2>();
    nop();
    if constexpr (kTimesX) mad_wait<2, 0, kZero, 2>();
    store_bf16<2>();
  }
};

// ---- Reciprocal ---------------------------------------------------------------------------------

/// 1 / x: 2^-12.9. The reciprocal of zero is an infinity with the sign of the zero; from 2^126 on
/// it is zero.
struct ReciprocalOfBf16 {
  static constexpr unsigned kHead = 15;
  static void prepare() { load_bits<7, kReciprocalMagic>(); }
  static void head() {
    load_dst<0, false, 0>();
    load_dst<1, false, 0>();
    op<t::encode_sfpiadd(0, 7, 1, 2 | 4)>();
    mad<0, 1, kMinusOne, 2>();
    op<t::encode_sfpexexp(0, 4, 1)>();
    mad<2, kOne, kMinusOne, 3>();
    nop();
    mad<2, 3, kOne, 2>();
    nop();
    mad<1, 2, kZero, 1>();
    op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-253), 4, 4, 1 | 8)>();
    loadi<1, kBf16, 0>();
    everywhere();
    store_bf16<1>();
  }
};

// ---- Logarithm ----------------------------------------------------------------------------------

/// ln x, multiplied by a number in LReg 7 if `kScaled`. x = 2^k (1 + f) as in split_exponent(). The
/// bits of x minus those of sqrt(1/2), plus those of 1, have k as exponent and the excess over
/// sqrt(1/2) as mantissa. ln(1 + f) = f P(f): 2^-13.3.
template <bool kScaled>
struct LogOfBf16 {
  static constexpr unsigned kHead = 16, kTail = kScaled ? 18 : 16;
  static void prepare() {
    load_bits<5, 0x3F317218>();
    load_bits<6, 0x3F800000u - 0x3F3504F3u>();
    set_constant<kRoundMagic>(0x3F3504F3);
  }
  static void head() {
    load_dst<0, false, 0>();
    load_dst<1, false, 0>();
    op<t::encode_sfpiadd(0, 6, 1, 4)>();
    op<t::encode_sfpexman(1, 2, 1)>();
    op<t::encode_sfpiadd(0, kRoundMagic, 2, 4)>();
    op<t::encode_sfpaddi(0xBF80, 2, 0)>();  // f
    op<t::encode_sfpexexp(1, 1, 1)>();
    op<t::encode_sfpcast(1, 1, 0)>();
    op<t::encode_sfpaddi(0xC2FE, 1, 0)>();  // k, of k + 127
    horner<3, 2, 4, 0x31A7, 0xB456, 0x3562, 0xB7FE>();
  }
  static void tail() {
    mad<1, 5, kZero, 1>();
    mad<3, 2, kOne, 3>();
    op<t::encode_sfpexexp(0, 4, 1)>();
    mad<3, 2, 1, 3>();
    nop();
    if constexpr (kScaled) {
      mad<3, 7, kZero, 3>();
      nop();
    }
    op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-255), 4, 1, 1 | 8)>();
    mov<0, 3>();
    everywhere();
    loadi_where<0, kLess, 3, kBf16, 0x7FC0>();
    where<4, kEqual>();  // zero or denormal
    loadi<3, kBf16, 0xFF80>();
    everywhere();
    store_bf16<3>();
  }
};

// ---- Functions that end at one ------------------------------------------------------------------

/// |x| P(|x|) with the sign of x. The polynomial keeps growing where it reaches one, and the result
/// is clamped to one.
struct TanhOfBf16 {  // 2^-8.6 near one, 2^-9.1 elsewhere
  static constexpr unsigned kHead = 14, kTail = 6;
  static void prepare() {}
  static void head() {
    load_dst<0, false, 0>();
    absolute<0, 1>();
    horner<2, 1, 3, 0x1E03, 0xAC42, 0x3480, 0xB7CD, 0x278F, 0x3BFF>();
    nop();
  }
  static void tail() {
    mad<2, 1, kZero, 2>();
    nop();
    keep_below<kOne, 2>();
    take_magnitude<2, 0>();
    store_bf16<0>();
  }
};
struct ErfOfBf16 {  // 2^-10.2
  static constexpr unsigned kHead = 16, kTail = TanhOfBf16::kTail;
  static void prepare() {}
  static void head() {
    load_dst<0, false, 0>();
    absolute<0, 1>();
    horner<2, 1, 3, 0x1F36, 0xAAD9, 0x2F6C, 0x2ACE, 0xB6AC, 0x209E, 0x3C83>();
    nop();
  }
  static void tail() { TanhOfBf16::tail(); }
};

/// x / 2 + x h: 0.0072 absolute. h is the unit's table of lines for |x| with the sign of x, which
/// ends at 3.
template <bool kFp32>
struct RoughGelu {
  static constexpr unsigned kHead = kFp32 ? 8 : 9;
  static void prepare() {
    load_bits<0, 0x34B735F9>();
    load_bits<1, 0x2D8D31C9>();
    load_bits<2, 0x7C00252C>();  // no slope from 3 on
    load_bits<4, 0x2A4D1D88>();
    load_bits<5, 0x34E53147>();
    load_bits<6, 0x3800370C>();
  }
  static void head() {
    constexpr Word kSixLinesTo3 = 2, kKeepSign = 4;
    load_dst<3, kFp32, 0>();
    op<t::encode_sfplutfp32(7, kSixLinesTo3 | kKeepSign)>();
    nop();
    op<t::encode_sfpaddi(0x3F00, 7, 0)>();
    nop();
    mad<7, 3, kZero, 7>();
    nop();
    round_for_dst<7, kFp32>();
    store_dst<7, kFp32, 0, kNextVector>();
  }
};

// ---- Powers -------------------------------------------------------------------------------------

/// Sign of a power with a negative base. An even or odd whole exponent decides it.
enum class OfNegative : uint8_t { kPositive, kNegative, kUndefined };
inline OfNegative power_of_negative(Word exponent) {
  const unsigned biased = exponent >> 23 & 0xFF;
  if (biased >= 151) return OfNegative::kPositive;
  if (biased < 127) return OfNegative::kUndefined;
  const Word mantissa = (exponent & 0x7FFFFF) | 0x800000;
  const unsigned fraction = 150 - biased;  // bits behind the point
  if ((mantissa & ((1u << fraction) - 1)) != 0) return OfNegative::kUndefined;
  return (mantissa >> fraction & 1) != 0 ? OfNegative::kNegative : OfNegative::kPositive;
}

/// x to the power of a number (FP32 bits) by z = y log2|x|: |z| 2^-19.5 and 2^-12.5.
struct PowerOfBf16 {
  static constexpr unsigned kHead = 13;
  static void prepare(Word exponent) {
    load_bits<4, 0x3F800000u - 0x3F3504F3u>();
    load_bits<5, 0x3F3504F3>();
    load_bits<6, kRoundMagicBits>();
    variable<7>(exponent);
    set_constant<kMinusLn2>(0xC2FC8000);
    set_constant<kRoundMagic>(0x43008000);
  }
  /// Leaves k in LReg 1 and f in LReg 2, as for the logarithm.
  static void head() {
    load_dst<0, false, 0>();
    split();
  }
  static void split() {
    absolute<0, 1>();
    op<t::encode_sfpiadd(0, 4, 1, 4)>();
    op<t::encode_sfpexman(1, 2, 1)>();
    op<t::encode_sfpiadd(0, 5, 2, 4)>();
    op<t::encode_sfpaddi(0xBF80, 2, 0)>();
    op<t::encode_sfpexexp(1, 1, 1)>();
    op<t::encode_sfpcast(1, 1, 0)>();
    op<t::encode_sfpaddi(0xC2FE, 1, 0)>();
    load_bits<3, bits(0.17162513732910156f)>();
    load_bits<0, bits(-0.2693212628364563f)>();
  }
  template <float... kCoefficients>
  static void horner_of_fp32() {
    ((mad<3, 2, 0, 3>(), load_bits<0, bits(kCoefficients)>()), ...);
  }
  /// Leaves log2|x| in LReg 3. It is complete one cycle later, except for the exponent's part.
  static void logarithm() {
    horner_of_fp32<0.29569971561431885f, -0.359371542930603f, 0.48062676191329956f,
                   -0.7213636040687561f, 1.442696452140808f>();
    mad<3, 2, 0, 3>();
  }
  /// Takes x in LReg 0 and y in LReg 7. One cycle later LReg 1 has the correction of 2^z's
  /// exponent, and LReg 3 the other factor.
  static void raise() {
    mad<3, 2, 1, 3>();
    op<t::encode_sfpexexp(0, 2, 1)>();
    where<2, kEqual>();  // zero or denormal
    loadi<3, kBf16, 0xFF80>();
    everywhere();
    op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-255), 2, 2, 1 | 8)>();
    absolute<0, 3>();
    everywhere();
    mad_wait<3, 7, kZero, 0>();
    split_power<kOne, 0x2B0B>();
    mad<2, kMinusOne, 0, 0>();
    horner_on<3, 0, 2, 0x33C0, 0x398C>();
    nop();
    mad<3, 0, kOne, 3>();
  }
  static void tail(OfNegative of_negative) {
    logarithm();
    load_dst<0, false, 0>();
    raise();
    if (of_negative != OfNegative::kPositive) {
      load_dst<0, false, 0>();
    } else {
      nop();
    }
    op<t::encode_sfpiadd(0, 1, 3, 4)>();
    if (of_negative == OfNegative::kNegative) {
      take_magnitude<3, 0>();
      mov<0, 3>();
    }
    if (of_negative == OfNegative::kUndefined) {
      where_not_zero<0, 1>();
      loadi_where<0, kLess, 3, kBf16, 0x7FC0>();
    }
    store_bf16<3>();
  }
};
inline void power_of_bf16(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                          Word exponent) {
  if ((exponent & 0x7FFFFFFFu) == 0) return fill<false>(half, tile, shape, mode, 0x3F800000);
  const OfNegative of_negative = power_of_negative(exponent);
  replayed<PowerOfBf16::kHead, kAnyLength>(
      half, tile, shape, mode, kVectorsOfOne, [=] { PowerOfBf16::prepare(exponent); },
      [] { PowerOfBf16::head(); }, [=] { PowerOfBf16::tail(of_negative); });
}

// ---- Sine and cosine ----------------------------------------------------------------------------

/// Sine or cosine as in reduce_by_pi(), with pi in two parts, and f (1 + s P(s)) of s = f f:
/// 2^-12.6 and 2^-21 |x|, absolute.
template <bool kCosine>
struct SineOfBf16 {
  static constexpr unsigned kHead = 12, kTail = kCosine ? 16 : 10;
  static void prepare() {
    need_library_constants();
    load_bits<5, bits(0.318309886f)>();
    load_bits<6, bits(-3.140625f)>();
    load_bits<7, bits(-9.676535897932384e-4f)>();
  }
  static void head() {
    load_dst<0, false, 0>();
    if constexpr (kCosine) {
      loadi<3, kBf16, 0xBF00>();
      mad_wait<0, 5, 3, 1>();
      mad<1, kOne, kRoundMagic, 1>();
    } else {
      mad<0, 5, kRoundMagic, 1>();
    }
    nop();
    mov<1, 2>();
    op<t::encode_sfpaddi(kMinusMagic, 1, 0)>();
    op<t::encode_sfpshft(31, 0, 2, 1)>();
    if constexpr (kCosine) {
      op<t::encode_sfpaddi(0x3F00, 1, 0)>();
      nop();
    } else {
      mad<1, 6, 0, 0>();
      nop();
      mad<1, 7, 0, 0>();
      nop();
      mad<0, 0, kZero, 3>();
      loadi<4, kFp16, 0x1FD7>();
    }
    if constexpr (kCosine) mad<1, 6, 0, 0>();
  }
  static void tail() {
    if constexpr (kCosine) {
      nop();
      mad<1, 7, 0, 0>();
      nop();
      mad<0, 0, kZero, 3>();
      loadi<4, kFp16, 0x1FD7>();
    }
    loadi<1, kFp16, 0xB151>();
    mad<4, 3, 1, 4>();
    nop();
    mad<4, 3, kOne, 4>();
    nop();
    mad<4, 0, kZero, 0>();
    nop();
    op<t::encode_sfpxor(2, 0)>();
    if constexpr (kCosine) negate<0, 0>();
    store_bf16<0>();
  }
};

}  // namespace tvp::llk::sfpu
