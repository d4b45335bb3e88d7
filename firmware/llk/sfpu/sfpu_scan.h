#pragma once

// Thread 1: scans down the columns of 32x32 tiles on the vector unit: running sums and products,
// and mean and variance by Welford's method. LRegs carry the state from tile to tile until another
// function of the vector unit is called.

#include "firmware/llk/sfpu/sfpu_integer.h"
#include "firmware/llk/sfpu/sfpu_sort.h"

namespace tvp::llk::sfpu {

/// Running products of each lane, from the first vector of the tile to the last. Lane (row % 4,
/// column / 2) goes down the rows of a face, even columns before odd ones, and from face to face.
/// (tt-metal's also multiplies the first vector behind the tile.)
template <bool kFp32>
inline void multiply_lanes_so_far(const DstHalf& half, unsigned tile, TileShape shape) {
  loadi<4, kBf16, 0x3F80>();
  unary<kFp32>(half, tile, shape, VectorMode::kAll, [] {
    mad<4, 0, kZero, 4>();
    nop();
    mov<4, 0>();
  });
}

/// Every datum becomes the sum of itself and those above it in its column. With `first` no tile is
/// above. Part i of the columns (left and right, even and odd) goes to LReg i. After the
/// transposition, LReg i has row i of four with the parts in rows of lanes, and LReg 4 carries the
/// sums so far. LReg 4 to 7 are transposed as well, and back.
template <bool kFp32>
inline void sum_columns_so_far(const DstHalf& half, unsigned tile, bool first) {
  constexpr unsigned kHead = kFp32 ? 15 : 16;
  begin_with_any_constants(half, tile);
  if (first) unrolled<4>([](auto i) { loadi<4 + i, kBf16, 0>(); });
  op<t::encode_sfptransp(0)>();
  bool recorded = false;
  for (unsigned faces = 0; faces < 2; ++faces) {
#pragma GCC unroll 1
    for (unsigned group = 0; group < 4; ++group) {
      if (recorded) {
        issue<t::encode_replay(0, kHead, 0, 0)>();
      } else {
        issue<t::encode_replay(0, kHead, 1, 1)>();
        unrolled<4>([](auto part) {
          op<t::encode_sfpload(part, dst_mode(kFp32), kStay, (part >> 1) * 16 + (part & 1) * 2)>();
        });
        op<t::encode_sfptransp(0)>();
        unrolled<4>([](auto i) {
          mad<i == 0 ? 4 : i - 1, kOne, i, i>();
          if constexpr (i == 0 || kFp32) {
            nop();
          } else {
            round_to_bf16<i - 1>();
          }
        });
        mov<3, 4>();
        if constexpr (!kFp32) round_to_bf16<3>();
        op<t::encode_sfptransp(0)>();
        recorded = true;
      }
      unrolled<4>([](auto part) {
        op<t::encode_sfpstore(part, dst_mode(kFp32), part == 3 ? kNextRows : kStay,
                              (part >> 1) * 16 + (part & 1) * 2)>();
      });
    }
    skip_face();
  }
  op<t::encode_sfptransp(0)>();
  end();
}

// ---- Exponential moving averages --------------------------------------------------------------

/// LReg 4 carries the average of each of 32 columns. Rows of lanes are the four parts of the
/// columns.
namespace average {

/// Factors of the old average and of the new value. begin() treats them as constants that a kernel
/// has replaced, so every tile sets them.
inline constexpr Word kOld = 12, kNew = 13;

inline void clear() { loadi<4, kBf16, 0>(); }

inline void set_factors(Word old, Word fresh) {
  variable<0>(old);
  op<t::encode_sfpconfig(0, kOld, 0)>();
  nop();
  variable<0>(fresh);
  op<t::encode_sfpconfig(0, kNew, 0)>();
  nop();
  constants_owner = ConstantsOwner::kKernel;
}
/// Each row of tile `to` becomes `old` (FP32) times the row above it and `fresh` times that of
/// `from`.
template <bool kFp32>
inline void tile(const DstHalf& half, unsigned from, unsigned to, Word old, Word fresh) {
  begin(half, 0);
  set_factors(old, fresh);
  op<t::encode_sfptransp(0)>();
  for (unsigned group = 0; group < 8; ++group) {
    for (unsigned part = 0; part < 4; ++part)
      push(t::encode_sfpload(part, dst_mode(kFp32), kStay,
                             from * kDstTileRows + sort::Columns{part >> 1, part & 1}.row(group)));
    op<t::encode_sfptransp(0)>();  // rows to LReg 0 to 3, and LReg 4 as it was
    unrolled<4>([](auto i) {
      mad_wait<i, kNew, kZero, i>();
      mad_wait<i == 0 ? 4 : i - 1, kOld, i, i>();
    });
    mov<3, 4>();
    unrolled<4>([](auto i) { round_for_dst<i, kFp32>(); });
    op<t::encode_sfptransp(0)>();
    for (unsigned part = 0; part < 4; ++part)
      push(t::encode_sfpstore(part, dst_mode(kFp32), kStay,
                              to * kDstTileRows + sort::Columns{part >> 1, part & 1}.row(group)));
  }
  op<t::encode_sfptransp(0)>();
  end();
}

}  // namespace average

// ---- Sums of integers -------------------------------------------------------------------------

/// Rows 0 to 3 become four parts of the sum of every column, each of every fourth row.
/// Data-movement cores add them, as in published kernels.
inline void sum_integer_columns(const DstHalf& half, unsigned tile) {
  constexpr Word kMode = kCellMode<Cell::kInt32, true>;
  begin(half, tile);
  sort::for_all_columns([](sort::Columns columns) {
    loadi<0, kBf16, 0>();
    for (unsigned group = 0; group < 8; ++group) {
      push(t::encode_sfpload(1, kMode, kStay, columns.row(group)));
      integer_add<1, 0>();
    }
    push(t::encode_sfpstore(0, kMode, kStay, columns.row(0)));
  });
  end();
}
/// Columns 0, 2 to 14 become eight parts of the sum of every row. Each part is the sum of that
/// column, the next one and those 16 further on.
inline void sum_integer_rows(const DstHalf& half, unsigned tile) {
  constexpr Word kMode = kCellMode<Cell::kInt32, true>;
  begin(half, tile);
  for (unsigned group = 0; group < 8; ++group) {
    loadi<0, kBf16, 0>();
    sort::for_all_columns([&](sort::Columns columns) {
      push(t::encode_sfpload(1, kMode, kStay, columns.row(group)));
      integer_add<1, 0>();
    });
    push(t::encode_sfpstore(0, kMode, kStay, sort::Columns{0, 0}.row(group)));
  }
  end();
}

// ---- Mean and variance --------------------------------------------------------------------------

/// LReg 4 holds the mean of each of 32 columns so far, LReg 5 the sum of squared differences from
/// it. Rows of lanes are the four parts of the columns.
namespace welford {

inline void clear() {
  loadi<4, kBf16, 0>();
  loadi<5, kBf16, 0>();
}
/// Adds the row in LReg kX. Expects 1 / (number of rows so far, this one included).
template <Word kX>
inline void take(Word reciprocal) {
  negate<4, 7>();
  mad<kX, kOne, 7, 6>();
  variable<7>(reciprocal);
  mad_wait<6, 7, 4, 4>();
  negate<4, 7>();
  mad_wait<kX, kOne, 7, 7>();
  mad_wait<6, 7, 5, 5>();
}
/// Adds rows of a tile. `reciprocal(i)` is 1 / (first + i).
template <bool kFp32, typename Reciprocal>
inline void update(const DstHalf& half, unsigned tile, unsigned first, unsigned rows,
                   Reciprocal reciprocal) {
  begin(half, tile);
  for (unsigned row = first / 4 * 4; row < first + rows; row += 4) {
    op<t::encode_sfptransp(0)>();  // the next one leaves LReg 4 and 5 unchanged
    for (unsigned part = 0; part < 4; ++part)
      push(t::encode_sfpload(part, dst_mode(kFp32), kStay,
                             sort::Columns{part >> 1, part & 1}.row(row / 4)));
    op<t::encode_sfptransp(0)>();
    unrolled<4>([&](auto i) {
      if (row + i >= first && row + i < first + rows) take<i>(reciprocal(row + i - first));
    });
  }
  end();
}
/// Rows of Dst in a tile that hold the state of a group, up to 16 groups: the even columns of four
/// rows.
inline unsigned place(unsigned group) { return group * 4; }
template <bool kFp32>
inline void save(const DstHalf& half, unsigned tile, unsigned group) {
  begin(half, tile);
  push(t::encode_sfpstore(4, dst_mode(kFp32), kStay, place(group)));
  push(t::encode_sfpstore(5, dst_mode(kFp32), kStay, place(group) + kDstTileRows));
  end();
}
template <bool kFp32>
inline void restore(const DstHalf& half, unsigned tile, unsigned group) {
  begin(half, tile);
  push(t::encode_sfpload(4, dst_mode(kFp32), kStay, place(group)));
  push(t::encode_sfpload(5, dst_mode(kFp32), kStay, place(group) + kDstTileRows));
  end();
}
/// As `save`, and the same to the odd columns, so that packers read no undefined datum in the rows.
template <bool kFp32>
inline void save_rows(const DstHalf& half, unsigned tile, unsigned group) {
  begin(half, tile);
  for (const unsigned odd : {0u, 2u}) {
    push(t::encode_sfpstore(4, dst_mode(kFp32), kStay, place(group) + odd));
    push(t::encode_sfpstore(5, dst_mode(kFp32), kStay, place(group) + odd + kDstTileRows));
  }
  end();
}
/// The sum becomes the variance by a multiplication with 1 / (number of rows).
inline void finish(Word reciprocal) {
  variable<6>(reciprocal);
  mad_wait<5, 6, kZero, 5>();
}
/// Stores LReg kX, rounded, to row 0 of a tile whose other rows are zero.
template <bool kFp32, Word kX>
inline void to_row(unsigned first) {
  loadi<0, kBf16, 0>();
  for (unsigned row = 0; row < kDstTileRows; row += 2)
    push(t::encode_sfpstore(0, dst_mode(kFp32), kStay, first + row));
  loadi<1, kBf16, 0>();
  loadi<2, kBf16, 0>();
  loadi<3, kBf16, 0>();
  mov<kX, 0>();
  round_for_dst<0, kFp32>();
  op<t::encode_sfptransp(0)>();
  unrolled<4>([&](auto part) {
    push(t::encode_sfpstore(part, dst_mode(kFp32), kStay,
                            first + sort::Columns{part >> 1, part & 1}.row(0)));
  });
  op<t::encode_sfptransp(0)>();
}
/// Stores mean and variance to the first rows of two tiles.
template <bool kFp32>
inline void finalize_to_rows(const DstHalf& half, unsigned tile, Word reciprocal) {
  begin(half, tile);
  finish(reciprocal);
  to_row<kFp32, 4>(0);
  to_row<kFp32, 5>(kDstTileRows);
  end();
}

}  // namespace welford

}  // namespace tvp::llk::sfpu
