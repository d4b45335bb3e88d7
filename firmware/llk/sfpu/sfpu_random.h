#pragma once

// Thread 1: random numbers on the vector unit (ISA VectorUnit.md, PRNG). A step of the generator
// shifts its 32 bits by one. Therefore numbers in adjacent vectors share all but three bits, or all
// but one. Silicon's library has the same property, because more steps would take too long.

#include "firmware/llk/sfpu/sfpu_replay.h"

namespace tvp::llk::sfpu {

template <Word kD>
inline void random_bits() {
  op<t::encode_sfpmov(9, kD, 8)>();
}
/// All lanes start from the seed, each at other places of its bits. They step until those are far
/// apart (silicon's library waits for 600 cycles). Uses LReg 0.
inline void seed_random(uint32_t seed) {
  set_word(config::global::kPrngSeed, seed);
#pragma GCC unroll 1
  for (unsigned i = 0; i < 16; ++i) unrolled<16>([](auto) { random_bits<0>(); });
}
/// from + scale u, with 0 <= u < 1 in steps of 2^-23 from the generator's low bits.
template <bool kFp32>
inline void uniform(const DstHalf& half, unsigned tile, TileShape shape, Word from, Word scale) {
  replayed_unary<kFp32, 7, true>(
      half, tile, shape, VectorMode::kAll,
      [=] {
        variable<1>(scale);
        variable<2>(from);
      },
      [] {
        random_bits<0>();
        absolute<0, 0>();
        op<t::encode_sfpsetexp(127, 0, 0, 1)>();  // 1 <= 1 + u < 2
        op<t::encode_sfpaddi(0xBF80, 0, 0)>();
        random_bits<3>();
        mad<0, 1, 2, 0>();
        random_bits<3>();
      });
}
/// 0 with a probability given in steps of 2^-31, else x times the scale.
template <bool kFp32>
inline void dropout(const DstHalf& half, unsigned tile, TileShape shape, Word probability,
                    Word scale) {
  replayed_unary<kFp32, 6, true>(
      half, tile, shape, VectorMode::kAll,
      [=] {
        variable<1>(scale);
        variable<2>(probability - 1);
      },
      [] {
        mad<0, 1, kZero, 0>();
        random_bits<3>();
        absolute<3, 3>();
        op<t::encode_sfpiadd(0, 2, 3, 2 | 8)>();  // where the bits are less than the probability
        loadi<0, kBf16, 0>();
        everywhere();
      });
}
/// x where it is not below zero, else x times a slope between the two. The slope is their mean, or
/// with `kRandom` a random one for each datum.
template <bool kRandom>
inline void rrelu_program(Word low, Word high) {
  variable<1>(low);
  variable<2>(high);
  if constexpr (kRandom) {
    mad_wait<1, kMinusOne, 2, 2>();
    random_bits<3>();
    absolute<3, 3>();
    op<t::encode_sfpsetexp(127, 3, 3, 1)>();  // 1 <= 1 + u < 2
    add_constant<3, 0xBF80>();
    mad_wait<3, 2, 1, 1>();
  } else {
    mad_wait<1, kOne, 2, 1>();
    multiply_constant<1, 0x3F00>();
  }
  mad_wait<0, 1, kZero, 1>();
  mov_where<0, kLess, 1, 0>();
}
/// Rounds LReg 0 to BF16 stochastically.
inline void stochastic_round_program() { op<t::encode_sfpstochrnd(1, 0, 0, 0, 0, 0, 1)>(); }

}  // namespace tvp::llk::sfpu
