#pragma once

// Thread 1: conversions of tiles between formats. Edge cases are those of silicon's library: 16-bit
// integers are rounded to nearest, ties away from zero, and clamped to their range. 32-bit integers
// drop the fraction. Int32 becomes -2^31 outside of its range, UInt32 is clamped. NaN counts as too
// large. sfpu_cell.h describes the bits of integers.

#include "firmware/llk/sfpu/sfpu_macro.h"

namespace tvp::llk::sfpu {

namespace typecast {

/// Runs kLength instructions, load and store included, for a 32-bit Dst. They take LReg 0 and leave
/// the result in LReg kResult.
template <unsigned kLength, Word kResult, Word kStoreMode, typename Prepare, typename Program>
inline void replay(const DstHalf& half, unsigned tile, TileShape shape, Prepare prepare,
                   Program program) {
  replayed<kLength>(
      half, tile, shape, VectorMode::kAll, kVectorsOfOne, prepare,
      [&] {
        load_dst<0, true, 0>();  // integers unchanged
        program();
        op<t::encode_sfpstore(kResult, kStoreMode, kNextVector, 0)>();
      },
      Nothing{});
}
inline constexpr Word kAsInteger = 4, kAsFloat = 3;

/// LReg 1 = |x| without fraction where |x| < 2^kBits, LReg 6 from there on, 0 below one. The lanes
/// stay selected.
template <int kBits>
inline void magnitude() {
  op<t::encode_sfpexexp(0, 2, 2 | 8)>();
  mov<6, 1>();
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-kBits), 2, 2, 1)>();
  op<t::encode_sfpiadd(static_cast<Word>(kBits - 23), 2, 2, 1 | 4)>();
  op<t::encode_sfpexman(0, 1, 0)>();
  op<t::encode_sfpshft(0, 2, 1, 0)>();
}
inline void float_to_int32(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<13, 1, kAsInteger>(
      half, tile, shape, [] { loadi<6, kBf16, 0x8000>(); },
      [] {
        mov<kZero, 1>();
        magnitude<31>();
        everywhere();
        where<0, kLess>();
        integer_subtract<kZero, 1>();
        everywhere();
      });
}
inline void float_to_uint32(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<11, 1, kAsInteger>(
      half, tile, shape, [] { op<t::encode_sfpnot(kZero, 6)>(); },
      [] {
        mov<kZero, 1>();
        where<0, kGreaterEqual>();
        magnitude<32>();
        everywhere();
      });
}
/// Converts a float in LReg 0 (or an integer after a cast to float) to 16 bits at the place of a
/// BF16's bits.
inline void to_uint16() {
  keep_above<kZero, 0>();
  op<t::encode_sfpstochrnd(0, 0, 0, 0, 0, 0, 6)>();
  scatter_uint16<0>();
}
inline void float_to_uint16(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<5, 0, kAsInteger>(half, tile, shape, Nothing{}, [] { to_uint16(); });
}
/// The cast reads negative numbers as sign and magnitude, which is also negative.
inline void int32_to_uint16(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<6, 0, kAsInteger>(half, tile, shape, Nothing{}, [] {
    op<t::encode_sfpcast(0, 0, 0)>();
    to_uint16();
  });
}
inline void uint32_to_uint16(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<8, 0, kAsInteger>(
      half, tile, shape, [] { loadi<6, kInteger, 0xFFFF>(); },
      [] {
        load_dst<1, true, 0>();
        shift<right(16), 1>();
        mov_where<1, kNotEqual, 6, 0>();
        scatter_uint16<0>();
      });
}
inline void int32_to_fp32(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<8, 0, kAsFloat>(half, tile, shape, Nothing{}, [] {
    integer_absolute<0, 1>();  // -2^31 stays, which is minus zero to the cast
    op<t::encode_sfpcast(1, 2, 0)>();
    op<t::encode_sfpsetsgn(0, 2, 0, 0)>();
    loadi_where<1, kLess, 0, kBf16, 0xCF00>();
  });
}
/// The first bit is added as 2^31. The result is rounded twice, as in silicon's library.
inline void uint32_to_fp32(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<7, 1, kAsFloat>(half, tile, shape, Nothing{}, [] {
    absolute<0, 1>();
    op<t::encode_sfpcast(1, 1, 0)>();
    where<0, kLess>();
    op<t::encode_sfpaddi(0x4F00, 1, 0)>();
    everywhere();
  });
}
inline void round_to_bf16(const DstHalf& half, unsigned tile, TileShape shape) {
  replay<3, 0, kAsFloat>(half, tile, shape, Nothing{}, [] { sfpu::round_to_bf16<0>(); });
}

}  // namespace typecast

}  // namespace tvp::llk::sfpu
