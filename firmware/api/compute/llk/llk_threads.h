#pragma once

// Functions for kernels that are written for each thread separately: each thread's part of the
// start, of circular buffers and of Dst, by the names beneath the API. Template parameters that
// repeat the configuration of buffers and kernel have no effect.

#include "api/compute/llk/llk_api.h"
#include "api/compute/pack.h"
#include "api/compute/reg_api.h"

namespace ckernel {

/// Starts a thread. Within a kernel it only sets the configuration: ownership of the halves of Dst
/// does not change.
ALWI void configure_thread(uint32_t a, uint32_t b) {
#if COMPILE_FOR_TRISC == 1
  const bool started = thread_state.started;
#else
  const bool started = thread_started;
#endif
  if (!started) return compute_kernel_hw_startup(a, b, a);
#if COMPILE_FOR_TRISC == 2
  if (thread_state.row_tiles != 0) llk::leave_pack_rows();
  thread_state.row_tiles = 0;
  thread_state.out = llk::packed(operand(a));
  llk::configure_packers(thread_state.out, thread_state.half);
  if constexpr (kHasInt32InShortDst)
    llk::read_32_bits(thread_state.out.format == llk::DataFormat::kInt32);
#else
  reconfig_data_format(a, b);
#endif
}

#if COMPILE_FOR_TRISC == 0

#define TVP_START(name)                    \
  template <auto...>                       \
  ALWI void name(uint32_t a) {             \
    configure_thread(a, a);                \
  }                                        \
  template <auto...>                       \
  ALWI void name(uint32_t a, uint32_t b) { \
    configure_thread(a, b);                \
  }
TVP_START(llk_unpack_hw_configure)
TVP_START(llk_unpack_A_hw_configure_disaggregated)
TVP_START(llk_unpack_AB_hw_configure_disaggregated)
TVP_START(llk_unpack_AB_matmul_hw_configure_disaggregated)
TVP_START(llk_unpack_reduce_hw_configure_disaggregated)
TVP_START(llk_unpack_tilize_hw_configure_disaggregated)
TVP_START(llk_unpack_tilizeA_B_hw_configure_disaggregated)
TVP_START(llk_unpack_untilize_hw_configure_disaggregated)
#undef TVP_START

ALWI void llk_wait_tiles(uint32_t cb, uint32_t tiles) { cb_wait_front(cb, tiles); }
ALWI void llk_pop_tiles(uint32_t cb, uint32_t tiles, uint32_t block = 0) {
  cb_pop_front(cb, tiles);
}

#elif COMPILE_FOR_TRISC == 1

/// The start also sets the semaphore.
template <auto...>
ALWI void llk_math_pack_sync_init() {}
template <auto...>
ALWI void llk_math_hw_configure(uint32_t a, uint32_t b) {
  configure_thread(a, b);
}
template <auto...>
ALWI void llk_math_hw_configure_disaggregated(uint32_t a, uint32_t b) {
  configure_thread(a, b);
}
ALWI void llk_math_wait_for_dest_available() { tile_regs_acquire(); }
template <auto...>
ALWI void llk_math_dest_section_done() {
  tile_regs_commit();
}

#else

template <auto...>
ALWI void llk_pack_hw_configure(uint32_t out) {
  configure_thread(out, out);
}
template <auto...>
ALWI void llk_pack_hw_configure_disaggregated(uint32_t out) {
  configure_thread(out, out);
}
/// Number of tiles that one call of pack_tile() packs, from the given one on.
template <auto...>
ALWI void llk_pack_init(uint32_t out = 0, uint32_t tiles = 1) {
  tiles_of_pack_tile = tiles;
}
/// In 2026 the library has this name for the same function without the rest of an init.
template <bool kUntilize = false, bool kZero = false, bool kTilize = false>
ALWI void llk_pack_mop_config(uint32_t out, uint32_t tiles = 1) {
  static_assert(!kUntilize && !kZero && !kTilize, "llk_pack_mop_config: tiles as they are only");
  tiles_of_pack_tile = tiles;
}
template <auto...>
ALWI void llk_pack_dest_init(uint32_t out = 0) {}
template <auto...>
ALWI void llk_init_packer_dest_offset_registers() {}
template <auto...>
ALWI void llk_wait_for_free_tiles(uint32_t cb, uint32_t tiles) {
  cb_reserve_back(cb, tiles);
}
template <auto...>
ALWI void llk_push_tiles(uint32_t cb, uint32_t tiles) {
  cb_push_back(cb, tiles);
}
ALWI void llk_packer_wait_for_math_done() { tile_regs_wait(); }
template <auto...>
ALWI void llk_pack_dest_section_done() {
  tile_regs_release();
}
/// With `kOutOfOrder`, packs to tile `index` of the reserved pages. The first parameter concerns
/// Dst.
template <bool kFp32 = false, bool kOutOfOrder = false, auto kHow = PackMode::Default>
ALWI void llk_pack(uint32_t dst, uint32_t cb, uint32_t index = 0) {
  static_assert(static_cast<int>(kHow) == 0, "llk_pack: tiles; rows by pack_untilize");
  pack_tile<kOutOfOrder>(dst, cb, index);
}
template <auto...>
ALWI void llk_matmul_pack(uint32_t dst, uint32_t cb, uint32_t tiles) {
  pack_tile_block(dst, cb, tiles);
}
/// Datums of a reduced tile that packers take; with `kRevert` all again.
template <ReduceDim kDim, bool kFp32 = false, bool kAtStart = false, bool kRevert = false>
ALWI void llk_pack_reduce_config_v2(uint32_t out) {
  llk::pack_only(kRevert                         ? llk::PackOnly::kAll
                 : kDim == ReduceDim::REDUCE_COL ? llk::PackOnly::kRow
                 : kDim == ReduceDim::REDUCE_ROW ? llk::PackOnly::kColumn
                                                 : llk::PackOnly::kDatum);
}

#endif

}  // namespace ckernel
