#pragma once

// Thread 1: transposes a 32x32 tile in Dst by way of SrcB. Thread 0 hands over a bank of SrcB
// (give_source_b() of llk_unpack.h; ISA MOVD2B.md, TRNSPSRCB.md, MOVB2D.md). All bits of 16 or 32
// are kept.

#include "firmware/llk/llk_math.h"

namespace tvp::llk {

namespace transpose_dst {

namespace t = regs::tensix;

/// First of four adjacent rows of a face. Plane 0 is the upper halves of 32-bit rows, which are
/// rows of 16 bits (ISA Dst.md, Adj32). Plane 1 is the lower halves, which MOVD2B and MOVB2D
/// address by the numbers of 32-bit rows. A 32-bit write does not mark these 16-bit rows as
/// defined.
template <bool kFp32>
constexpr unsigned row(unsigned plane, unsigned face, unsigned group) {
  if (!kFp32 || plane == 1) return 16 * face + 4 * group;
  return 32 * face + 16 * (group / 2) + 4 * (group % 2);
}
template <bool kFp32, unsigned kPlane, unsigned kFace, unsigned kSrcRow>
inline void to_source_b() {
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    issue<t::encode_movd2b(kPlane, kSrcRow + 4 * i, kModStay, 1, row<kFp32>(kPlane, kFace, i))>();
  });
}
template <bool kFp32, unsigned kPlane, unsigned kFace, unsigned kSrcRow>
inline void from_source_b() {
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    issue<t::encode_movb2d(kPlane, kSrcRow + 4 * i, kModStay, 1, 0, 0,
                           row<kFp32>(kPlane, kFace, i))>();
  });
}
/// SrcB transposes its rows 16 to 31.
template <bool kFp32, unsigned kPlane, unsigned kFrom, unsigned kTo = kFrom>
inline void face() {
  to_source_b<kFp32, kPlane, kFrom, 16>();
  issue<t::encode_trnspsrcb()>();
  from_source_b<kFp32, kPlane, kTo, 16>();
}

}  // namespace transpose_dst

/// Sets the address modifiers of transpose_dst().
inline void init_transpose_dst() {
  give_banks_back();
  set_addr_mod(kModStay, {});
}
/// During the transposition the matrix unit sees a datum as 16 bits, as BF16 with all its bits.
/// `keeps_zeros` is the setting of the operands' formats and is restored at the end.
template <bool kFp32>
inline void transpose_dst_tile(const DstHalf& half, unsigned tile, DataFormat a, bool keeps_zeros) {
  namespace d = transpose_dst;
  namespace alu = config::alu;
  stall<kBlockConfig, kUntilMatrix>();
  if constexpr (kFp32) set_field(alu::kFp32Enabled, 0);
  set_field(alu::kSrcAFormat, DataFormat::kBf16);
  set_field(alu::kZeroFlagDisabledSrc, 1);
  const unsigned first = half.base_row + tile * kDstTileRows;
  set_thread_word(config::thread::kMathDestOffset.addr32, kFp32 ? 2 * first : first);
  stall<kBlockMatrix, kUntilSrcBHandedOver>();
  unrolled<kFp32 ? 2 : 1>([first](auto plane) __attribute__((always_inline)) {
    if constexpr (plane == 1) {
      stall<kBlockConfig, kUntilMatrix>();
      set_field(alu::kFp32Enabled, 1);
      set_thread_word(config::thread::kMathDestOffset.addr32, first);
    }
    d::face<kFp32, plane, 0>();
    d::to_source_b<kFp32, plane, 2, 32>();
    d::face<kFp32, plane, 1, 2>();
    d::from_source_b<kFp32, plane, 1, 32>();
    d::face<kFp32, plane, 1>();
    d::face<kFp32, plane, 3>();
  });
  reset_row_counters<false, true>();
  stall<kBlockConfig, kUntilMatrix>();
  set_field(alu::kSrcAFormat, math_format(a, kFp32));
  set_field(alu::kZeroFlagDisabledSrc, keeps_zeros);
}

}  // namespace tvp::llk
