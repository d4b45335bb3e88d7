#pragma once

// Converts rows to tiles. The input buffer holds 32 rows, `block` tiles wide, for each row of
// tiles. DST is acquired and released inside.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

/// Sets rows of `full_dim` tiles, from which tiles are cut.
ALWI void tilize_init(uint32_t in, uint32_t full_dim, uint32_t out = 16) {
#if COMPILE_FOR_TRISC == 0
  use_operand_a(in);
  thread_state.row = full_dim * 2 * llk::datum_bytes(thread_state.a.format);
  llk::describe_unpack_rows(thread_state.a, thread_state.row * 16);
#elif COMPILE_FOR_TRISC == 1
  moves_to_dst(in);
  reconfig_data_format_srca(in);
  thread_state.shape = operand(in).shape;
  llk::init_copy_a(thread_state.shape);
#endif
}
ALWI void tilize_init_short(uint32_t in, uint32_t full_dim, uint32_t out = 16) {
  tilize_init(in, full_dim, out);
}
ALWI void tilize_init_no_pack(uint32_t in, uint32_t full_dim) { tilize_init(in, full_dim, in); }
ALWI void tilize_init_short_with_dt(uint32_t old_in, uint32_t in, uint32_t full_dim,
                                    uint32_t out = 16) {
  tilize_init(in, full_dim, out);
}
ALWI void tilize_init_short_with_dt_no_pack(uint32_t old_in, uint32_t in, uint32_t full_dim) {
  reconfig_data_format_srca(in);
  tilize_init_no_pack(in, full_dim);
}
ALWI void tilize_uninit(uint32_t in, uint32_t out = 16) { UNPACK((use_operand_a(in))); }
ALWI void tilize_uninit_with_dt(uint32_t old_in = 0, uint32_t in = 1, uint32_t out = 16) {
  reconfig_data_format_srca(in);
  tilize_uninit(in, out);
}
ALWI void tilize_uninit_with_dt_no_pack(uint32_t old_in, uint32_t in) {
  reconfig_data_format_srca(in);
  tilize_uninit(in);
}

#if COMPILE_FOR_TRISC == 0
/// Tiles of the matrix at the front of a buffer, row by row.
class TilesOfRows {
 public:
  TilesOfRows(uint32_t in, uint32_t first)
      : tile_(thread_state.a),
        row_(thread_state.row),
        width_(2 * llk::datum_bytes(tile_.format)),
        below_(tile_.shape.rows() / 2 * row_ - row_) {
    const uint32_t across = row_ / width_, down = first / across;
    left_ = across - (first - down * across);
    address_ = get_local_cb_interface(in).fifo_rd_ptr + down * (below_ + row_) +
               (first - down * across) * width_;
  }
  void unpack_next() {
    llk::unpack_from_rows(address_, tile_, row_);
    address_ += width_;
    if (--left_ != 0) return;
    address_ += below_;  // end of a row reached
    left_ = row_ / width_;
  }

 private:
  const llk::Operand tile_;
  const uint32_t row_,
      width_;             ///< row of the matrix, width of a tile; all sizes in units of 16 bytes
  const uint32_t below_;  ///< from the end of a row to the next row of tiles
  uint32_t left_;         ///< in this row of tiles
  uint32_t address_;
};
#endif

#if COMPILE_FOR_TRISC == 0
/// UNPACK's part.
template <auto...>
ALWI void llk_unpack_tilize_init(uint32_t in, uint32_t full_dim) {
  tilize_init(in, full_dim);
}
template <auto...>
ALWI void llk_unpack_tilize_uninit(uint32_t in) {
  tilize_uninit(in);
}
#endif

/// Converts to tiles `first_out` and following of the output from tiles `first_in` and following of
/// the input.
ALWI void tilize_block(uint32_t in, uint32_t tiles, uint32_t out, uint32_t first_in = 0,
                       uint32_t first_out = 0) {
  UNPACK(TilesOfRows from(in, first_in);)
  for (uint32_t i = 0; i < tiles; ++i) {
    UNPACK((from.unpack_next()));
#if COMPILE_FOR_TRISC == 1
    llk::acquire_dst_half();
    llk::copy_a(thread_state.half, 0);
#endif
    tile_regs_commit();
    tile_regs_wait();
    pack_tile<true>(0, out, first_out + i);
    tile_regs_release();
  }
}

/// Writes the tiles that tilize_block() would pack to DST[dst], each over the previous one.
ALWI void tilize_block_no_pack(uint32_t in, uint32_t tiles, uint32_t dst, uint32_t first_in = 0) {
  UNPACK(TilesOfRows from(in, first_in);)
  for (uint32_t i = 0; i < tiles; ++i) {
    UNPACK((from.unpack_next()));
    MATH((llk::copy_a(thread_state.half, dst)));
  }
}

ALWI void fast_tilize_init(uint32_t in, uint32_t full_dim, uint32_t out) {
  tilize_init(in, full_dim, out);
}
ALWI void fast_tilize_init_with_dt(uint32_t in, uint32_t full_dim, uint32_t out) {
  tilize_init(in, full_dim, out);
}
/// For rows of Dst in the order that an earlier init has set.
ALWI void fast_tilize_init_skip_remap(uint32_t in, uint32_t full_dim, uint32_t out) {
  fast_tilize_init(in, full_dim, out);
}
ALWI void fast_tilize_init_with_dt_skip_remap(uint32_t in, uint32_t full_dim, uint32_t out) {
  fast_tilize_init_with_dt(in, full_dim, out);
}
ALWI void fast_tilize_uninit(uint32_t in, uint32_t out, uint32_t full_dim = 0) {
  tilize_uninit(in, out);
}
ALWI void fast_tilize_block(uint32_t in, uint32_t tiles, uint32_t out, uint32_t first_in = 0,
                            uint32_t first_out = 0) {
  tilize_block(in, tiles, out, first_in, first_out);
}

// ---- Tiles cut from rows to SrcA, with tiles in SrcB

#if COMPILE_FOR_TRISC == 0
/// Cuts `faces` of a tile (1, 2 or 4) with `face_rows` rows each from rows of `full_dim` tiles.
/// Other datums of SrcA can be filled with a value that changes no maximum or no sum. SrcB is
/// loaded with every tile.
template <bool kLowest = false, uint32_t kReloadB = 0, bool kZero = false,
          bool kZeroToReduce = false>
ALWI void llk_unpack_tilizeA_B_init(uint32_t a, uint32_t b, uint32_t full_dim, uint32_t faces = 0,
                                    uint32_t face_rows = 0, uint32_t face_rows_b = 16) {
  static_assert(!kLowest || !(kZero || kZeroToReduce), "SrcA is filled with one of two");
  use_operand_a(a);
  use_operand_b(b);
  static_assert(!kSaysFaces || kReloadB > 1,
                "set_unpack_face_geometry: tiles that are cut from rows have their own faces here");
  // The buffer's description is the default.
  if (faces == 0) faces = thread_state.a.shape.faces;
  if (face_rows == 0) face_rows = thread_state.a.shape.face_rows;
  thread_state.parts = {thread_state.a.format,
                        {static_cast<uint8_t>(faces), static_cast<uint8_t>(face_rows)}};
  thread_state.fill = kLowest                  ? llk::Fill::kLowest
                      : kZero || kZeroToReduce ? llk::Fill::kZero
                                               : llk::Fill::kNone;
  thread_state.row = full_dim * 2 * llk::datum_bytes(thread_state.a.format);
  llk::describe_unpack_parts(thread_state.parts, thread_state.row * 16);
}
template <auto...>
ALWI void llk_unpack_tilizeA_B(uint32_t a, uint32_t b, uint32_t tile_a, uint32_t tile_b,
                               uint32_t full_dim = 0, uint32_t faces = 4) {
  const uint32_t width = 2 * llk::datum_bytes(thread_state.a.format);
  llk::unpack_parts(tile_address(a, 0) + tile_a * width, thread_state.parts, thread_state.row,
                    thread_state.fill);
  llk::unpack_tile<llk::Source::kB>(tile_address(b, tile_b));
}
template <auto...>
ALWI void llk_unpack_tilizeA_B_block(uint32_t a, uint32_t b, uint32_t tiles, uint32_t tile_b,
                                     uint32_t faces = 4, uint32_t face_rows = 16) {
  for (uint32_t i = 0; i < tiles; ++i) llk_unpack_tilizeA_B(a, b, i, tile_b, tiles, faces);
}
#endif

/// Prepares reduce_tile_math() to reduce columns of tiles from unpack_tilizeA_B_block(), as
/// selected by REDUCE_OP.
template <bool kLowest = true, bool kZeroToReduce = false, PoolType kPool = kUsualPool,
          ReduceDim kDim = kUsualReduceDim>
ALWI void tilizeA_B_reduce_init(uint32_t a, uint32_t scaler, uint32_t full_dim, uint32_t out,
                                uint32_t faces = 0, uint32_t face_rows = 0) {
  startup_again(a, scaler, out);
  UNPACK((llk_unpack_tilizeA_B_init<kLowest, 1, false, kZeroToReduce>(a, scaler, full_dim, faces,
                                                                      face_rows, 1)));
#if COMPILE_FOR_TRISC == 1
  static_assert(kDim == ReduceDim::REDUCE_COL, "tilizeA_B_reduce_init: columns only");
  if constexpr (kPool == PoolType::MAX) {
    llk::init_reduce_max_columns();
  } else {
    llk::reduce::init();
  }
#endif
}
/// Unpacks the first `tiles` tiles of the rows at the front of `a`, each with tile `tile_b` of `b`.
template <bool kLowest = true, uint32_t kReloadB = 1, bool kZero = false,
          bool kZeroToReduce = false>
ALWI void unpack_tilizeA_B_block(uint32_t a, uint32_t b, uint32_t tiles, uint32_t tile_b,
                                 uint32_t faces = 4, uint32_t face_rows = 16) {
  UNPACK((llk_unpack_tilizeA_B_block(a, b, tiles, tile_b, faces, face_rows)));
}
ALWI void unpack_tilizeA_B_uninit(uint32_t a) { UNPACK((use_operand_a(a))); }

}  // namespace ckernel
