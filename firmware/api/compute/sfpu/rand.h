#pragma once

// Random numbers in tiles of DST. A seed gives the same numbers on every run.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

ALWI void init_prng_seed(uint32_t seed) { MATH((llk::sfpu::seed_random(seed))); }

ALWI void rand_tile_init(uint32_t seed = 0) { init_prng_seed(seed); }
/// Numbers in [from, from + scale); both are the bits of FP32 numbers.
ALWI void rand_tile(uint32_t dst, uint32_t from, uint32_t scale) {
  MATH((
      llk::sfpu::uniform<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape, from, scale)));
}

ALWI void dropout_kernel_init(uint32_t seed = 0) { init_prng_seed(seed); }
ALWI void dropout_tile_init(uint32_t seed) { init_prng_seed(seed); }  // name of 2024
/// Zero with the given probability, in steps of 2^-31, else x times the scale (FP32 bits).
ALWI void dropout_tile(uint32_t dst, uint32_t probability, uint32_t scale) {
  MATH((llk::sfpu::dropout<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape, probability,
                                           scale)));
}

/// Rounds to BF16 stochastically.
TVP_SFPU_UNARY(stochastic_round_tile, s::stochastic_round_program();)

}  // namespace ckernel
