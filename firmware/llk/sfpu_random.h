#pragma once

// Thread 1: random numbers on the vector unit (ISA VectorUnit.md, PRNG). Each step of the generator
// shifts its bits by one, so that it takes 24 steps for as many new bits.

#include "firmware/llk/sfpu_integer.h"

namespace tvp::llk::sfpu {

/// All lanes start from it, each in its way.
inline void seed_random(uint32_t seed) { set_word(config::global::kPrngSeed, seed); }

/// 32 bits to LReg kD, the upper 24 of them new.
template <Word kD>
inline void random_bits() {
  unrolled<24>([](auto) { op<t::encode_sfpmov(9, kD, 8)>(); });
}
/// from + scale u with 0 <= u < 1 in steps of 2^-23.
inline void uniform_program(Word from, Word scale) {
  random_bits<0>();
  shift<right(9), 0>();
  mov<kOne, 1>();
  bits_or<1, 0>();  // 1 <= 1 + u < 2
  add_constant<0, 0xBF80>();
  variable<1>(scale);
  variable<2>(from);
  mad_wait<0, 1, 2, 0>();
}
/// 0 with a probability given in steps of 2^-31, else LReg 0 times the scale.
inline void dropout_program(Word probability, Word scale) {
  random_bits<3>();
  shift<right(1), 3>();
  variable<1>(scale);
  mad_wait<0, 1, kZero, 0>();
  variable<2>(probability);
  op<t::encode_sfpiadd(0, 3, 2, 2)>();  // where the bits are less than the probability
  loadi<0, kBf16, 0>();
  everywhere();
}
/// LReg 0 to BF16, up or down by chance.
inline void stochastic_round_program() { op<t::encode_sfpstochrnd(1, 0, 0, 0, 0, 0, 1)>(); }

}  // namespace tvp::llk::sfpu
