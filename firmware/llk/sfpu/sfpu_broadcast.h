#pragma once

// Thread 1: operations between every datum of a 32x32 tile and the first datum of its row or column
// in another tile. They run on the vector unit in full precision. Another function adds the top
// rows of two tiles.

#include "firmware/llk/sfpu/sfpu_columns.h"

namespace tvp::llk::sfpu {

enum class WithFirst : uint8_t { kAdd, kSubtract, kMultiply };

namespace broadcast {

/// LReg 0 = LReg 0 op LReg 1.
template <WithFirst kOp>
inline void combine() {
  if constexpr (kOp == WithFirst::kAdd) mad_wait<0, kOne, 1, 0>();
  if constexpr (kOp == WithFirst::kSubtract) mad_wait<1, kMinusOne, 0, 0>();
  if constexpr (kOp == WithFirst::kMultiply) mad_wait<0, 1, kZero, 0>();
}
/// Processes a vector of a tile. Its second operand is in LReg 7.
template <bool kFp32, WithFirst kOp>
inline void with_kept(Word row) {
  push(t::encode_sfpload(0, dst_mode(kFp32), kStay, row));
  mov<7, 1>();
  combine<kOp>();
  round_for_dst<0, kFp32>();
  push(t::encode_sfpstore(0, dst_mode(kFp32), kStay, row));
}
/// Copies lanes 0, 8, 16 and 24 of LReg 0 to their rows of eight lanes. LReg 15 holds twice the
/// number of the lane. LReg 2 is scratch.
inline void spread_along_rows() {
  load_bits<2, 0xE>();
  bits_and<15, 2>();
  loadi_where<2, kNotEqual, 0, kBf16, 0>();
  for (unsigned lanes = 1; lanes < 8; lanes *= 2) {
    columns::around(lanes);
    bits_or<1, 0>();
  }
}

}  // namespace broadcast

/// Combines each datum of tile `data` with the first datum of the same row of tile `of`.
template <bool kFp32, WithFirst kOp>
inline void with_first_of_row(const DstHalf& half, unsigned data, unsigned of) {
  begin(half, 0);
  for (unsigned group = 0; group < 8; ++group) {
    push(t::encode_sfpload(0, dst_mode(kFp32), kStay,
                           of * kDstTileRows + sort::Columns{0, 0}.row(group)));
    broadcast::spread_along_rows();
    mov<0, 7>();
    sort::for_all_columns([&](sort::Columns columns) {
      broadcast::with_kept<kFp32, kOp>(data * kDstTileRows + columns.row(group));
    });
  }
  end();
}
/// Combines each datum with the first datum of its column. SFPTRANSP of four equal LRegs leaves the
/// first row of lanes in all rows of LReg 0.
template <bool kFp32, WithFirst kOp>
inline void with_first_of_column(const DstHalf& half, unsigned data, unsigned of) {
  begin(half, 0);
  sort::for_all_columns([&](sort::Columns columns) {
    unrolled<4>([&](auto i) {
      push(t::encode_sfpload(i, dst_mode(kFp32), kStay, of * kDstTileRows + columns.row(0)));
    });
    op<t::encode_sfptransp(0)>();
    mov<0, 7>();
    for (unsigned group = 0; group < 8; ++group)
      broadcast::with_kept<kFp32, kOp>(data * kDstTileRows + columns.row(group));
  });
  end();
}

/// Adds rows 0 to 3 of two tiles. Only row 0 of the result has a meaning.
template <bool kFp32, Cell kCell>
inline void add_top_rows(const DstHalf& half, unsigned a, unsigned b, unsigned out) {
  begin(half, 0);
  sort::for_all_columns([&](sort::Columns columns) {
    const Word row = columns.row(0);
    load_cell<0, kCell, kFp32>(a * kDstTileRows + row);
    load_cell<1, kCell, kFp32>(b * kDstTileRows + row);
    if constexpr (kCell == Cell::kFloat) {
      mad_wait<0, kOne, 1, 0>();
      round_for_dst<0, kFp32>();
    } else {
      integer_add<1, 0>();
    }
    push(t::encode_sfpstore(0, kCellMode<kCell, kFp32>, kStay, out * kDstTileRows + row));
  });
  end();
}

}  // namespace tvp::llk::sfpu
