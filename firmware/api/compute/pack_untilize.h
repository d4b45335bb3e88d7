#pragma once

// Converts tiles to rows with the packers. A row of `kFull` tiles becomes 32 rows of that width at
// the reserved end of the output buffer. Not for block formats.

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/tile_move_copy.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 2
/// The part of a buffer's tile that a kernel selects: a number of faces, and of first rows in each
/// face.
ALWI llk::TileShape part_of_tile(uint32_t faces, uint32_t face_rows) {
  const llk::TileShape whole = thread_state.out.shape;
  return {static_cast<uint8_t>(faces < whole.faces ? faces : whole.faces),
          static_cast<uint8_t>(face_rows < whole.face_rows ? face_rows : whole.face_rows)};
}
/// The width of a row of one tile, in units of 16 bytes.
ALWI uint32_t row_width() {
  const uint32_t face = llk::datum_bytes(thread_state.out.format);
  if (thread_state.row_columns != llk::kWholeRows) return thread_state.row_columns * face / 16;
  return (thread_state.row_part.faces > 1 ? 2 : 1) * face;
}
/// Makes packers write rows of `tiles` tiles to a matrix that is `full` tiles wide, until
/// leave_rows().
ALWI void use_rows(uint32_t tiles, uint32_t full, uint32_t faces = 4, uint32_t face_rows = 16,
                   uint32_t columns = llk::kWholeRows) {
  const llk::TileShape part = part_of_tile(faces, face_rows);
  const bool same_part = thread_state.row_part == part && thread_state.row_columns == columns;
  thread_state.row_part = part;
  thread_state.row_columns = columns;
  const uint32_t row = full * row_width();
  if (same_part && thread_state.row_tiles == tiles && thread_state.row == row) return;
  thread_state.row_tiles = tiles;
  thread_state.row = row;
  llk::describe_pack_rows(thread_state.out, part, row, tiles, thread_state.half, columns);
}
/// Makes packers write tiles again.
ALWI void leave_rows() {
  if (thread_state.row_tiles == 0) return;
  thread_state.row_tiles = 0;
  llk::leave_pack_rows();
  describe_pack(thread_state.out);
}
/// Packs DST tiles from `dst` on to the columns from `column` on in the tile row `below` of the
/// matrix.
ALWI void pack_rows_of_tiles(uint32_t out, uint32_t dst, uint32_t below, uint32_t column) {
  const llk::TileShape part = thread_state.row_part;
  const uint32_t rows = part.faces == 1 ? part.face_rows : part.rows() / 2;
  llk::pack_rows(dst, get_local_cb_interface(out).fifo_wr_ptr + below * rows * thread_state.row +
                          column * row_width());
}
#endif

/// Number of packed columns of each tile.
template <bool kNarrow, uint32_t kColumns>
constexpr uint32_t columns_of_rows() {
  static_assert(!kNarrow || kColumns == 8 || kColumns == 16,
                "pack_untilize: narrow rows have 8 or 16 columns");
  return kNarrow ? kColumns : llk::kWholeRows;
}

/// Packs the first `face_rows` rows of the selected faces of each tile. If narrow, it packs
/// kColumns datums (a multiple of 16 bytes) of each row of the left faces.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kNarrow = false,
          uint32_t kColumns = llk::kWholeRows, bool kDense = false, bool = true>
ALWI void pack_untilize_dest_init(uint32_t out, uint32_t face_rows = 16, uint32_t faces = 4) {
  static_assert(!kDense, "pack_untilize: dense rows are not packed here");
  pack_reconfig_data_format(out);
  PACK((use_rows(kBlock, kFull, faces, face_rows, columns_of_rows<kNarrow, kColumns>())));
}
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_init(uint32_t in, uint32_t out) {
  reconfig_data_format_srca(in);
  copy_init(in);
  pack_untilize_dest_init<kBlock, kFull>(out);
}
#if COMPILE_FOR_TRISC == 2
/// Sets the packers' format. The parts of tiles follow with llk_pack_untilize_init.
template <bool kFp32 = false, bool kRows = false, auto...>
ALWI void llk_pack_untilize_hw_configure_disaggregated(uint32_t out, uint32_t = 16, uint32_t = 4) {
  pack_reconfig_data_format(out);
}
/// The packers' part of pack_untilize_dest_init, for a buffer of their current format.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, uint32_t kColumns = llk::kWholeRows>
ALWI void llk_pack_untilize_init(uint32_t out, uint32_t face_rows = 16, uint32_t faces = 4) {
  static_assert(!kDiagonal, "pack_untilize: rows, not diagonals");
  use_rows(kBlock, kFull, faces, face_rows, columns_of_rows<kNarrow, kColumns>());
}
#endif
// Signature of June 2025, with whole rows or diagonals after the widths.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, uint32_t kColumns = llk::kWholeRows>
ALWI void pack_untilize_dst_init_short(uint32_t out, uint32_t face_rows = 16, uint32_t faces = 4) {
  static_assert(!kDiagonal, "pack_untilize: rows, not diagonals");
  pack_untilize_dest_init<kBlock, kFull, kNarrow, kColumns>(out, face_rows, faces);
}
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_init_short(uint32_t in, uint32_t out) {
  pack_untilize_init<kBlock, kFull>(in, out);
}
ALWI void pack_untilize_uninit(uint32_t out = 16) { PACK((leave_rows())); }

/// Packs rows of kBlock tiles from DST tile `first` + kFirst on.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, uint32_t kColumns = llk::kWholeRows, uint32_t kFirst = 0,
          bool kDense = false>
ALWI void pack_untilize_dest(uint32_t out, uint32_t rows, uint32_t block_column, uint32_t face_rows,
                             uint32_t faces, uint32_t first = 0) {
  static_assert(!kDiagonal, "pack_untilize: rows, not diagonals");
  static_assert(!kDense, "pack_untilize: dense rows are not packed here");
#if COMPILE_FOR_TRISC == 2
  use_rows(kBlock, kFull, faces, face_rows, columns_of_rows<kNarrow, kColumns>());
  for (uint32_t r = 0; r < rows; ++r)
    pack_rows_of_tiles(out, first + kFirst + r * kBlock, r, block_column * kBlock);
#endif
}

/// Uses the parts of tiles from the buffer's description, as since summer 2026.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, uint32_t kColumns = llk::kWholeRows, uint32_t kFirst = 0,
          bool kDense = false>
ALWI void pack_untilize_dest(uint32_t out, uint32_t rows = 1, uint32_t block_column = 0,
                             uint32_t first = 0) {
  pack_untilize_dest<kBlock, kFull, kDiagonal, kNarrow, kColumns, kFirst, kDense>(
      out, rows, block_column, 16, 4, first);
}

template <uint32_t kBlock = 8, uint32_t kFull = kBlock, bool kDiagonal = false,
          bool kNarrow = false, uint32_t kColumns = llk::kWholeRows>
ALWI void pack_untilize_dst(uint32_t out, uint32_t rows = 1, uint32_t block_column = 0,
                            uint32_t face_rows = 16, uint32_t faces = 4) {
  pack_untilize_dest<kBlock, kFull, kDiagonal, kNarrow, kColumns>(out, rows, block_column,
                                                                  face_rows, faces);
}

/// Packs `rows` rows of kBlock tiles. Acquires and releases DST.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_block(uint32_t in, uint32_t rows, uint32_t out, uint32_t block_column = 0) {
  PACK((use_rows(kBlock, kFull)));
  for (uint32_t r = 0; r < rows; ++r) {
    tile_regs_acquire();
    for (uint32_t c = 0; c < kBlock; ++c) {
#if COMPILE_FOR_TRISC == 0
      // tt-metal's cache update requests more rows than it has waited for and uses only the first.
      copy_tile_from(unchecked_tile_address(in, r * kBlock + c), in, c);
#else
      copy_tile_from(0, in, c);
#endif
    }
    tile_regs_commit();
    tile_regs_wait();
    PACK((pack_rows_of_tiles(out, 0, r, block_column * kBlock)));
    tile_regs_release();
  }
}

// Names of June 2026. The layout of a 32-bit Dst is fixed by the hardware, and no faster form
// exists.
template <uint32_t kBlock = 8, uint32_t kFull = kBlock>
ALWI void pack_untilize_init_skip_remap(uint32_t in, uint32_t out) {
  pack_untilize_init<kBlock, kFull>(in, out);
}
template <uint32_t kTiles>
ALWI void fast_untilize_init(uint32_t in, uint32_t out) {
  pack_untilize_init<kTiles, kTiles>(in, out);
}
template <uint32_t kTiles>
ALWI void fast_untilize_init_skip_remap(uint32_t in, uint32_t out) {
  pack_untilize_init<kTiles, kTiles>(in, out);
}
template <uint32_t kTiles>
ALWI void fast_untilize_block(uint32_t in, uint32_t out) {
  pack_untilize_block<kTiles, kTiles>(in, 1, out, 0);
}
template <uint32_t kTiles>
ALWI void fast_untilize_uninit(uint32_t out) {
  pack_untilize_uninit(out);
}

}  // namespace ckernel
