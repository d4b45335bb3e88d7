#pragma once

// Tiles as L1 holds them: faces of up to 16 rows of 16 datums, one after the other, each row-major.
// 32x32 is four faces of 16 rows (left to right, top to bottom), the tiny tile 8x32 two of 8 rows.
// SrcA, SrcB and Dst hold the faces in the same order without gaps.

#include <stdint.h>

#include "foundation/regs/tensix_config.h"

namespace tvp::llk {

using regs::config::DataFormat;

struct TileShape {
  uint8_t faces = 4;
  uint8_t face_rows = 16;

  constexpr unsigned rows() const { return unsigned{faces} * face_rows; }
  constexpr unsigned datums() const { return rows() * 16; }
  constexpr unsigned face_datums() const { return unsigned{face_rows} * 16; }
  /// Matrix unit instructions work on blocks of 8 rows.
  constexpr unsigned blocks() const { return rows() / 8; }
  constexpr bool operator==(const TileShape& other) const {
    return faces == other.faces && face_rows == other.face_rows;
  }
};
/// Columns of tiles that are not narrow.
inline constexpr unsigned kWholeRows = 32;
inline constexpr TileShape kTile32x32{4, 16};
inline constexpr TileShape kTile16x32{2, 16};
inline constexpr TileShape kTile8x32{2, 8};

[[gnu::always_inline]] constexpr unsigned datum_bytes(DataFormat format) {
  switch (format) {
    case DataFormat::kFp32:
    case DataFormat::kTf32:
    case DataFormat::kInt32:
      return 4;
    case DataFormat::kBf16:
    case DataFormat::kFp16:
    case DataFormat::kInt16:
      return 2;
    default:
      return 1;
  }
}
/// Sixteen datums share an exponent; a tile in L1 begins with the exponents of all its faces.
[[gnu::always_inline]] constexpr bool is_block_float(DataFormat format) {
  switch (format) {
    case DataFormat::kBfp8:
    case DataFormat::kBfp8a:
    case DataFormat::kBfp4:
    case DataFormat::kBfp4a:
    case DataFormat::kBfp2:
    case DataFormat::kBfp2a:
      return true;
    default:
      return false;
  }
}
/// Units of 16 bytes that `datums` take in L1, exponents apart.
[[gnu::always_inline]] constexpr unsigned data_units(DataFormat format, unsigned datums) {
  switch (format) {
    case DataFormat::kBfp4:
    case DataFormat::kBfp4a:
      return datums / 32;
    case DataFormat::kBfp2:
    case DataFormat::kBfp2a:
      return datums / 64;
    default:
      return datums * datum_bytes(format) / 16;
  }
}
/// True if FP32 goes through the source registers as TF32. Moves to a 32-bit Dst take TF32 (ISA
/// MOVA2D.md). Kernels with a 16-bit Dst get BF16.
#if defined(KERNEL_BUILD) && defined(TVP_FP32_DST)
inline constexpr bool kTf32InSources = TVP_FP32_DST;
#else
inline constexpr bool kTf32InSources = true;
#endif
/// A program with formats that have 5-bit exponents. A 16-bit Dst then holds FP16.
#if defined(KERNEL_BUILD) && defined(TVP_SHORT_EXPONENTS)
inline constexpr bool kShortExponents = TVP_SHORT_EXPONENTS;
#else
inline constexpr bool kShortExponents = false;
#endif
/// True for a format with 5-bit exponents. In SrcA and SrcB its datums have exponents of their own,
/// unlike TF32.
[[gnu::always_inline]] constexpr bool has_short_exponent(DataFormat in_l1) {
  switch (in_l1) {
    case DataFormat::kFp16:
    case DataFormat::kFp8:
    case DataFormat::kBfp8a:
    case DataFormat::kBfp4a:
    case DataFormat::kBfp2a:
      return true;
    default:
      return false;
  }
}
/// Format in SrcA or SrcB of an operand in L1.
[[gnu::always_inline]] constexpr DataFormat source_format(DataFormat in_l1) {
  if (in_l1 != DataFormat::kFp32) return in_l1;
  if (kTf32InSources) return DataFormat::kTf32;
  return kShortExponents ? DataFormat::kFp16 : DataFormat::kBf16;
}

/// Format of an operand in the matrix unit's configuration. Block formats are equal after
/// unpacking.
[[gnu::always_inline]] constexpr DataFormat math_format(DataFormat in_l1) {
  switch (in_l1) {
    case DataFormat::kBfp4:
    case DataFormat::kBfp2:
      return DataFormat::kBfp8;
    case DataFormat::kBfp4a:
    case DataFormat::kBfp2a:
      return DataFormat::kBfp8a;
    default:
      return source_format(in_l1);
  }
}
/// Format with 32 bits in Dst, to which MOVA2D and MOVB2D move only TF32.
[[gnu::always_inline]] constexpr DataFormat math_format(DataFormat in_l1, bool fp32_dst) {
  return fp32_dst && !has_short_exponent(in_l1) ? DataFormat::kTf32 : math_format(in_l1);
}
/// True if datums in SrcA or SrcB with zero bits in a float's exponent can differ from zero (ISA
/// SrcASrcB.md).
[[gnu::always_inline]] constexpr bool keeps_zero_exponents(DataFormat in_l1) {
  return in_l1 == DataFormat::kInt16;
}

/// An operand or a result. The circular buffer's definition describes it.
struct Operand {
  DataFormat format = DataFormat::kBf16;
  TileShape shape;

  constexpr bool operator==(const Operand& other) const {
    return format == other.format && shape == other.shape;
  }
};

/// Dst holds a tile every 64 rows, for any shape: 16 tiles of 16 bits or 8 of 32. The packers have
/// one half while the matrix unit fills the other half.
inline constexpr unsigned kDstTileRows = 64;
constexpr unsigned dst_half_rows(bool fp32) { return fp32 ? 256 : 512; }

/// Checks a condition that must hold. An environment that can report a violation defines it.
#ifndef TVP_LLK_CHECK
#define TVP_LLK_CHECK(condition) ((void)0)
#endif
/// True if math and packers take turns with all of Dst instead of halves.
#ifndef TVP_WHOLE_DST
#define TVP_WHOLE_DST 0
#endif

/// Where this thread's half of Dst starts.
struct DstHalf {
  static constexpr bool kWhole = TVP_WHOLE_DST != 0;

  unsigned base_row = 0;
  bool fp32 = false;

  void flip() {
    if constexpr (!kWhole) base_row ^= dst_half_rows(fp32);
  }
  unsigned tiles() const { return (kWhole ? 2 : 1) * dst_half_rows(fp32) / kDstTileRows; }
};

/// Direction in which operand B is repeated over the tile of operand A.
enum class Broadcast : uint8_t { kNone, kColumn, kRow, kScalar };

}  // namespace tvp::llk
