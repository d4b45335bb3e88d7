#pragma once

// Thread 1: sums and maxima of 32x32 tiles along rows, columns or both (ISA
// TensixCoprocessor/MVMUL.md, GMPOOL.md, MOVD2A.md, MOVD2B.md, MOVB2D.md, TRNSPSRCB.md,
// ZEROACC.md). Results add to the contents of Dst. Undefined rows are zero for a sum and minus
// infinity for a maximum. Other rows of Dst that the operation uses are undefined at the end.

#include "firmware/llk/llk_math.h"

namespace tvp::llk {

enum class ReduceAlong : uint8_t { kRows, kColumns, kBoth };

namespace reduce {

namespace t = regs::tensix;

/// Sections of address modifiers: to the next face of SrcA, to the next eight rows of SrcB, and
/// back to the first with the next fidelity phase.
enum Mod : Word { kStayed = 0, kNextFaceA = 1, kNextBlockB = 2, kNextPhase = 3 };

inline void init() {
  give_banks_back();
  set_addr_mod(kStayed, {});
  set_addr_mod(kNextFaceA, {.src_a = 16});
  set_addr_mod(kNextBlockB, {.src_b = 8});
  set_addr_mod(kNextPhase, {.fidelity = 1, .clear_src = true});
  reset_row_counters<false, false>();
}

/// Marks 16 rows of the half as undefined.
inline void forget_rows(const DstHalf& half, unsigned row) {
  forget_block<kStayed>(half, half.base_row + row);
}
/// Moves Dst rows [row, row + 16) to SrcB rows 16 to 31, transposed.
template <unsigned kRow>
inline void transpose_in_b() {
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    issue<t::encode_movd2b(0, 16 + 4 * i, kStayed, 1, kRow + 4 * i)>();
  });
  issue<t::encode_trnspsrcb()>();
}
/// Moves row kFrom of Dst to the columns of Dst rows [kTo, kTo + 16). All columns are equal.
template <unsigned kFrom, unsigned kTo>
inline void row_to_columns() {
  issue<t::encode_movd2b(0, 16, kStayed, 1, kFrom)>();
  issue<t::encode_trnspsrcb()>();
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    issue<t::encode_movb2d(0, 16 + 4 * i, kStayed, 1, 0, 1, kTo + 4 * i)>();
  });
}

/// Expects the tile in SrcA and the scaler's first row in SrcB. Results: row 0 of both columns of
/// faces.
inline void sum_columns(unsigned phases) {
  for (unsigned phase = 0; phase < phases; ++phase) {
    issue<t::encode_mvmul(0, 0, 0, kNextFaceA, 0)>();
    issue<t::encode_mvmul(0, 0, 0, kNextFaceA, 16)>();
    issue<t::encode_mvmul(0, 0, 0, kNextFaceA, 0)>();
    issue<t::encode_mvmul(0, 0, 0, kNextPhase, 16)>();
  }
  reset_row_counters<true, true>();
}

/// Expects the tile in SrcB and the scaler's first column in SrcA. Results: column 0 of both rows
/// of faces, which are kBelow rows apart. With kBelow = 0 they add up.
template <unsigned kFirst, unsigned kBelow>
inline void multiply_rows(unsigned phases) {
  for (unsigned phase = 0; phase < phases; ++phase)
    unrolled<8>([](auto i) __attribute__((always_inline)) {
      issue<t::encode_mvmul(0, 0, 0, i == 7 ? kNextPhase : kNextBlockB,
                            kFirst + 8 * (i & 1) + kBelow * (i >> 2))>();
    });
}
inline void sum_rows(unsigned phases) {
  multiply_rows<0, 32>(phases);
  reset_row_counters<true, true>();
}
/// Sums along rows into rows 48 to 63. These then go to SrcA for the product with the scaler's
/// first row, which is in the next bank of SrcB.
inline void sum_both(const DstHalf& half, unsigned tile, unsigned phases) {
  forget_rows(half, tile * kDstTileRows + 48);
  multiply_rows<48, 0>(phases);
  reset_row_counters<false, true>();
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    issue<t::encode_movd2a(0, 4 * i, kStayed, 1, 48 + 4 * i)>();
  });
  for (unsigned phase = 0; phase < phases; ++phase)
    issue<t::encode_mvmul(0, 0, 0, kNextPhase, 0)>();
  reset_row_counters<true, true>();
  forget_rows(half, tile * kDstTileRows + 48);
}

/// Takes faces kFace and kFace + 1 of SrcA, whose counter is at kFace.
template <unsigned kRow>
inline void pool_two_faces() {
  issue<t::encode_gmpool(0, 0, kNextFaceA, 0, kRow) | kPoolWholeFace>();
  issue<t::encode_gmpool(0, 0, kNextFaceA, 0, kRow) | kPoolWholeFace>();
}

/// Expects the tile's faces transposed in SrcA. If `defined`, column 0 of Dst holds a maximum so
/// far.
inline void max_rows(const DstHalf& half, unsigned tile, bool defined) {
  // Moves to SrcB do not wait for the bank, which the unpackers may still fill.
  stall<kBlockMatrix, kUntilSrcBHandedOver>();
  unrolled<2>([&](auto below) __attribute__((always_inline)) {
    constexpr unsigned kTop = 32 * below, kScratch = kTop + 16;
    forget_rows(half, tile * kDstTileRows + kScratch);
    if (defined) {
      transpose_in_b<kTop>();
      issue<t::encode_movb2d(0, 16, kStayed, 0, 0, 0, kScratch)>();
    }
    pool_two_faces<kScratch>();
    row_to_columns<kScratch, kTop>();
    forget_rows(half, tile * kDstTileRows + kScratch);
  });
  reset_row_counters<true, true>();
}
/// Goes down the columns of all faces into row 16, moves this row as a column to SrcA, and goes
/// down again.
inline void max_both(const DstHalf& half, unsigned tile) {
  forget_rows(half, tile * kDstTileRows + 16);
  pool_two_faces<16>();
  pool_two_faces<16>();
  row_to_columns<16, 32>();
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    issue<t::encode_movd2a(0, 4 * i, kStayed, 1, 32 + 4 * i)>();
  });
  reset_row_counters<false, false>();
  issue<t::encode_gmpool(0, 0, kStayed, 0, 0) | kPoolWholeFace>();
  reset_row_counters<true, true>();
  forget_rows(half, tile * kDstTileRows + 16);
  forget_rows(half, tile * kDstTileRows + 32);
}

}  // namespace reduce

inline void reduce_sum(const DstHalf& half, unsigned tile, ReduceAlong along, Fidelity fidelity) {
  select_dst_tile(half, tile);
  const unsigned phases = static_cast<unsigned>(fidelity);
  if (along == ReduceAlong::kColumns) return reduce::sum_columns(phases);
  if (along == ReduceAlong::kRows) return reduce::sum_rows(phases);
  reduce::sum_both(half, tile, phases);
}

inline void reduce_max(const DstHalf& half, unsigned tile, ReduceAlong along, bool defined) {
  if (along == ReduceAlong::kColumns) return reduce_max_columns(half, tile);
  select_dst_tile(half, tile);
  if (along == ReduceAlong::kRows) return reduce::max_rows(half, tile, defined);
  reduce::max_both(half, tile);
}

// ---- Transposition ----------------------------------------------------------------------------

/// Expects a tile in SrcA whose faces the unpacker has transposed. Faces 1 and 2 change places.
inline void init_transpose() {
  give_banks_back();
  set_addr_mod(kModStay, {});
}
/// Programs copy_a() to swap faces 1 and 2 of a 32x32 tile. The two outer loops copy blocks of
/// eight rows: 8 to 8, 0 to 0, 16 to 32 and 24 to 40 (twice). Then follow 40 to 24, 32 to 16, 48 to
/// 48 and 56 to 56. The first of each pair is relative to counters that are at the second one's.
inline void init_copy_a_swapped() {
  namespace t = regs::tensix;
  give_banks_back();
  set_addr_mod(kModStay, {});
  set_addr_mod(kModStep, {.src_a = 16, .dst = 32});
  set_addr_mod(kModPhase, {.src_a = 8, .dst = 8});
  set_addr_mod(kModDone, {.src_a = 64 - 8, .dst = 1024 - 56});  // back to 32 and 16
  MopLoop loop;
  loop.outer_count = 2;
  loop.inner_count = 2;
  loop.start_op = t::encode_mova2d(0, 8, kModStay, 1, 8);
  loop.loop_op = t::encode_mova2d(0, 0, kModStep, 1, 0);
  loop.loop_op_alternate = t::encode_mova2d(0, 0, kModPhase, 1, 0);
  loop.inner_last = t::encode_mova2d(0, 64 - 16, kModDone, 1, 1024 - 32);
  loop.outer_last = t::encode_setrwc(0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
  configure_mop(loop);
}
inline void transpose(const DstHalf& half, unsigned tile) {
  select_dst_tile(half, tile);
  unrolled<8>([](auto i) __attribute__((always_inline)) {
    constexpr unsigned kFace = i / 2, kTo = kFace == 1 ? 2 : kFace == 2 ? 1 : kFace;
    issue<regs::tensix::encode_mova2d(0, 8 * i, kModStay, 1, 16 * kTo + 8 * (i & 1))>();
  });
  reset_row_counters<true, false>();
}

}  // namespace tvp::llk
