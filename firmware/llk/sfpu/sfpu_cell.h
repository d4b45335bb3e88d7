#pragma once

// Thread 1: integer datums of Dst on their way to and from the vector unit (ISA SFPLOAD.md,
// SFPSTORE.md, Dst.md), and programs over tiles of them.
//
// Int32 and UInt32 are unchanged 32-bit values (two's complement or unsigned) in a 32-bit Dst.
// UInt16 is the low 16 bits of an LReg. In a 32-bit Dst its bits are where a BF16 has them, because
// packers read 16-bit integers only from there (ISA Packers/FormatConversion.md).

#include "firmware/llk/sfpu/sfpu_replay.h"

namespace tvp::llk::sfpu {

enum class Cell : uint8_t { kFloat, kInt32, kUInt16 };

template <Word kImmediate, Word kD>
inline void shift() {
  op<t::encode_sfpshft(kImmediate & 0xFFF, 0, kD, 1)>();
}
inline constexpr Word right(Word by) { return static_cast<Word>(-static_cast<int>(by)); }

/// Mode of SFPLOAD and SFPSTORE for a datum.
template <Cell kCell, bool kFp32>
inline constexpr Word kCellMode = kCell == Cell::kFloat   ? dst_mode(kFp32)
                                  : kCell == Cell::kInt32 ? 4
                                  : kFp32                 ? 4
                                                          : 6;

/// Moves the 16 bits, which Dst stores like those of a BF16, to the low half of an LReg.
template <Word kD>
inline void gather_uint16() {
  shift<right(16), kD>();
}
/// Moves the low 16 bits back to where Dst stores them.
template <Word kD>
inline void scatter_uint16() {
  shift<16, kD>();
}

template <Word kD, Cell kCell, bool kFp32>
inline void load_cell(Word row) {
  push(t::encode_sfpload(kD, kCellMode<kCell, kFp32>, kStay, row));
  if constexpr (kCell == Cell::kUInt16 && kFp32) gather_uint16<kD>();
}
/// Stores LReg 0 and moves on.
template <Cell kCell, bool kFp32>
inline void store_cell(Word row) {
  if constexpr (kCell == Cell::kFloat) round_for_dst<0, kFp32>();
  if constexpr (kCell == Cell::kUInt16 && kFp32) scatter_uint16<0>();
  push(t::encode_sfpstore(0, kCellMode<kCell, kFp32>, kNextVector, row));
}

/// Runs a program from one tile of Dst to another or the same.
template <bool kFp32, Cell kIn, Cell kOut = kIn, typename Program>
inline void unary_cells(const DstHalf& half, unsigned tile, unsigned out, TileShape shape,
                        VectorMode mode, Program program) {
  each_vector(half, 0, shape, mode, [&] {
    load_cell<0, kIn, kFp32>(tile * kDstTileRows);
    program();
    store_cell<kOut, kFp32>(out * kDstTileRows);
  });
}
/// Runs a program on tiles a and b in LReg 0 and 1.
template <bool kFp32, Cell kIn, Cell kOut = kIn, typename Program>
inline void binary_cells(const DstHalf& half, unsigned a, unsigned b, unsigned out, TileShape shape,
                         Program program) {
  each_vector(half, 0, shape, VectorMode::kAll, [&] {
    load_cell<0, kIn, kFp32>(a * kDstTileRows);
    load_cell<1, kIn, kFp32>(b * kDstTileRows);
    program();
    store_cell<kOut, kFp32>(out * kDstTileRows);
  });
}
/// The same with programs of kLength instructions, which are replayed.
template <Cell kCell, bool kFp32>
inline constexpr unsigned kShifts = kCell == Cell::kUInt16&& kFp32 ? 1 : 0;
template <bool kFp32, Cell kCell, unsigned kLength, typename Prepare, typename Program>
inline void replayed_unary_cells(const DstHalf& half, unsigned tile, unsigned out, TileShape shape,
                                 VectorMode mode, Prepare prepare, Program program) {
  static_assert(kCell != Cell::kFloat);
  replayed<kLength + 2 + 2 * kShifts<kCell, kFp32>>(
      half, 0, shape, mode, kVectorsOfOne, prepare,
      [&] {
        load_cell<0, kCell, kFp32>(tile * kDstTileRows);
        program();
        store_cell<kCell, kFp32>(out * kDstTileRows);
      },
      Nothing{});
}
template <bool kFp32, Cell kCell, unsigned kLength, typename Program>
inline void replayed_binary_cells(const DstHalf& half, unsigned a, unsigned b, unsigned out,
                                  TileShape shape, Program program) {
  static_assert(kCell != Cell::kFloat);
  replayed<kLength + 3 + 3 * kShifts<kCell, kFp32>>(
      half, 0, shape, VectorMode::kAll, kVectorsOfOne, Nothing{},
      [&] {
        load_cell<0, kCell, kFp32>(a * kDstTileRows);
        load_cell<1, kCell, kFp32>(b * kDstTileRows);
        program();
        store_cell<kCell, kFp32>(out * kDstTileRows);
      },
      Nothing{});
}
/// Runs a program on a condition in LReg 0 and tiles a and b in LReg 1 and 2.
template <bool kFp32, Cell kCell, typename Program>
inline void ternary_cells(const DstHalf& half, unsigned condition, unsigned a, unsigned b,
                          unsigned out, TileShape shape, Program program) {
  each_vector(half, 0, shape, VectorMode::kAll, [&] {
    load_cell<0, kCell, kFp32>(condition * kDstTileRows);
    load_cell<1, kCell, kFp32>(a * kDstTileRows);
    load_cell<2, kCell, kFp32>(b * kDstTileRows);
    program();
    store_cell<kCell, kFp32>(out * kDstTileRows);
  });
}

}  // namespace tvp::llk::sfpu
