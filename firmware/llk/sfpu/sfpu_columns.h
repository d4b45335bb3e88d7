#pragma once

// Thread 1: reductions of 32x32 tiles to their first row or column, additions of rows to rows, and
// sums of all datums, on the vector unit (ISA SFPTRANSP.md, SFPSWAP.md, SFPSHFT2.md). A store of a
// result also writes three rows behind it, which have no meaning.

#include "firmware/llk/sfpu/sfpu_integer.h"
#include "firmware/llk/sfpu/sfpu_sort.h"

namespace tvp::llk::sfpu {

// ---- Sum, average, maximum or minimum of each column ------------------------------------------

enum class Down : uint8_t { kSum, kAverage, kMaximum, kMinimum };

namespace columns {

/// Combines LReg 0 with LReg 1, one of which is the result so far. LReg 2 and 3 are scratch for
/// integers.
template <Down kDown, Cell kCell>
inline void combine() {
  constexpr bool kSums = kDown == Down::kSum || kDown == Down::kAverage;
  if constexpr (kCell == Cell::kFloat) {
    if constexpr (kSums) mad_wait<1, kOne, 0, 0>();
    if constexpr (kDown == Down::kMaximum) max_min<0, 1>();
    if constexpr (kDown == Down::kMinimum) max_min<1, 0>();
  } else {
    if constexpr (kSums) integer_add<1, 0>();
    if constexpr (kDown == Down::kMaximum) integer_program<Integer::kMaximum>();
    if constexpr (kDown == Down::kMinimum) integer_program<Integer::kMinimum>();
  }
}
/// With the first bit inverted, unsigned 32-bit numbers have the order of signed ones.
template <Word kD>
inline void exchange_sign_bit() {
  load_bits<2, 0x80000000>();
  bits_xor<2, kD>();
}
/// Divides the sum by 32. Integers lose the fraction.
template <Cell kCell, bool kUnsigned>
inline void average() {
  if constexpr (kCell == Cell::kFloat) {
    loadi<1, kBf16, 0x3D00>();  // 1 / 32
    mad_wait<0, 1, kZero, 0>();
  } else if constexpr (kUnsigned || kCell == Cell::kUInt16) {
    shift<right(5), 0>();
  } else {
    mov<0, 1>();
    integer_absolute<0, 0>();
    shift<right(5), 0>();
    where<1, kLess>();
    integer_negate<0>();
    everywhere();
  }
}

template <Down kDown, Cell kCell, bool kUnsigned>
inline constexpr bool kOrdersUnsigned = kUnsigned&& kCell == Cell::kInt32 &&
                                        (kDown == Down::kMaximum || kDown == Down::kMinimum);

/// Loads a vector of Dst to LReg kD in the form in which it can be combined.
template <Word kD, Down kDown, Cell kCell, bool kUnsigned, bool kFp32>
inline void load_part(Word row) {
  load_cell<kD, kCell, kFp32>(row);
  if constexpr (kOrdersUnsigned<kDown, kCell, kUnsigned>) exchange_sign_bit<kD>();
}
/// Stores the combined LReg 0 at the result's place.
template <Down kDown, Cell kCell, bool kUnsigned, bool kFp32>
inline void finish(Word row) {
  if constexpr (kOrdersUnsigned<kDown, kCell, kUnsigned>) exchange_sign_bit<0>();
  if constexpr (kDown == Down::kAverage) average<kCell, kUnsigned>();
  if constexpr (kCell == Cell::kFloat) round_for_dst<0, kFp32>();
  if constexpr (kCell == Cell::kUInt16 && kFp32) scatter_uint16<0>();
  push(t::encode_sfpstore(0, kCellMode<kCell, kFp32>, kStay, row));
}

template <Down kDown, Cell kCell, bool kUnsigned, bool kFp32>
inline void reduce_part(sort::Columns part) {
  load_part<0, kDown, kCell, kUnsigned, kFp32>(part.row(0));
  for (unsigned group = 1; group < 8; ++group) {
    load_part<1, kDown, kCell, kUnsigned, kFp32>(part.row(group));
    combine<kDown, kCell>();
  }
  op<t::encode_sfptransp(0)>();  // four rows of lanes to the first ones of LReg 0 to 3
  mov<2, 4>();
  mov<3, 5>();
  combine<kDown, kCell>();
  mov<4, 1>();
  combine<kDown, kCell>();
  mov<5, 1>();
  combine<kDown, kCell>();
  finish<kDown, kCell, kUnsigned, kFp32>(part.row(0));
}

/// LReg 1 = LReg 0 rotated by `lanes` lanes within each row of eight.
inline void around(unsigned lanes) {
  mov<0, 1>();
  for (unsigned i = 0; i < lanes; ++i) {
    op<t::encode_sfpshft2(0, 1, 1, 3)>();
    nop();
  }
}

/// Reduces four rows of 32 datums: even and odd columns of a face and of the face beside it.
template <Down kDown, Cell kCell, bool kUnsigned, bool kFp32>
inline void reduce_four_rows(Word row) {
  load_part<0, kDown, kCell, kUnsigned, kFp32>(row);
  for (const Word beside : {2u, 16u, 18u}) {
    load_part<1, kDown, kCell, kUnsigned, kFp32>(row + beside);
    combine<kDown, kCell>();
  }
  for (unsigned lanes = 1; lanes < 8; lanes *= 2) {
    around(lanes);
    combine<kDown, kCell>();
  }
  finish<kDown, kCell, kUnsigned, kFp32>(row);
}

}  // namespace columns

/// Row 0 becomes the reduction of each column.
template <Down kDown, Cell kCell, bool kUnsigned, bool kFp32>
inline void reduce_columns(const DstHalf& half, unsigned tile) {
  begin(half, tile);
  sort::for_all_columns(
      [](sort::Columns part) { columns::reduce_part<kDown, kCell, kUnsigned, kFp32>(part); });
  end();
}

/// Reduces each row to its datum 0. All even datums of the first 16 get the same value.
template <Down kDown, Cell kCell, bool kUnsigned, bool kFp32>
inline void reduce_rows(const DstHalf& half, unsigned tile) {
  begin(half, tile);
  for (Word faces = 0; faces < kDstTileRows; faces += 32)
    for (Word row = faces; row < faces + 16; row += 4)
      columns::reduce_four_rows<kDown, kCell, kUnsigned, kFp32>(row);
  end();
}

// ---- The largest of each column, with what is in its place in another tile --------------------

namespace pool {

/// A missing row counts as less than all others, also less than minus infinity with a lower index.
template <Word kValue>
inline void forget_rows_from(unsigned row) {
  if (row >= 4) return;
  // LReg[15] holds twice the number of the lane, eight lanes a row (ISA LReg.md).
  push(t::encode_sfpiadd(0xFFF & static_cast<Word>(-static_cast<int>(16 * row)), 15, 6, 1 | 8));
  loadi<kValue, kBf16, 0xFF80>();
  op<t::encode_sfploadi(kValue + 4, 2, 0xFFFF)>();
  everywhere();
}
/// Compares values in LReg 0 to 3 with their indices in 4 to 7. The larger goes to kC, or the one
/// with the lower index if both are equal.
template <Word kC, Word kD>
inline void larger_first() {
  sort::order<kC, kD>();
  sort::order_equal<kC, kD>();
}
template <bool kFp32, Word kValue>
inline void load(unsigned values, unsigned indices) {
  push(t::encode_sfpload(kValue, dst_mode(kFp32), kStay, values));
  load_cell<kValue + 4, Cell::kUInt16, kFp32>(indices);
}
/// Stores LReg 0 and 4, which came from Dst unchanged.
template <bool kFp32>
inline void store(unsigned values, unsigned indices) {
  push(t::encode_sfpstore(0, dst_mode(kFp32), kStay, values));
  push(t::encode_sfpstore(4, kCellMode<Cell::kUInt16, kFp32>, kStay, indices));
}

}  // namespace pool

/// Tiles of Dst with the values, the indices (16 bits) and the results so far.
struct PoolTiles {
  unsigned values, indices, values_so_far, indices_so_far;
  bool takes_so_far;   ///< compares with the results so far
  bool leaves_so_far;  ///< leaves the results there
};
/// Writes the largest value of each column in the first `rows` rows, and its index, to row 0. With
/// `row_major`, row r of 32 datums is rows 2r and 2r + 1 of Dst.
template <bool kFp32>
inline void max_columns_with_indices(const DstHalf& half, PoolTiles tiles, unsigned rows,
                                     bool row_major) {
  const unsigned per_group = row_major ? 2 : 4, groups = (rows + per_group - 1) / per_group;
  const unsigned lanes_a_row = row_major ? 2 : 1;
  const auto rows_of = [&](unsigned group) {
    const unsigned left = rows - group * per_group;
    return left < per_group ? left * lanes_a_row : 4;
  };
  const unsigned values = tiles.values * kDstTileRows, indices = tiles.indices * kDstTileRows;
  begin(half, 0);
  sort::ascend(false);
  for (unsigned part = 0; part < (row_major ? 2 : 4); ++part) {
    const auto row = [&](unsigned group) {
      return row_major ? 4 * group + 2 * part : sort::Columns{part >> 1, part & 1}.row(group);
    };
    pool::load<kFp32, 0>(values + row(0), indices + row(0));
    pool::forget_rows_from<0>(rows_of(0));
    for (unsigned group = 1; group < groups; ++group) {
      pool::load<kFp32, 1>(values + row(group), indices + row(group));
      pool::forget_rows_from<1>(rows_of(group));
      pool::larger_first<0, 1>();
    }
    op<t::encode_sfptransp(0)>();
    pool::larger_first<0, 2>();
    pool::larger_first<1, 3>();
    if (!row_major) pool::larger_first<0, 1>();
    op<t::encode_sfptransp(0)>();
    if (tiles.takes_so_far) {
      pool::load<kFp32, 1>(tiles.values_so_far * kDstTileRows + row(0),
                           tiles.indices_so_far * kDstTileRows + row(0));
      pool::larger_first<0, 1>();
    }
    if constexpr (kFp32) scatter_uint16<4>();
    pool::store<kFp32>(values + row(0), indices + row(0));
    if (tiles.leaves_so_far)
      pool::store<kFp32>(tiles.values_so_far * kDstTileRows + row(0),
                         tiles.indices_so_far * kDstTileRows + row(0));
  }
  sort::set_lanes<0>();
  end();
}

// ---- Rows added to rows -----------------------------------------------------------------------

/// Row r of tile `from` is added to row place(r) of tile `to`, if it is one of the 32.
template <bool kFp32, typename Place>
inline void add_rows_to_rows(const DstHalf& half, unsigned from, unsigned to, Place place) {
  begin(half, 0);
  for (unsigned r = 0; r < 32; ++r) {
    const unsigned at = place(r);
    if (at >= 32) continue;
    const auto each_part = [&](auto act) {
      for (unsigned part = 0; part < 4; ++part) {
        const sort::Columns columns{part >> 1, part & 1};
        act(part, from * kDstTileRows + columns.row(r / 4),
            to * kDstTileRows + columns.row(at / 4));
      }
    };
    // Parts of the columns become rows of lanes. Rows become LRegs: 0 to 3 and 4 to 7.
    each_part([](unsigned part, unsigned source, unsigned target) {
      push(t::encode_sfpload(part, dst_mode(kFp32), kStay, source));
      push(t::encode_sfpload(4 + part, dst_mode(kFp32), kStay, target));
    });
    op<t::encode_sfptransp(0)>();
    push(t::encode_sfpmad(r % 4, kOne, 4 + at % 4, 4 + at % 4, 0));
    nop();
    if constexpr (!kFp32) push(t::encode_sfpstochrnd(0, 0, 0, 4 + at % 4, 4 + at % 4, 0, 1));
    op<t::encode_sfptransp(0)>();
    each_part([](unsigned part, unsigned, unsigned target) {
      push(t::encode_sfpstore(4 + part, dst_mode(kFp32), kStay, target));
    });
  }
  end();
}

// ---- The sum of all datums --------------------------------------------------------------------

/// Datum 0 of tile 0 becomes the sum of all datums of the first `tiles` tiles times `scale` (FP32).
template <bool kFp32>
inline void sum_of_tiles(const DstHalf& half, unsigned tiles, Word scale) {
  begin(half, 0);
  loadi<0, kBf16, 0>();
  for (unsigned row = 0; row < tiles * kDstTileRows; row += 2) {
    push(t::encode_sfpload(1, dst_mode(kFp32), kStay, row));
    mad_wait<1, kOne, 0, 0>();
  }
  op<t::encode_sfptransp(0)>();
  mad_wait<1, kOne, 0, 0>();
  mad_wait<2, kOne, 0, 0>();
  mad_wait<3, kOne, 0, 0>();
  for (unsigned lanes = 1; lanes < 8; lanes *= 2) {  // around the eight lanes of a row
    columns::around(lanes);
    mad_wait<1, kOne, 0, 0>();
  }
  variable<1>(scale);
  mad_wait<0, 1, kZero, 0>();
  round_for_dst<0, kFp32>();
  push(t::encode_sfpstore(0, dst_mode(kFp32), kStay, 0));
  end();
}

}  // namespace tvp::llk::sfpu
