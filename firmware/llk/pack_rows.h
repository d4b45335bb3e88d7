#pragma once

// Thread 2: packs adjacent tiles in Dst as rows of a row-major matrix in L1. Each packer takes a
// band of the tiles' rows, so that its part of a row is contiguous over all faces and tiles. A PACR
// with `Last` ends a row in every band (ISA Packers/OutputAddressGenerator.md). The MOP expander
// makes all PACRs and their addresses from one instruction.

#include "firmware/llk/llk_pack.h"
#include "firmware/llk/mop.h"

namespace tvp::llk {

/// Distribution of a tile's rows over the packers.
struct RowBands {
  unsigned count;      ///< active packers: one, two or four
  unsigned rows;       ///< rows of each packer
  unsigned in_dst[4];  ///< first row of each packer in Dst, in face rows
  unsigned first[4];   ///< first row of each packer in the tile
};
/// Bands of `part` of tiles whose faces lie `stride` rows apart in Dst. An odd number of rows is
/// not divided.
constexpr RowBands row_bands(TileShape part, unsigned stride) {
  const unsigned face = part.face_rows, half = face / 2, below = 2 * stride;
  if (face % 2 != 0) {
    if (part.faces == 4) return {2, face, {0, below}, {0, face}};
    return {1, face, {}, {}};
  }
  if (part.faces == 4)
    return {4, half, {0, below, half, below + half}, {0, face, half, face + half}};
  return {2, half, {0, half}, {0, half}};
}

/// Address modifications: PACR goes to the next face, to the next tile, or to the first one.
enum class RowStep : Word { kFace = 1, kTile = 2, kFirst = 3 };
/// Dst rows per step of ADC Y. In units of a tile its stride would be too wide.
inline constexpr unsigned kRowsPerY = kDstTileRows / 2;
inline constexpr Word kStepsPerTile = kDstTileRows / kRowsPerY;

/// GPRs with the next address of packer 0 and the distance to the row after it.
inline constexpr Word kRowAddressGpr = 24;
inline constexpr Word kRowPitchGpr = 25;
inline __attribute__((always_inline)) void set_row_gpr(Word gpr, uint32_t value) {
  push(regs::tensix::encode_setdmareg(value & 0xFFFF, 2 * gpr));
  push(regs::tensix::encode_setdmareg(value >> 16, 2 * gpr + 1));
}
/// The second instruction after this one sees the address.
inline constexpr Word kTakeRowAddress =
    regs::tensix::encode_wrcfg(kRowAddressGpr, 0, config::packer_fields(0).l1_dest_addr.addr32);

inline __attribute__((always_inline)) void configure_row_mop(RowBands bands, bool two_faces,
                                                             unsigned tiles) {
  const Word packers = (1u << bands.count) - 1;
  const auto pacr = [packers](RowStep step, bool last) __attribute__((always_inline)) {
    return regs::tensix::encode_pacr(static_cast<Word>(step), 0, packers, 0, 0, 0, last);
  };
  MopLoop row;
  row.outer_count = bands.rows;
  row.inner_count = tiles;
  row.start_op = regs::tensix::encode_adddmareg(0, kRowAddressGpr, kRowPitchGpr, kRowAddressGpr);
  if (two_faces) {
    row.loop_op = pacr(RowStep::kFace, false);
    row.loop_op_alternate = pacr(RowStep::kTile, false);
  } else {
    row.loop_op = pacr(RowStep::kTile, false);
  }
  row.inner_last = row.outer_last = pacr(RowStep::kFirst, true);
  row.end_op = kTakeRowAddress;
  row.second_end_op = regs::tensix::encode_incadczw(1, 0, 0, 0, 0, 0, 1, 0);
  configure_mop(row);
}

/// Prepares packing of `tiles` adjacent tiles of that shape, of which the faces and first rows in
/// `part` are packed. Rows are `row` units of 16 bytes apart in L1. Block formats are not
/// supported. For narrow tiles the first `columns` datums of the left faces make a row.
/// leave_pack_rows() and describe_pack() restore the normal state.
inline __attribute__((always_inline)) void describe_pack_rows(Operand out, TileShape part,
                                                              uint32_t row, unsigned tiles,
                                                              const DstHalf& half,
                                                              unsigned columns = kWholeRows) {
  namespace pack = config::pack;
  const RowBands bands = row_bands(part, out.shape.face_rows);
  const unsigned bytes = datum_bytes(pack_format(out.format, half.fp32));
  stall<kBlockConfig, kUntilPackers>();
  unrolled<3>([&](auto i) __attribute__((always_inline)) {
    set_field(config::packer_fields(i + 1).l1_dest_addr, bands.first[i + 1] * row - kHeader);
  });
  set_field(pack::kSource.y_stride, kRowsPerY * 16 * bytes);
  set_field(pack::kSource.z_stride, out.shape.face_datums() * bytes);
  set_field(pack::kSource.w_stride, 16 * bytes);
  constexpr auto face = config::thread::addr_mod_pack(static_cast<unsigned>(RowStep::kFace));
  constexpr auto tile = config::thread::addr_mod_pack(static_cast<unsigned>(RowStep::kTile));
  constexpr auto first = config::thread::addr_mod_pack(static_cast<unsigned>(RowStep::kFirst));
  set_thread_word(face.z_src_incr.addr32, face.z_src_incr.place(1));
  set_thread_word(tile.z_src_clear.addr32,
                  tile.z_src_clear.place(1) | tile.y_src_incr.place(kStepsPerTile));
  set_thread_word(first.z_src_clear.addr32, first.z_src_clear.place(1) | first.y_src_cr.place(1));
  const bool narrow = columns != kWholeRows;
  push(regs::tensix::encode_setadcxx(1, 0, 0, narrow ? columns - 1 : 15, 0));
  set_pack_halves(half, bands.in_dst);
  set_row_gpr(kRowPitchGpr, row);
  configure_row_mop(bands, part.faces > 1 && !narrow, tiles);
}

/// Packs the tiles from Dst tile `first` on. The first datum goes to `address`, in units of 16
/// bytes.
inline __attribute__((always_inline)) void pack_rows(unsigned first, uint32_t address) {
  set_row_gpr(kRowAddressGpr, kRelativeAddresses + address - kHeader);
  issue<kTakeRowAddress>();
  push(regs::tensix::encode_setadc(1, 0, 0, 0, 1, kStepsPerTile * first));
  issue<regs::tensix::encode_setadczw(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)>();
  run_mop();
}

/// Restores what describe_pack() does not set.
inline void leave_pack_rows() {
  stall<kBlockConfig, kUntilPackers>();
  set_field(config::pack::kSource.y_stride, 0);
  set_field(config::pack::kSource.z_stride, 0);
  push(regs::tensix::encode_setadc(1, 0, 0, 0, 1, 0));
}

}  // namespace tvp::llk
