#pragma once

// Thread 1: activation functions and powers of two tiles, as in sfpu_bf16.h. Parameters are the
// bits of FP32 numbers, in LReg 7.

#include "firmware/llk/sfpu/sfpu_roots.h"

namespace tvp::llk::sfpu {

/// e^x - 1 = 2^k (e^f - 1) + (2^k - 1) with x = k ln 2 + f. It takes x in LReg 0 and returns the
/// result in LReg 3; relative error 2^-11. LReg 4 is -ln 2 and LReg 5 is 1.5 * 2^23 + 127. Operands
/// are clamped above -87.5.
struct Expm1Core {
  static void prepare() {
    constexpr Word kMagic = kRoundMagicBits + 127;
    load_bits<4, 0xBF317218>();
    load_bits<5, kMagic>();
    set_constant<kLog2E>(0x3FB8AA3B);
    set_constant<kMinusLn2>(kLeastExponent);
    set_constant<kRoundMagic>(kMagic | 0x80000000);
  }
  /// Takes 10 instructions.
  static void begin() {
    keep_above<kMinusLn2, 0>();
    mad<0, kLog2E, 5, 1>();
    loadi<3, kFp16, 0x3155>();
    mad<1, kOne, kRoundMagic, 2>();
    op<t::encode_sfpshft(23, 0, 1, 1)>();  // 2^k
    mad<2, 4, 0, 2>();
    loadi<6, kFp16, 0x3808>();
    mad<3, 2, 6, 3>();
    nop();
    mad<3, 2, kOne, 3>();
  }
  static void end() {
    mad<1, kOne, kMinusOne, 6>();
    mad<3, 2, kZero, 3>();
    nop();
    mad<3, 1, 6, 3>();
    nop();
  }
};
/// x above zero, alpha (e^x - 1) below, in LReg 3. `more`, of kMore instructions, then processes
/// LReg 3.
template <unsigned kMore = 0, typename More>
inline void elu_of_bf16(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                        Word alpha, More more) {
  replayed<11, 11 + kMore>(
      half, tile, shape, mode, kVectorsOfOne,
      [&] {
        Expm1Core::prepare();
        variable<7>(alpha);
      },
      [] {
        load_dst<0, false, 0>();
        Expm1Core::begin();
      },
      [&] {
        Expm1Core::end();
        mad<3, 7, kZero, 3>();
        mov_where<0, kGreaterEqual, 0, 3>();
        more();
        store_bf16<3>();
      });
}

/// x times the normal distribution function; relative error 2^-10.5 for |x| < 9.3. q = erfc(|x| /
/// sqrt 2) / 2 = t P(t) e^(-x x / 2) with t = 1 / (1 + 0.2832 |x|). Above zero it is 1 - q. Powers
/// are as in ExpOfBf16, reciprocals as in ReciprocalOfBf16.
struct GeluOfBf16 {
  static constexpr unsigned kHead = 16, kTail = kAnyLength;
  static void prepare() {
    set_constant<kLog2E>(0x3FB8AA3B);
    set_constant<kMinusLn2>(kLeastExponent);
    set_constant<kRoundMagic>(kRoundMagicBits);
    load_bits<5, 0xBF317218>();
    load_bits<7, kReciprocalMagic>();
  }
  static void head() {
    load_dst<0, false, 0>();
    absolute<0, 2>();
    mad<0, 0, kZero, 1>();
    op<t::encode_sfpmuli(0x3E91, 2, 0)>();
    op<t::encode_sfpmuli(0xBF00, 1, 0)>();
    op<t::encode_sfpaddi(0x3F80, 2, 0)>();
    keep_above<kMinusLn2, 1>();
    mad<1, kLog2E, kRoundMagic, 3>();
    loadi<4, kFp16, 0x3155>();
    mov<3, 6>();
    op<t::encode_sfpaddi(kMinusMagic, 6, 0)>();
    op<t::encode_sfpshft(23, 0, 3, 1)>();
    mad<6, 5, 1, 1>();
    loadi<6, kFp16, 0x3808>();
    mad<4, 1, 6, 4>();
    nop();
  }
  static void tail() {
    mad_wait<4, 1, kOne, 4>();
    mad<4, 1, kOne, 4>();
    mov<2, 6>();
    op<t::encode_sfpiadd(0, 3, 4, 4)>();
    op<t::encode_sfpiadd(0, 7, 6, 2 | 4)>();
    mad_wait<2, 6, kMinusOne, 1>();
    mad_wait<1, kOne, kMinusOne, 3>();
    mad_wait<1, 3, kOne, 1>();
    mad<6, 1, kZero, 6>();
    horner<2, 6, 1, 0x349C, 0xAC12, 0x3168, 0x2ECF>();
    nop();
    mad_wait<2, 6, kZero, 2>();
    mad<2, 4, kZero, 2>();
    where<0, kGreaterEqual>();
    mad<2, kMinusOne, kOne, 2>();
    everywhere();
    mad_wait<2, 0, kZero, 2>();
    store_bf16<2>();
  }
};

/// ln(1 + e^(beta x)) / beta: 2^-12.5. It is the larger of z = beta x and 0, plus u P(u) of u =
/// e^-|z|. The result is x where z is above the threshold.
inline void softplus_of_bf16(const DstHalf& half, unsigned tile, TileShape shape, Word beta,
                             Word beta_reciprocal, Word threshold) {
  replayed<16, kAnyLength>(
      half, tile, shape, VectorMode::kAll, kVectorsOfOne,
      [=] {
        set_constant<kLog2E>(0x3FB8AA3B);
        set_constant<kMinusLn2>(kLeastExponent);
        set_constant<kRoundMagic>(kRoundMagicBits);
        variable<4>(beta);
        variable<5>(beta_reciprocal);
        load_bits<7, 0xBF317218>();
      },
      [] {
        load_dst<0, false, 0>();
        mad_wait<0, 4, kZero, 0>();
        op<t::encode_sfpsetsgn(1, 0, 1, 1)>();  // -|z|
        keep_above<kMinusLn2, 1>();
        mad<1, kLog2E, kRoundMagic, 2>();
        loadi<3, kFp16, 0x3155>();
        mov<2, 6>();
        op<t::encode_sfpaddi(kMinusMagic, 6, 0)>();
        op<t::encode_sfpshft(23, 0, 2, 1)>();
        mad<6, 7, 1, 1>();
        loadi<6, kFp16, 0x3808>();
        mad<3, 1, 6, 3>();
        nop();
        mad<3, 1, kOne, 3>();
        nop();
      },
      [=] {
        mad_wait<3, 1, kOne, 3>();
        op<t::encode_sfpiadd(0, 2, 3, 4)>();
        horner<1, 3, 2, 0x294B, 0xB10A, 0x34E7, 0xB7F4>();
        nop();
        mad<1, 3, kOne, 1>();
        keep_above<kZero, 0>();
        mad_wait<1, 3, 0, 1>();
        mad<1, 5, kZero, 1>();
        variable<2>(threshold ^ 0x80000000u);
        mad_wait<0, kOne, 2, 2>();
        where<2, kGreaterEqual>();
        load_dst<1, false, 0>();
        everywhere();
        store_bf16<1>();
      });
}

/// x to the power of y, each of a tile. PowerOfBf16 with the special cases of each lane's y.
inline void power_of_bf16_pairs(const DstHalf& half, unsigned a, unsigned b, unsigned out,
                                TileShape shape) {
  const auto load = [=]<Word kD>(unsigned tile) {
    push(t::encode_sfpload(kD, dst_mode(false), kStay, tile * kDstTileRows));
  };
  replayed<PowerOfBf16::kHead, kAnyLength>(
      half, 0, shape, VectorMode::kAll, kVectorsOfOne, [] { PowerOfBf16::prepare(0); },
      [=] {
        load.template operator()<0>(a);
        PowerOfBf16::split();
      },
      [=] {
        PowerOfBf16::logarithm();
        load.template operator()<0>(a);
        load.template operator()<7>(b);
        PowerOfBf16::raise();
        load.template operator()<0>(a);
        op<t::encode_sfpiadd(0, 1, 3, 4)>();
        where<0, kLess>();
        mad_wait<7, kOne, 6, 1>();
        mov<1, 2>();
        op<t::encode_sfpshft(31, 0, 2, 1)>();
        op<t::encode_sfpxor(2, 3)>();
        add_constant<1, kMinusMagic>();
        op<t::encode_sfpxor(7, 1)>();
        where<1, kNotEqual>();  // not a whole number
        loadi<3, kBf16, 0x7FC0>();
        everywhere();
        where_zero<7, 1>();
        loadi<3, kBf16, 0x3F80>();
        everywhere();
        round_to_bf16<3>();
        push(t::encode_sfpstore(3, dst_mode(false), kNextVector, out * kDstTileRows));
      });
}

}  // namespace tvp::llk::sfpu
