#pragma once

// Thread 1: writes zeros to the rows of Dst that a reduction of a 32x32 tile leaves undefined, for
// functions of whole tiles and for packers.

#include "firmware/llk/llk_reduce.h"
#include "firmware/llk/sfpu/sfpu.h"

namespace tvp::llk::sfpu {

/// Stores LReg 0 to the rows [first, last) of the selected tile.
template <bool kFp32>
inline void store_rows(unsigned first, unsigned last) {
  for (unsigned row = first; row < last; row += 2)
    push(t::encode_sfpstore(0, dst_mode(kFp32), kStay, row));
}
/// Stores to rows [first, first + 16) except the first one. LReg[15] holds twice the number of the
/// lane, eight lanes a row (ISA LReg.md).
template <bool kFp32>
inline void store_below_first_row(unsigned first) {
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-16), 15, 1, 1 | 8)>();
  store_rows<kFp32>(first, first + 4);
  everywhere();
  store_rows<kFp32>(first + 4, first + 16);
}
template <bool kFp32>
inline void zero_beside(const DstHalf& half, unsigned tile, ReduceAlong along) {
  begin(half, tile);
  loadi<0, kBf16, 0>();
  if (along == ReduceAlong::kRows) {
    store_rows<kFp32>(16, 32);
    store_rows<kFp32>(48, 64);
  } else {
    store_below_first_row<kFp32>(0);
    if (along == ReduceAlong::kColumns) {
      store_below_first_row<kFp32>(16);
    } else {
      store_rows<kFp32>(16, 32);
    }
    store_rows<kFp32>(32, 64);
  }
  end();
}

}  // namespace tvp::llk::sfpu
