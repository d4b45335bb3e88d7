#pragma once

// Activations that PACK computes on tiles of DST before it packs them, while MATH fills the other
// half: name_init_pack(), and name_pack() of a tile. The kernel waits for MATH first, and holds the
// packers back until the vector unit is done (SFPU of the same thread).

#include "api/compute/threads/thread_semaphores.h"
#include "api/compute/threads/vector_mode.h"
#include "ckernel.h"

#if COMPILE_FOR_TRISC == 2
#include "firmware/llk/sfpu/sfpu_activation.h"
#endif

namespace ckernel {

#if COMPILE_FOR_TRISC == 2
namespace packer {
/// First row of DST of PACK's half.
ALWI uint32_t get_packer_dest_offset() { return thread_state.half.base_row; }
}  // namespace packer

template <typename Program>
ALWI void sfpu_of_pack(uint32_t dst, int mode, Program program) {
  llk::sfpu::unary<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.out.shape,
                                   static_cast<llk::sfpu::VectorMode>(mode), program);
}
#endif

// clang-format off
#define TVP_OF_PACK(name, parameters, mode, ...)                               \
  template <auto...>                                                           \
  ALWI void name##_init_pack() {                                               \
    PACK((llk::sfpu::init_addr_mods()));                                       \
  }                                                                            \
  template <auto... kSays>                                                     \
  ALWI void name##_pack parameters {                                           \
    vector_unit_goes_to_pack();                                                \
    PACK((sfpu_of_pack(dst, mode, [=] { namespace s = llk::sfpu; __VA_ARGS__ }))); \
  }
// clang-format on

TVP_OF_PACK(silu_tile, (uint32_t dst), VectorMode::RC, s::silu_program();)
TVP_OF_PACK(tanh_tile, (uint32_t dst), VectorMode::RC, s::tanh_program();)
TVP_OF_PACK(gelu_tile, (uint32_t dst), VectorMode::RC, s::gelu_program();)
TVP_OF_PACK(hardsigmoid_tile, (uint32_t dst), VectorMode::RC, s::hardsigmoid_program();)
TVP_OF_PACK(relu_max_tile, (uint32_t dst, uint32_t most), VectorMode::RC, s::variable<1>(most);
            s::max_min<1, 0>(); s::where<0, s::kLess>(); s::loadi<0, s::kBf16, 0>();
            s::everywhere();)
TVP_OF_PACK(hardtanh_tile, (uint32_t dst, uint32_t low, uint32_t high), VectorMode::RC,
            s::clamp_program(low, high);)
TVP_OF_PACK(selu_tile, (uint32_t dst, uint32_t scale, uint32_t alpha), VectorMode::RC,
            s::selu_program(scale, alpha);)
TVP_OF_PACK(softplus_tile,
            (uint32_t dst, uint32_t beta, uint32_t beta_reciprocal, uint32_t threshold),
            VectorMode::RC, s::softplus_program(beta, beta_reciprocal, threshold);)
#undef TVP_OF_PACK

template <auto...>
ALWI void sigmoid_tile_init_pack() {
  PACK((llk::sfpu::init_addr_mods()));
}
template <auto kMode = VectorMode::RC, auto...>
ALWI void sigmoid_tile_pack(uint32_t dst) {
  vector_unit_goes_to_pack();
  PACK((sfpu_of_pack(dst, static_cast<int>(kMode), [] { llk::sfpu::sigmoid_program(); })));
}

}  // namespace ckernel

/// The configuration word of a thread that selects where in DST the vector unit works.
constexpr uint32_t DEST_TARGET_REG_CFG_MATH_Offset_ADDR32 =
    tvp::llk::config::thread::kMathDestOffset.addr32;
