#pragma once

// Thread 0: tiles from L1 to SrcA and SrcB (ISA TensixCoprocessor/UNPACR_Regular.md).

#include "firmware/llk/config.h"
#include "firmware/llk/sync.h"
#include "firmware/llk/tile.h"

namespace tvp::llk {

/// Unpacker 0 feeds SrcA, unpacker 1 SrcB.
enum class Source : uint8_t { kA = 0, kB = 1 };

/// Datum counters of one unpacker: X runs over `datums`, everything else starts at zero.
inline __attribute__((always_inline)) void set_unpack_counters(Source source, unsigned datums) {
  const Word a = source == Source::kA;
  const Word b = source == Source::kB;
  push(regs::tensix::encode_setadcxx(0, b, a, datums - 1, 0));
  push(regs::tensix::encode_setadcxy(0, b, a, 0, 0, 0, 0, 0, 1, 0, 1, 0));
  push(regs::tensix::encode_setadczw(0, b, a, 0, 0, 0, 0, 0, 1, 1, 1, 1));
}

/// Describes the tiles that one unpacker reads. With `by_face` Z counts faces, otherwise a tile is
/// one row of X. An UNPACR in progress may still read the changed words.
template <Source kSource>
inline __attribute__((always_inline)) void describe_unpack(Operand operand, bool by_face = false) {
  stall<kBlockConfig, kUntilUnpacker0 | kUntilUnpacker1>();
  constexpr auto unpacker = config::unpacker_fields(static_cast<unsigned>(kSource));
  const TileShape shape = operand.shape;
  const unsigned run = by_face ? shape.face_datums() : shape.datums();
  const DataFormat in_src = source_format(operand.format);
  set_field(unpacker.tile.in_data_format, operand.format);
  if (kSource == Source::kA) {
    set_field(unpacker.tile_x_dim_context(0), run);
  } else {
    set_field(unpacker.tile.x_dim, run);
  }
  set_field(unpacker.tile.z_dim, by_face ? shape.faces : 1);
  set_field(unpacker.out_data_format, in_src);
  set_field(unpacker.channel1.z_stride, shape.face_datums() * datum_bytes(in_src));
  set_unpack_counters(kSource, run);
}

/// Sets everything about both unpackers that no operation changes.
inline __attribute__((always_inline)) void configure_unpackers(Operand a, Operand b) {
  namespace thread = config::thread;
  set_thread_word(thread::kStateId.addr32, 0);
  set_thread_word(thread::kSrcASetBase.addr32, thread::kSrcASetOverrideWithAddr.place(1));
  set_thread_word(thread::context_offset(0).addr32, 0);
  unrolled<2>([](auto unit) __attribute__((always_inline)) {
    constexpr auto unpacker = config::unpacker_fields(unit);
    set_field(unpacker.tile.is_uncompressed, 1);
    set_field(unpacker.disable_zero_compress(0), 1);
    set_field(unpacker.tile.no_bfp_exp_section, 0);
    set_field(unpacker.tile.blobs_per_xy_plane, 0);
    set_field(unpacker.tile.y_dim, 1);
    set_field(unpacker.throttle_mode, 2);  // 64 bytes a cycle
    set_field(unpacker.haloize_mode, 0);
    set_field(unpacker.tileize_mode, 0);
    set_field(unpacker.src_reg_set_update, 0);
    set_field(unpacker.unpack_to_dst, 0);
    set_field(unpacker.upsample_rate, 0);
    set_field(unpacker.upsample_and_interleave, 0);
    set_field(unpacker.force_shared_exp, 0);
    set_field(unpacker.shift_amount(0), 0);
  });
  constexpr auto unpacker0 = config::unpacker_fields(0);
  set_field(unpacker0.dest_context(0), 4 * 16);  // as unpack_to()
  set_word(unpacker0.add_dest_addr_cntr, 1);
  describe_unpack<Source::kA>(a);
  describe_unpack<Source::kB>(b);
}

/// Transposes every face on its way to SrcA (ISA UNPACR_Regular.md, Haloize_mode).
inline __attribute__((always_inline)) void transpose_faces(bool on) {
  stall<kBlockConfig, kUntilUnpacker0>();
  set_field(config::unpacker_fields(0).haloize_mode, on);
}

/// Sets the address of the next UNPACR, in units of 16 bytes. The hardware skips one unit for a
/// tile header, which our tiles do not have.
template <Source kSource>
inline __attribute__((always_inline)) void set_unpack_address(uint32_t address) {
  constexpr config::Field base =
      config::unpacker_fields(static_cast<unsigned>(kSource)).base_address;
  const uint32_t value = address - 1;
  push(encode_rmwcib<0>(0xFF, value & 0xFF, base.addr32));
  push(encode_rmwcib<1>(0xFF, value >> 8 & 0xFF, base.addr32));
  push(encode_rmwcib<2>(0xFF, value >> 16 & 0xFF, base.addr32));
}

/// Unpacks with context 0. A bit that the hardware ignores is set, as in published firmware.
template <Source kSource, bool kLast = true, Word kOutFaces = 0, Word kInFaces = 0>
inline void unpack_run() {
  issue<regs::tensix::encode_unpacr(static_cast<Word>(kSource), 0, kOutFaces, 0, kInFaces, 0, 0, 0,
                                    1, kLast, 0, 0, 0, 0) |
        1>();
}

/// Unpacks a whole tile into a bank of SrcA or SrcB, which then belongs to the matrix unit.
template <Source kSource>
inline void unpack_tile(uint32_t address) {
  set_unpack_address<kSource>(address);
  unpack_run<kSource>();
}

/// Sets where context 0 writes, in datums. SrcA starts four rows up (ISA UNPACR_Regular.md).
inline __attribute__((always_inline)) void unpack_to(bool dst, unsigned row) {
  constexpr auto unpacker = config::unpacker_fields(0);
  set_thread_word(config::thread::kSrcASetBase.addr32,
                  config::thread::kSrcASetOverrideWithAddr.place(!dst));
  set_field(unpacker.unpack_to_dst_context(0), dst);
  set_field(unpacker.dest_context(0), (4 + row) * 16);
}

/// Unpacks a whole tile of 32-bit datums to Dst, because they do not fit into SrcA. Waits until
/// thread 1 allows it with let_unpack_to_dst() (llk_math.h). Afterwards FP32 is unpacked as TF32
/// again.
inline __attribute__((always_inline)) void unpack_tile_to_dst(uint32_t address, const DstHalf& half,
                                                              unsigned tile, bool fp32 = false) {
  wait_semaphore<kBlockUnpack | kBlockConfig, kSemaphoreUnpackToDst, SemaphoreWait::kWhileZero>();
  stall<kBlockConfig, kUntilUnpacker0>();
  unpack_to(true, half.base_row + tile * kDstTileRows);
  constexpr auto out_format = config::unpacker_fields(0).out_data_format;
  if (fp32) set_field(out_format, DataFormat::kFp32);
  set_unpack_address<Source::kA>(address);
  unpack_run<Source::kA, false>();
  stall<kBlockConfig, kUntilUnpacker0>();
  unpack_to(false, 0);
  if (fp32) set_field(out_format, source_format(DataFormat::kFp32));
  issue<regs::tensix::encode_semget(kSemaphoreUnpackToDst)>();
}

/// Describes tiles of a row-major matrix. A face is 256 datums in rows of 16, `row_bytes` apart in
/// L1. `row_bytes` is a multiple of 16 up to 65520.
inline __attribute__((always_inline)) void describe_unpack_rows(Operand operand,
                                                                uint32_t row_bytes) {
  describe_unpack<Source::kA>(operand, true);
  constexpr auto unpacker = config::unpacker_fields(0);
  set_field(unpacker.tileize_mode, 1);
  set_field(unpacker.shift_amount(0), row_bytes >> 4 & 0xF);
  set_field(unpacker.shift_amount(1), row_bytes >> 8 & 0xF);
  set_field(unpacker.shift_amount(2), row_bytes >> 12 & 0xF);
}
inline __attribute__((always_inline)) void end_unpack_rows() {
  stall<kBlockConfig, kUntilUnpacker0>();
  constexpr auto unpacker = config::unpacker_fields(0);
  set_field(unpacker.tileize_mode, 0);
  unrolled<3>([](auto i) __attribute__((always_inline)) {
    set_field(config::unpacker_fields(0).shift_amount(i), 0);
  });
}
/// Unpacks the tile whose first datum is at `address`. `address` and `row`, the distance of rows,
/// are in units of 16 bytes.
inline void unpack_from_rows(uint32_t address, Operand operand, uint32_t row) {
  const uint32_t face = datum_bytes(operand.format);  // 16 datums
  const uint32_t below = row * operand.shape.face_rows;
  set_unpack_address<Source::kA>(address);
  unpack_run<Source::kA, false, 1>();
  set_unpack_address<Source::kA>(address + face);
  if (operand.shape.faces == 4) {
    unpack_run<Source::kA, false, 1>();
    set_unpack_address<Source::kA>(address + below);
    unpack_run<Source::kA, false, 1>();
    set_unpack_address<Source::kA>(address + below + face);
  }
  unpack_run<Source::kA, true>();
  issue<regs::tensix::encode_setadczw(0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1)>();
}

/// Content of SrcA for missing datums of a tile: unchanged, zeros, or less than all numbers.
enum class Fill : uint8_t { kNone, kZero, kLowest };

/// Describes tiles with fewer faces or rows a face (1 to 16). They go to the places that those of a
/// whole tile would have.
inline __attribute__((always_inline)) void describe_unpack_parts(Operand parts,
                                                                 uint32_t row_bytes) {
  describe_unpack_rows(parts, row_bytes);
  set_field(config::unpacker_fields(0).channel1.z_stride,
            256 * datum_bytes(source_format(parts.format)));
}
inline void unpack_parts(uint32_t address, Operand parts, uint32_t row, Fill fill) {
  if (fill == Fill::kZero) issue<regs::tensix::encode_unpacr_nop_zerosrc(0, 1, 0, 0)>();
  if (fill == Fill::kLowest) issue<regs::tensix::encode_unpacr_nop_zerosrc(0, 1, 0, 1)>();
  const uint32_t beside = datum_bytes(parts.format);  // 16 datums, in units of 16 bytes
  const uint32_t below = row * parts.shape.face_rows;
  for (uint32_t face = 0; face < parts.shape.faces; ++face) {
    set_unpack_address<Source::kA>(address + (face & 1) * beside + (face >> 1) * below);
    if (face + 1 == parts.shape.faces) {
      unpack_run<Source::kA, true>();
    } else {
      unpack_run<Source::kA, false, 1>();
    }
  }
  issue<regs::tensix::encode_setadczw(0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1)>();
}

/// Sets the unpacking of a broadcast tile to SrcB. For one row of faces SrcB takes the first face
/// or all. For a 32x32 tile each face goes to where the matrix unit reads it.
inline __attribute__((always_inline)) void describe_unpack_b(Operand b, Broadcast broadcast) {
  const bool by_face = broadcast != Broadcast::kNone && b.shape.faces == 4;
  describe_unpack<Source::kB>(b, by_face);
  if (broadcast == Broadcast::kColumn && !by_face)
    set_unpack_counters(Source::kB, b.shape.face_datums());
}

inline void rewind_unpack_b() {
  issue<regs::tensix::encode_setadczw(0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)>();
}

inline __attribute__((always_inline)) void unpack_b(uint32_t address, Operand b,
                                                    Broadcast broadcast) {
  set_unpack_address<Source::kB>(address);
  if (b.shape.faces != 4 || broadcast == Broadcast::kNone) {
    unpack_run<Source::kB>();
    return;
  }
  if (broadcast == Broadcast::kColumn) {  // faces 0, 0, 2, 2
    unpack_run<Source::kB, false, 1, 0>();
    unpack_run<Source::kB, false, 1, 2>();
    unpack_run<Source::kB, false, 1, 0>();
    unpack_run<Source::kB, true>();
  } else if (broadcast == Broadcast::kRow) {  // faces 0, 1, 0, 1
    unpack_run<Source::kB, false, 1, 1>();
    unpack_run<Source::kB, false, 1, 0>();
    issue<regs::tensix::encode_setadczw(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)>();
    unpack_run<Source::kB, false, 1, 1>();
    unpack_run<Source::kB, true>();
  } else {  // face 0
    unpack_run<Source::kB, true>();
  }
  rewind_unpack_b();
}

/// Unpacks a repeated row of a tile from its first datum. It takes no more than the row of a face,
/// because the rest of the last face may lie behind the tile.
inline __attribute__((always_inline)) void unpack_b_row(uint32_t address, Operand b) {
  if (b.shape.faces != 4) return unpack_b(address, b, Broadcast::kRow);
  push(regs::tensix::encode_setadcxx(0, 1, 0, 15, 0));
  unpack_b(address, b, Broadcast::kRow);
  push(regs::tensix::encode_setadcxx(0, 1, 0, b.shape.face_datums() - 1, 0));
}

/// Hands a bank of SrcB to the matrix unit, with any contents.
inline void give_source_b() {
  // Bit 0 also holds back the miscellaneous unit.
  issue<regs::tensix::encode_stallwait(1u | kBlockUnpack | kBlockSync,
                                       kUntilUnpacker1 | kUntilSrcBFree)>();
  issue<regs::tensix::encode_setdvalid(1, 0)>();
}

/// Hands over a bank of SrcA and of SrcB, after the pending work of unpackers and the matrix unit
/// on them.
inline void give_sources() {
  issue<regs::tensix::encode_stallwait(
      1u | kBlockUnpack | kBlockSync,
      kUntilUnpacker0 | kUntilUnpacker1 | kUntilSrcAFree | kUntilSrcBFree)>();
  issue<regs::tensix::encode_unpacr_nop_setdvalid(1)>();
  issue<regs::tensix::encode_unpacr_nop_setdvalid(0)>();
}

/// Hands over a bank of SrcB filled with zeros.
inline void give_zeros_b() {
  issue<regs::tensix::encode_unpacr_nop_zerosrc(1, 0, 0, 0)>();
  issue<regs::tensix::encode_unpacr_nop_setdvalid(1)>();
}

/// Orders a store to a circular buffer's counter after the reads of both unpackers.
inline void stall_scalar_until_unpacked() {
  stall<kBlockScalar, kUntilUnpacker0 | kUntilUnpacker1>();
}

}  // namespace tvp::llk
