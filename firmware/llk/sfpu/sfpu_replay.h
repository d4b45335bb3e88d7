#pragma once

// Thread 1: programs that are recorded with their first vector and replayed for the others (ISA
// TensixCoprocessor/REPLAY.md). Replay issues one instruction a cycle, independent of the core's
// loop, and computes run-time words such as places in Dst once. Every call records again, so no
// caller depends on the buffer's contents. If the kernel uses the buffer's second half
// (replay_buffer.h), the rest of longer programs is pushed for each vector.

#include "firmware/llk/replay_buffer.h"
#include "firmware/llk/sfpu/sfpu_math.h"

namespace tvp::llk::sfpu {

static_assert(!TVP_VECTOR_UNIT_BORROWED, "these programs leave constants of their own");

struct Nothing {
  void operator()() const {}
};

/// Length of a part that is longer than the buffer or depends on the arguments.
inline constexpr unsigned kAnyLength = kReplayPlaces;

/// Runs `program`, of kLength instructions, for each vector.
template <unsigned kLength, typename Program>
inline void replay_whole(TileShape shape, VectorMode mode, unsigned one, Program program) {
  bool recorded = false;
  over_faces(shape, mode, one, [&](unsigned vectors) {
    if (!recorded && vectors != 0) {
      issue<t::encode_replay(0, kLength, 1, 1)>();
      program();
      recorded = true;
      --vectors;
    }
#pragma GCC unroll 4
    for (; vectors != 0; --vectors) issue<t::encode_replay(0, kLength, 0, 0)>();
  });
}
/// Runs `head` for each vector and pushes `tail` after it.
template <unsigned kHead, typename Head, typename Tail>
inline void replay_heads(TileShape shape, VectorMode mode, unsigned one, Head head, Tail tail) {
  bool recorded = false;
  over_faces(shape, mode, one, [&](unsigned vectors) {
#pragma GCC unroll 1
    for (; vectors != 0; --vectors) {
      if (recorded) {
        issue<t::encode_replay(0, kHead, 0, 0)>();
      } else {
        issue<t::encode_replay(0, kHead, 1, 1)>();
        head();
        recorded = true;
      }
      tail();
    }
  });
}

/// Runs `head`, of kHead instructions, and `tail`, of kTail, for each vector. One of them moves to
/// the next vector. `prepare` runs first and leaves constants in LRegs, `finish` runs last. LReg 12
/// to 14 are free for all programs.
template <unsigned kHead, unsigned kTail = 0, typename Prepare, typename Head, typename Tail,
          typename Finish = Nothing>
inline void replayed(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                     unsigned one, Prepare prepare, Head head, Tail tail, Finish finish = {}) {
  static_assert(kHead <= kSharedReplayPlaces);
  begin_with_any_constants(half, tile);
  prepare();
  const auto whole = [&] {
    head();
    tail();
  };
  if constexpr (kTail == 0) {
    replay_whole<kHead>(shape, mode, one, head);
  } else if constexpr (kHead + kTail > kReplayPlaces) {
    replay_heads<kHead>(shape, mode, one, head, tail);
  } else if (second_half_is_free()) {
    replay_whole<kHead + kTail>(shape, mode, one, whole);
  } else {
    replay_heads<kHead>(shape, mode, one, head, tail);
  }
  finish();
  end();
}

/// Runs kLength instructions on one tile in LReg 0, in place. With `kRounds`, the result may have
/// more bits than BF16.
template <bool kFp32, unsigned kLength, bool kRounds, typename Prepare, typename Program>
inline void replayed_unary(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                           Prepare prepare, Program program) {
  replayed<kLength + 2 + (kRounds && !kFp32)>(
      half, tile, shape, mode, kVectorsOfOne, prepare,
      [&] {
        load_dst<0, kFp32, 0>();
        program();
        if constexpr (kRounds) round_for_dst<0, kFp32>();
        store_dst<0, kFp32, 0, kNextVector>();
      },
      Nothing{});
}
/// Runs kLength instructions on tiles a and b in LReg 0 and 1.
template <bool kFp32, unsigned kLength, bool kRounds, typename Program>
inline void replayed_binary(const DstHalf& half, unsigned a, unsigned b, unsigned out,
                            TileShape shape, VectorMode mode, Program program) {
  constexpr Word kFormat = dst_mode(kFp32);
  replayed<kLength + 3 + (kRounds && !kFp32)>(
      half, 0, shape, mode, kVectorsOfOne, Nothing{},
      [&] {
        push(t::encode_sfpload(0, kFormat, kStay, a * kDstTileRows));
        push(t::encode_sfpload(1, kFormat, kStay, b * kDstTileRows));
        program();
        if constexpr (kRounds) round_for_dst<0, kFp32>();
        push(t::encode_sfpstore(0, kFormat, kNextVector, out * kDstTileRows));
      },
      Nothing{});
}

inline void need_library_constants() {
  if (constants_owner != ConstantsOwner::kLibrary) load_constants();
}
/// 1 / x with the bounds of reciprocal().
inline void reciprocal_of_fp32(const DstHalf& half, unsigned tile, TileShape shape,
                               VectorMode mode) {
  replayed<15, 12>(
      half, tile, shape, mode, kVectorsOfOne, Nothing{},
      [] {
        load_dst<0, true, 0>();
        reciprocal_guess<0, 1, 5, 2, 3>();
        reciprocal_step<1, 5, 2, 3>();
        reciprocal_step<1, 5, 2, 3>();
      },
      [] {
        reciprocal_step<1, 5, 2, 3>();
        reciprocal_limits<0x7F80, 0, 1, 5>();
        store_dst<1, true, 0, kNextVector>();
      });
}

/// Sets constants of this header's programs in LReg 12 to 14. begin() loads the library's again.
/// Uses LReg 0.
template <Word kD>
inline void set_constant(Word value) {
  variable<0>(value);
  op<t::encode_sfpconfig(0, kD, 0)>();
  nop();
  constants_owner = ConstantsOwner::kKernel;
}

/// kD = the smaller or the larger of kD and a constant in LReg 9 to 14, which stays unchanged.
/// Takes two cycles.
template <Word kConstant, Word kD>
inline void keep_below() {
  static_assert(kConstant > 8);
  op<t::encode_sfpswap(kConstant, kD, 1)>();
}
template <Word kConstant, Word kD>
inline void keep_above() {
  static_assert(kConstant > 8);
  op<t::encode_sfpswap(kConstant, kD, 9)>();
}
/// Rounds the value as Dst will hold it. Uses LReg 0, which holds it afterwards.
template <Word kD, bool kFp32>
inline void set_rounded_constant(Word value) {
  variable<0>(value);
  round_for_dst<0, kFp32>();
  op<t::encode_sfpconfig(0, kD, 0)>();
  nop();
  constants_owner = ConstantsOwner::kKernel;
}

/// Keeps the lanes in which LReg kC is zero (of either sign), or the other lanes. kScratch is
/// overwritten.
template <Word kC, Word kScratch>
inline void where_zero() {
  op<t::encode_sfplz(kC, kScratch, 2 | 4 | 8)>();
}
template <Word kC, Word kScratch>
inline void where_not_zero() {
  op<t::encode_sfplz(kC, kScratch, 2 | 4)>();
}

// ---- Numbers as they are, within bounds, whole --------------------------------------------------

template <bool kFp32>
inline void fill(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode, Word value) {
  begin_with_any_constants(half, tile);
  variable<0>(value);
  round_for_dst<0, kFp32>();
  over_faces(shape, mode, kVectorsOfOne, [](unsigned vectors) {
#pragma GCC unroll 4
    for (; vectors != 0; --vectors) store_dst<0, kFp32, 0, kNextVector>();
  });
  end();
}

/// The larger of x and low, then the smaller of that and high.
template <bool kFp32>
inline void clamp(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode, Word low,
                  Word high) {
  replayed_unary<kFp32, 2, false>(
      half, tile, shape, mode,
      [&] {
        set_rounded_constant<kMinusLn2, kFp32>(low);
        set_rounded_constant<kRoundMagic, kFp32>(high);
      },
      [] {
        keep_above<kMinusLn2, 0>();
        keep_below<kRoundMagic, 0>();
      });
}

/// LReg 1 = x without the fraction. The last bits are masked; where |x| < 1, all but the sign are.
/// LReg 5 is 23, LReg 6 all ones, LReg 7 the sign bit.
inline constexpr unsigned kTruncateLength = 8;
inline void prepare_truncate() {
  loadi<5, kInteger, 23>();
  op<t::encode_sfpnot(kZero, 6)>();
  loadi<7, kBf16, 0x8000>();
}
inline void truncate() {
  mov<7, 1>();
  op<t::encode_sfpexexp(0, 2, 2 | 8)>();
  mov<6, 1>();
  op<t::encode_sfpiadd(0, 5, 2, 2 | 8)>();
  op<t::encode_sfpshft(0, 2, 1, 0)>();
  everywhere();
  op<t::encode_sfpand(0, 1)>();
}
enum class Rounding : uint8_t { kTrunc, kFloor, kCeil, kFrac };
template <Rounding kRounding, bool kFp32>
inline void round_to_whole(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode) {
  constexpr unsigned kMore = kRounding == Rounding::kTrunc  ? 0
                             : kRounding == Rounding::kFrac ? 2
                                                            : 4;
  replayed<kTruncateLength + 1 + kMore>(
      half, tile, shape, mode, kVectorsOfOne, [] { prepare_truncate(); },
      [] {
        load_dst<0, kFp32, 0>();
        truncate();
        if constexpr (kRounding == Rounding::kFrac) mad_wait<1, kMinusOne, 0, 1>();
        if constexpr (kRounding == Rounding::kFloor || kRounding == Rounding::kCeil) {
          constexpr bool kDown = kRounding == Rounding::kFloor;
          where<0, kDown ? kLess : kGreaterEqual>();
          op<t::encode_sfpiadd(0, 1, 0, 2)>();  // where more bits were set
          op<t::encode_sfpaddi(kDown ? 0xBF80 : 0x3F80, 1, 0)>();
          everywhere();
        }
        store_dst<1, kFp32, 0, kNextVector>();
      },
      Nothing{});
}

// ---- Comparisons: what Dst gets is stored twice, the second time in some lanes only -------------

/// Compares LReg 0 with zero (-0 equals 0) and stores 1 or 0 to Dst.
constexpr bool is_order(Comparison c) {
  return c != Comparison::kEqual && c != Comparison::kNotEqual;
}
template <Comparison kComparison>
inline constexpr unsigned kCompareWithZeroLength = is_order(kComparison) ? 6 : 5;
template <Comparison kComparison, bool kFp32>
inline void record_compare_with_zero() {
  using enum Comparison;
  constexpr bool kOtherwise = kComparison == kGreaterEqual || kComparison == kLessEqual;
  load_dst<0, kFp32, 0>();
  store_dst<kOtherwise ? kOne : kZero, kFp32, 0>();
  if constexpr (kComparison == kEqual) {
    where_zero<0, 1>();
  } else {
    where_not_zero<0, 1>();
  }
  if constexpr (kComparison == kLess || kComparison == kGreaterEqual) where<0, Condition::kLess>();
  if constexpr (kComparison == kGreater || kComparison == kLessEqual)
    where<0, Condition::kGreaterEqual>();
  store_dst<kOtherwise ? kZero : kOne, kFp32, 0, kNextVector>();
  everywhere();
}
template <Comparison kComparison, bool kFp32>
inline void compare_with_zero(const DstHalf& half, unsigned tile, TileShape shape,
                              VectorMode mode) {
  replayed<kCompareWithZeroLength<kComparison>>(
      half, tile, shape, mode, kVectorsOfOne, Nothing{},
      [] { record_compare_with_zero<kComparison, kFp32>(); }, Nothing{});
}

/// Compares with a number, in the order of compare_program().
template <Comparison kComparison, bool kFp32>
inline void compare_with_number(const DstHalf& half, unsigned tile, TileShape shape,
                                VectorMode mode, Word number) {
  using enum Comparison;
  const bool zero = (number & 0x7FFFFFFFu) == 0;
  if constexpr (!is_order(kComparison)) {
    replayed<6>(
        half, tile, shape, mode, kVectorsOfOne, [&] { variable<2>(number); },
        [&] {
          load_dst<0, kFp32, 0>();
          store_dst<kZero, kFp32, 0>();
          op<t::encode_sfpxor(2, 0)>();
          // The sign of a zero does not count.
          push(t::encode_sfplz(0, 0, 2 | (zero ? 4 : 0) | (kComparison == kEqual ? 8 : 0)));
          store_dst<kOne, kFp32, 0, kNextVector>();
          everywhere();
        },
        Nothing{});
  } else {
    // The larger or the smaller of both differs from x where x < number or x > number. For zeros it
    // takes the one beyond which -0 and 0 compare as equal.
    constexpr bool kBelow = kComparison == kLess || kComparison == kGreaterEqual;
    constexpr bool kOtherwise = kComparison == kGreaterEqual || kComparison == kLessEqual;
    replayed<8>(
        half, tile, shape, mode, kVectorsOfOne,
        [&] {
          set_constant<kRoundMagic>(!zero ? number : kBelow ? 0x80000000u : 0);
        },
        [] {
          load_dst<0, kFp32, 0>();
          load_dst<1, kFp32, 0>();
          if constexpr (kBelow) {
            keep_above<kRoundMagic, 0>();
          } else {
            keep_below<kRoundMagic, 0>();
          }
          op<t::encode_sfpxor(1, 0)>();
          store_dst<kOtherwise ? kOne : kZero, kFp32, 0>();
          where<0, Condition::kNotEqual>();
          store_dst<kOtherwise ? kZero : kOne, kFp32, 0, kNextVector>();
          everywhere();
        },
        Nothing{});
  }
}

}  // namespace tvp::llk::sfpu
