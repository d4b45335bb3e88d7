#pragma once

// Activation functions of tiles of DST; parameters are the bits of FP32 numbers. What each computes
// and its bounds: firmware/llk/sfpu_activation.h.

#include "api/compute/sfpu_call.h"

namespace ckernel {

TVP_SFPU_UNARY_1(elu_tile, s::elu_program(p0);)
TVP_SFPU_UNARY_2(selu_tile, s::selu_program(p0, p1);)
TVP_SFPU_UNARY_2(celu_tile, s::celu_program(p0, p1);)
TVP_SFPU_UNARY_3(softplus_tile, s::softplus_program(p0, p1, p2);)
TVP_SFPU_UNARY(hardsigmoid_tile, s::hardsigmoid_program();)
TVP_SFPU_UNARY(hardmish_tile, s::hardmish_program();)
TVP_SFPU_UNARY(softsign_tile, s::softsign_program();)
TVP_SFPU_UNARY_1(softshrink_tile, s::softshrink_program(p0);)
TVP_SFPU_UNARY_2(hardtanh_tile, s::clamp_program(p0, p1);)
TVP_SFPU_UNARY_2(clamp_tile, s::clamp_program(p0, p1);)
TVP_SFPU_UNARY_2(threshold_tile, s::threshold_program(p0, p1);)
TVP_SFPU_UNARY_1(heaviside_tile, s::heaviside_program(p0);)
TVP_SFPU_UNARY_1(prelu_tile, s::variable<1>(p0); s::mad_wait<0, 1, s::kZero, 1>();
                 s::where<0, s::kLess>(); s::mov<1, 0>(); s::everywhere();)
/// DST[out] of x in DST[a] and e^-x in DST[b].
TVP_SFPU_BINARY(logsigmoid_tile, s::logsigmoid_program();)

TVP_SFPU_UNARY_1(unary_max_tile, s::variable<1>(p0); s::max_min<0, 1>();)
TVP_SFPU_UNARY_1(unary_min_tile, s::variable<1>(p0); s::max_min<1, 0>();)

}  // namespace ckernel
