#pragma once

// Runs a kernel's vector-unit functions, written with sfpi, over the faces of a tile of DST, on
// MATH or on PACK. Names and semantics are those of tt-metal's LLK.

#include "api/compute/threads/vector_mode.h"

#if COMPILE_FOR_TRISC != 0 && defined(__riscv)

#include "api/sfpi.h"

using namespace sfpi;

namespace ckernel {

namespace sfpi_tile {

/// Moves to the next face from any place in this one.
ALWI void next_face() {
  llk::issue<tvp::regs::tensix::encode_incrwc(1, 0, 0, 8, 0, 0)>();
  llk::issue<tvp::regs::tensix::encode_incrwc(1, 0, 0, 8, 0, 0)>();
}

template <typename Function>
ALWI void over_faces(uint32_t tile, int mode, Function function) {
  llk::select_dst_tile(thread_state.half, tile);
  llk::use_vector_mods(true);
  llk::stall<llk::kBlockVector, llk::kUntilMatrix>();
  // RC: all four faces; R: the upper two; C: the left ones. Other modes: the first faces of the
  // tile.
  const unsigned faces = mode == RC ? 4 : mode == R || mode == C ? 2 : 1;
  for (unsigned face = 0; face < faces; ++face) {
    function();
    next_face();
    if (mode == C) next_face();
  }
  llk::sfpu::end();
}

}  // namespace sfpi_tile

template <bool = false, typename Function, typename... Args>
ALWI void _llk_math_eltwise_unary_sfpu_params_(Function&& function, uint32_t tile, int mode = RC,
                                               Args... args) {
  sfpi_tile::over_faces(tile, mode, [&] { function(args...); });
}
/// The function gets the numbers of the tiles and computes rows of dst_reg from them.
template <bool = false, typename Function, typename... Args>
ALWI void _llk_math_eltwise_binary_sfpu_params_(Function&& function, uint32_t a, uint32_t b,
                                                uint32_t out, int mode = RC, Args... args) {
  sfpi_tile::over_faces(0, mode, [&] { function(a, b, out, args...); });
}
template <bool = false, typename Function, typename... Args>
ALWI void _llk_math_eltwise_ternary_sfpu_params_(Function&& function, uint32_t a, uint32_t b,
                                                 uint32_t c, uint32_t out, int mode = RC,
                                                 Args... args) {
  sfpi_tile::over_faces(0, mode, [&] { function(a, b, c, out, args...); });
}

}  // namespace ckernel

#endif
