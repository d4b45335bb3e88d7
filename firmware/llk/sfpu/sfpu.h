#pragma once

// Threads 1 and 2: the vector unit on tiles in Dst (ISA TensixCoprocessor/VectorUnit.md and
// SFP*.md).
//
// The instruction after SFPMAD, SFPADDI or SFPMULI must not read its result: programs place another
// instruction or SFPNOP in between.

#include "firmware/llk/llk_math.h"

namespace tvp::llk {

namespace sfpu {

namespace t = regs::tensix;

/// LReg[9] and [10] are wired. load_constants() sets 12 to 14. LReg[11] is -1, set by the firmware
/// and by init().
enum Lreg : Word {
  kZero = 9,
  kOne = 10,
  kMinusOne = 11,
  kLog2E = 12,
  kMinusLn2 = 13,
  kRoundMagic = 14
};

/// Modes of SFPLOADI and SFPSETCC, and of SFPIADD without flags.
enum LoadImmediate : Word { kBf16 = 0, kFp16 = 1, kInteger = 2, kUpper = 8, kLower = 10 };
enum Condition : Word { kLess = 0, kNotEqual = 2, kGreaterEqual = 4, kEqual = 6 };

/// Address modifiers as vector instructions name them, and their sections.
enum Step : Word {
  kStay = kFirstVectorMod,
  kNextVector = kFirstVectorMod + 1,
  kNextRows = kFirstVectorMod + 2,
};
constexpr unsigned section_of(Step step) { return 4 + step - kFirstVectorMod; }

/// Mode in which Dst is read as FP32 or BF16.
constexpr Word dst_mode(bool fp32) { return fp32 ? 3 : 2; }

template <Word kInstruction>
inline void op() {
  issue<kInstruction>();
}

inline void nop() { op<t::encode_sfpnop()>(); }
template <Word kA, Word kB, Word kC, Word kD>
inline void mad() {
  op<t::encode_sfpmad(kA, kB, kC, kD, 0)>();
}
template <Word kC, Word kD>
inline void mov() {
  op<t::encode_sfpmov(kC, kD, 0)>();
}
template <Word kC, Word kD>
inline void negate() {
  op<t::encode_sfpmov(kC, kD, 1)>();
}
template <Word kD, LoadImmediate kMode, Word kValue>
inline void loadi() {
  op<t::encode_sfploadi(kD, kMode, kValue)>();
}
template <Word kD, Word kBits>
inline void load_bits() {
  loadi<kD, kUpper, (kBits >> 16)>();
  loadi<kD, kLower, (kBits & 0xFFFF)>();
}
/// kC becomes the larger value, kD the smaller. The unit takes two cycles.
template <Word kC, Word kD>
inline void max_min() {
  op<t::encode_sfpswap(kC, kD, 1)>();
  nop();
}
template <Word kC, Condition kCondition>
inline void where() {
  op<t::encode_sfpsetcc(0, kC, 0, kCondition)>();
}
/// Enables all lanes. Mode and immediate both say "use flags, all set".
inline void everywhere() { op<t::encode_sfpencc(3, 0, 10)>(); }
/// One instruction for the lanes in which kC meets the condition; all lanes are enabled afterwards.
template <Word kC, Condition kCondition, Word kFrom, Word kTo>
inline void mov_where() {
  where<kC, kCondition>();
  mov<kFrom, kTo>();
  everywhere();
}
template <Word kC, Condition kCondition, Word kD, LoadImmediate kMode, Word kValue>
inline void loadi_where() {
  where<kC, kCondition>();
  loadi<kD, kMode, kValue>();
  everywhere();
}

template <Word kD, bool kFp32, Word kTile>
inline void load_dst() {
  op<t::encode_sfpload(kD, dst_mode(kFp32), kStay, kTile * kDstTileRows)>();
}
template <Word kD, bool kFp32, Word kTile, Step kStep = kStay>
inline void store_dst() {
  op<t::encode_sfpstore(kD, dst_mode(kFp32), kStep, kTile * kDstTileRows)>();
}
/// Rounds to the nearest value with 10 bits of mantissa, which SrcB can hold, or 7 of BF16. Ties go
/// away from zero.
template <Word kD>
inline void round_to_tf32() {
  op<t::encode_sfpstochrnd(0, 0, 0, kD, kD, 0, 0)>();
}
template <Word kD>
inline void round_to_bf16() {
  op<t::encode_sfpstochrnd(0, 0, 0, kD, kD, 0, 1)>();
}
/// Rounds for a BF16 Dst, because SFPSTORE truncates.
template <Word kD, bool kFp32>
inline void round_for_dst() {
  if constexpr (!kFp32) round_to_bf16<kD>();
}

// ---- Programs for one vector ----------------------------------------------------------------

/// e^x = 2^k * e^f with k = round(x / ln 2) and |f| <= ln 2 / 2. The polynomial for e^f is 1 + f (1
/// + f (c2 + f (c3 + f c4))). Its coefficients minimize the largest relative error in this range,
/// which is 8.3e-6 (2^-16.9). k is the low mantissa bits after the addition of 1.5 * 2^23. With the
/// rounding of f and of the steps the relative error of the result stays below 1e-5. Below -87 the
/// result is 0, also for minus infinity.
inline constexpr Word kExpC4 = 0x2912;       // FP16, 0.0396
inline constexpr Word kExpC3 = 0x315D;       // FP16, 0.1676
inline constexpr Word kExpC2 = 0x3F000CC8;   // 0.500195
inline constexpr Word kExpLow = 0x42AE;      // BF16, 87
inline constexpr Word kExpHigh = 0xC2B1;     // BF16, -88.5
inline constexpr Word kMinusMagic = 0xCB40;  // BF16, -1.5 * 2^23

/// Computes the result from x; coefficient, f, scale and whole are scratch. The first 15
/// instructions are a separate function.
template <Word kX, Word kResult, Word kCoefficient, Word kF, Word kScale, Word kWhole>
inline void exp_begin() {
  mad<kX, kLog2E, kRoundMagic, kScale>();
  loadi<kResult, kFp16, kExpC4>();
  mov<kScale, kWhole>();
  op<t::encode_sfpaddi(kMinusMagic, kWhole, 0)>();
  loadi<kCoefficient, kFp16, kExpC3>();
  mad<kWhole, kMinusLn2, kX, kF>();
  op<t::encode_sfpshft(23, 0, kScale, 1)>();
  mad<kResult, kF, kCoefficient, kResult>();
  load_bits<kCoefficient, kExpC2>();
  mad<kResult, kF, kCoefficient, kResult>();
  mov<kX, kCoefficient>();
  mad<kResult, kF, kOne, kResult>();
  op<t::encode_sfpaddi(kExpLow, kCoefficient, 0)>();
  mad<kResult, kF, kOne, kResult>();
}
template <Word kX, Word kResult, Word kCoefficient, Word kF, Word kScale, Word kWhole>
inline void exp_end() {
  nop();
  op<t::encode_sfpiadd(0, kScale, kResult, 4)>();
  loadi_where<kCoefficient, kLess, kResult, kBf16, 0>();
}
template <Word kX, Word kResult, Word kCoefficient, Word kF, Word kScale, Word kWhole>
inline void exp() {
  exp_begin<kX, kResult, kCoefficient, kF, kScale, kWhole>();
  exp_end<kX, kResult, kCoefficient, kF, kScale, kWhole>();
}

/// Returns infinity from 88.5 on.
template <Word kX, Word kResult, Word kScratch>
inline void saturate_exp() {
  mov<kX, kScratch>();
  op<t::encode_sfpaddi(kExpHigh, kScratch, 0)>();
  nop();
  loadi_where<kScratch, kGreaterEqual, kResult, kBf16, 0x7F80>();
}

/// First guess of 1 / x: this constant minus the bits of x, as integers. It is off by 5.1 % at
/// most; no other constant has a smaller error.
inline constexpr Word kReciprocalMagic = 0x7EF311C0;
/// Newton steps r (2 - x r) after which the error is below the rounding of the result. Each step
/// squares the error: two leave 7e-6 (TF32, BF16), three less than 2^-22 (FP32).
inline constexpr unsigned newton_steps(bool fp32) { return fp32 ? 3 : 2; }
inline constexpr unsigned reciprocal_length(unsigned steps) { return 13 + 4 * steps; }
template <Word kX, Word kResult, Word kStep, Word kMinusX, Word kTwo>
inline void reciprocal_guess() {
  load_bits<kStep, kReciprocalMagic>();
  mov<kX, kResult>();
  op<t::encode_sfpiadd(0, kStep, kResult, 6)>();
  negate<kX, kMinusX>();
  loadi<kTwo, kBf16, 0x4000>();
}
template <Word kResult, Word kStep, Word kMinusX, Word kTwo>
inline void reciprocal_step() {
  mad<kMinusX, kResult, kTwo, kStep>();
  nop();
  mad<kResult, kStep, kZero, kResult>();
  nop();
}
template <Word kOfZero, Word kX, Word kResult, Word kStep>
inline void reciprocal_limits() {
  loadi_where<kX, kEqual, kResult, kBf16, kOfZero>();
  op<t::encode_sfpexexp(kX, kStep, 1)>();
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-253), kStep, kStep, 1 | 8)>();
  loadi<kResult, kBf16, 0>();
  everywhere();
}
/// 1 / x. If |x| >= 2^126, the result is zero, because the reciprocal is denormal. If x is zero,
/// the result is `kOfZero`, a BF16 number.
template <Word kOfZero, Word kX, Word kResult, Word kStep, Word kMinusX, Word kTwo,
          unsigned kSteps = 3>
inline void reciprocal() {
  reciprocal_guess<kX, kResult, kStep, kMinusX, kTwo>();
  for (unsigned i = 0; i < kSteps; ++i) reciprocal_step<kResult, kStep, kMinusX, kTwo>();
  reciprocal_limits<kOfZero, kX, kResult, kStep>();
}

// ---- Running them over tiles ----------------------------------------------------------------

enum class VectorMode : uint8_t { kNone = 0, kRows = 1, kColumns = 2, kAll = 4 };

/// Thread 2 may use the vector unit, which all threads share, while it has a half of Dst and thread
/// 1 does not compute there. It then cannot know the constants, so it leaves those of this header.
#ifndef TVP_VECTOR_UNIT_BORROWED
#define TVP_VECTOR_UNIT_BORROWED 0
#endif

/// Owner of the values in LReg 12 to 14: this header, the kernel or one call, the fast exponential,
/// or the exponential of BF16.
enum class ConstantsOwner : uint8_t { kLibrary, kKernel, kFastExp, kExpOfBf16 };
inline ConstantsOwner constants_owner = ConstantsOwner::kLibrary;

/// Sets LReg 12 to 14. Uses LReg 0.
inline void load_constants() {
  load_bits<0, 0x3FB8AA3B>();
  op<t::encode_sfpconfig(0, kLog2E, 0)>();
  nop();
  load_bits<0, 0xBF317218>();
  op<t::encode_sfpconfig(0, kMinusLn2, 0)>();
  nop();
  load_bits<0, 0x4B400000>();
  op<t::encode_sfpconfig(0, kRoundMagic, 0)>();
  nop();
  constants_owner = ConstantsOwner::kLibrary;
}

inline __attribute__((always_inline)) void init_addr_mods() {
  set_addr_mod(section_of(kStay), {});
  set_addr_mod(section_of(kNextVector), {.dst = 2});
  set_addr_mod(section_of(kNextRows), {.dst = 4});
}
/// Sets the constants, enables predication with all lanes, and sets the address modifiers. Uses
/// LReg 0.
inline void init() {
  everywhere();
  op<t::encode_sfpconfig(0, kMinusOne, 1)>();
  load_constants();
  init_addr_mods();
}

inline void begin_with_any_constants(const DstHalf& half, unsigned tile) {
  select_dst_tile(half, tile);
  use_vector_mods(true);
  stall<kBlockVector, kUntilMatrix>();
}
inline void begin(const DstHalf& half, unsigned tile) {
#if TVP_VECTOR_UNIT_BORROWED
  begin_with_any_constants(half, tile);
  load_constants();
#else
  if (constants_owner != ConstantsOwner::kLibrary) load_constants();
  begin_with_any_constants(half, tile);
#endif
}
inline void end() {
  use_vector_mods(false);
  reset_row_counters<false, false>();
}

template <unsigned kLength>
inline void run_recorded(unsigned vectors) {
  for (unsigned i = 0; i < vectors; ++i) issue<t::encode_replay(0, kLength, 0, 0)>();
}
inline void skip_face() {  // 16 rows
  op<t::encode_incrwc(0, 0, 0, 8, 0, 0)>();
  op<t::encode_incrwc(0, 0, 0, 8, 0, 0)>();
}

/// Applies `run` to vectors of the tile. Modes: both faces of the first row of faces, the faces of
/// the first column, or all. Any other mode processes `one` vectors.
template <typename Run>
inline void over_faces(TileShape shape, VectorMode mode, unsigned one, Run run) {
  const unsigned per_face = shape.face_rows / 2;  // two vectors for four rows
  switch (mode) {
    case VectorMode::kAll:
      return run(per_face * shape.faces);
    case VectorMode::kRows:
      return run(per_face * 2);
    case VectorMode::kColumns:
      run(per_face);
      if (shape.faces == 4) {
        skip_face();
        run(per_face);
      }
      return;
    default:
      return run(one);
  }
}
/// Number of vectors that the library's functions process without a mode.
inline constexpr unsigned kVectorsOfOne = 8;

/// Runs the program in the replay buffer, which ends by moving to the next vector.
template <unsigned kLength>
inline void over_tile(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                      unsigned one = kVectorsOfOne) {
  begin(half, tile);
  over_faces(shape, mode, one, [](unsigned vectors) { run_recorded<kLength>(vectors); });
  end();
}

template <unsigned kLength>
inline void record() {
  static_assert(kLength <= 32, "the replay buffer holds 32 instructions");
  op<t::encode_replay(0, kLength, 0, 1)>();
}

template <bool kFp32, bool kRoundTf32>
inline constexpr unsigned kReciprocalSteps = newton_steps(kFp32 && !kRoundTf32);
template <bool kFp32, bool kRoundTf32>
inline constexpr unsigned kReciprocalTileLength =
    2 + reciprocal_length(kReciprocalSteps<kFp32, kRoundTf32>) + (kFp32 && !kRoundTf32 ? 0 : 1);
/// The reciprocal of zero is `kOfZero`, a BF16 number.
template <bool kFp32, Word kOfZero, bool kRoundTf32 = false>
inline void record_reciprocal() {
  record<kReciprocalTileLength<kFp32, kRoundTf32>>();
  load_dst<0, kFp32, 0>();
  reciprocal<kOfZero, 0, 1, 5, 2, 3, kReciprocalSteps<kFp32, kRoundTf32>>();
  if constexpr (kFp32 && kRoundTf32) round_to_tf32<1>();
  round_for_dst<1, kFp32>();
  store_dst<1, kFp32, 0, kNextVector>();
}

}  // namespace sfpu

}  // namespace tvp::llk
