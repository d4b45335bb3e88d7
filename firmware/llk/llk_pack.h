#pragma once

// Thread 2: tiles from Dst to L1 (ISA TensixCoprocessor/PACR.md and Packers/). Packer i takes face
// i, so that each face leaves at 16 bytes a cycle.

#include "firmware/llk/config.h"
#include "firmware/llk/llk_math.h"
#include "firmware/llk/sync.h"
#include "firmware/llk/tile.h"

namespace tvp::llk {

/// Mask in PACR of all packers that a tile needs: one, two or four.
[[gnu::always_inline]] constexpr Word packer_mask(TileShape shape) {
  return shape.faces == 1 ? 1 : shape.faces == 2 ? 3 : 15;
}

/// The shape in which packers see a tile. Exponents of block formats are written in units of 16.
/// One packer therefore takes both faces of a tile whose faces have eight rows.
[[gnu::always_inline]] constexpr Operand packed(Operand out) {
  if (is_block_float(out.format) && out.shape.face_rows == 8)
    out.shape = {static_cast<uint8_t>(out.shape.faces / 2), 16};
  return out;
}

/// UInt16 leaves a 32-bit Dst as the raw bits of a BF16 (sfpu_cell.h).
[[gnu::always_inline]] constexpr bool packs_raw(DataFormat out, bool fp32_dst) {
  return fp32_dst && out == DataFormat::kInt16;
}

/// The packer rounds block formats. Unless ComputeConfig::bfp8_pack_precise is set, datums are
/// first rounded to the format's seven digits, as in tt-metal. Packers cannot do that on the way
/// from a 32-bit Dst to 5-bit exponents.
#if defined(KERNEL_BUILD) && defined(TVP_BFP8_PACK_PRECISE)
inline constexpr bool kBlocksRoundOnce = TVP_BFP8_PACK_PRECISE;
#else
inline constexpr bool kBlocksRoundOnce = false;
#endif

/// Intermediate format to which datums are rounded before the last conversion, as in tt-metal
/// (tt_metal/jit_build/data_format.cpp). A 16-bit Dst holds no more than 16 bits. From a 32-bit Dst
/// to FP16, the intermediate format is BF16 (ISA Packers/FormatConversion.md).
[[gnu::always_inline]] constexpr DataFormat pack_format(DataFormat out, bool fp32_dst) {
  const bool block_e8 =
      out == DataFormat::kBfp8 || out == DataFormat::kBfp4 || out == DataFormat::kBfp2;
  if (block_e8 && !kBlocksRoundOnce) return DataFormat::kBfp8;
  if (is_block_float(out) && !fp32_dst && !kBlocksRoundOnce) return DataFormat::kBfp8a;
  const bool e8 = out == DataFormat::kFp32 || out == DataFormat::kTf32 || block_e8;
  if (e8 && !fp32_dst) return kShortExponents ? DataFormat::kFp16 : DataFormat::kBf16;
  if (is_block_float(out) && fp32_dst) return DataFormat::kFp32;
  if (out == DataFormat::kFp16 && fp32_dst) return DataFormat::kBf16;
  if (packs_raw(out, fp32_dst)) return DataFormat::kBf16;
  if (is_block_float(out)) return DataFormat::kFp16;
  return out;
}

/// FP32 exponents below this threshold become 0 on the way from a 32-bit Dst to blocks with 5-bit
/// exponents. The last conversion mishandles numbers under 2^-14 (ISA Packers/FormatConversion.md).
/// The value is that of tt-llk's cpack_common.h; 0 means no threshold.
[[gnu::always_inline]] constexpr unsigned exponent_threshold(DataFormat out, bool fp32_dst) {
  const bool block_e5 =
      out == DataFormat::kBfp8a || out == DataFormat::kBfp4a || out == DataFormat::kBfp2a;
  return fp32_dst && block_e5 ? 113 : 0;
}

/// Marks the address of packer 0 as the base to which the addresses of the others are relative (ISA
/// Packers/OutputAddressGenerator.md). It is beyond the limit address, so no FIFO size applies.
inline constexpr uint32_t kRelativeAddresses = 0x80000000;
/// The hardware adds the size of a tile header, which our tiles do not have, to every address.
inline constexpr uint32_t kHeader = 1;

/// Sets the address of the next PACR of packer 0, in units of 16 bytes.
inline __attribute__((always_inline)) void set_pack_address(uint32_t address) {
  constexpr config::Field to = config::packer_fields(0).l1_dest_addr;
  const uint32_t value = address - kHeader;
  push(encode_rmwcib<0>(0xFF, value & 0xFF, to.addr32));
  push(encode_rmwcib<1>(0xFF, value >> 8 & 0xFF, to.addr32));
  push(encode_rmwcib<2>(0xFF, value >> 16 & 0xFF, to.addr32));
}

/// GPRs of thread 2 with the words of dest_offset for the lower half of Dst. The next four are
/// those of the upper half.
inline constexpr Word kPackHalfGprs = 16;

/// Makes the packers read this half of Dst.
inline void select_pack_half(const DstHalf& half) {
  push(regs::tensix::encode_wrcfg(kPackHalfGprs + (half.base_row != 0 ? 4 : 0), 1,
                                  config::packer_fields(0).dest_offset.addr32));
  issue<regs::tensix::encode_nop()>();  // the next instruction still sees the old words (WRCFG.md)
}

/// Sets where packers 0 to 3 find their first rows of tile 0, in both halves of Dst. Upper halves
/// of GPRs are zero.
inline __attribute__((always_inline)) void set_pack_halves(const DstHalf& half,
                                                           const unsigned (&rows)[4]) {
  unrolled<8>([&](auto i) __attribute__((always_inline)) {
    const unsigned base = i < 4 ? 0 : dst_half_rows(half.fp32);
    push(regs::tensix::encode_setdmareg(base + rows[i % 4], 2 * (kPackHalfGprs + i)));
  });
  select_pack_half(half);
}

/// Sets the configuration that depends on the output tiles. BF16 from a 32-bit Dst is rounded to
/// nearest. A PACR under way may still read the changed words.
inline __attribute__((always_inline)) void describe_pack(Operand out, const DstHalf& half) {
  stall<kBlockConfig, kUntilPackers>();
  const DataFormat between = pack_format(out.format, half.fp32);
  const unsigned bytes = datum_bytes(between);
  const unsigned face = data_units(out.format, out.shape.face_datums());
  unrolled<4>([&](auto i) __attribute__((always_inline)) {
    constexpr auto packer = config::packer_fields(i);
    set_field(packer.in_data_format, between);
    set_field(packer.out_data_format,
              packs_raw(out.format, half.fp32) ? DataFormat::kBf16 : out.format);
    // Packer i writes exponents i. After them come the exponents of the other faces and the data of
    // all earlier packers.
    const bool block = is_block_float(out.format);
    set_field(packer.exp_section_size, block ? out.shape.faces - i + i * face : 0u);
    if (i > 0) set_field(packer.l1_dest_addr, (block ? i : i * face) - kHeader);
    if (kShortExponents && half.fp32) {
      const unsigned threshold = exponent_threshold(out.format, true);
      set_field(packer.exp_threshold_en, threshold != 0);
      set_field(packer.exp_threshold, threshold);
    }
  });
  set_field(config::alu::kDstFormat, between);
  set_field(config::pack::kReadRaw, packs_raw(out.format, half.fp32));
  set_field(config::pack::kSource.x_stride, bytes);
  set_field(config::pack::kSource.w_stride, kDstTileRows * 16 * bytes);
  push(regs::tensix::encode_setadcxx(1, 0, 0, out.shape.face_datums() - 1, 0));
  const unsigned face_rows = out.shape.face_rows;
  set_pack_halves(half, {0, face_rows, 2 * face_rows, 3 * face_rows});
}

/// For a mixed Dst, sets after describe_pack() if a datum has 32 bits.
inline __attribute__((always_inline)) void read_32_bits(bool on) {
  set_field(config::pack::kRead32bData, on);
}

/// Edge mask of each of 16 rows, two bits a row.
constexpr config::Field row_masks(unsigned mapping) {
  return config::whole_word(config::pack::row_set_mapping(mapping, 0));
}

/// Sets everything about the packers that no operation changes.
inline __attribute__((always_inline)) void configure_packers(Operand out, const DstHalf& half) {
  namespace pack = config::pack;
  set_thread_word(config::thread::kStateId.addr32, 0);
  unrolled<4>([](auto section) __attribute__((always_inline)) {
    set_thread_word(config::thread::addr_mod_pack(section).y_src_incr.addr32, 0);
  });
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    constexpr auto packer = config::packer_fields(i);
    set_field(packer.row_start_section_size, 0);
    set_field(packer.disable_zero_compress, 1);
    set_field(packer.add_l1_dest_addr_offset, 0);
    set_field(packer.sub_l1_tile_header_size, 0);
    set_field(packer.add_tile_header_size, 0);
    set_field(packer.source_interface_selection, 0);
    set_field(packer.exp_threshold_en, 0);
    set_field(packer.l1_accumulate, 0);
    set_field(packer.l1_dest_addr, 0);
  });
  set_field(config::kAllPackDisableZeroCompressOverride, 0);
  constexpr auto packer0 = config::packer_fields(0);
  set_field(packer0.l1_dest_addr, kRelativeAddresses);
  set_field(config::alu::kDstFormatOverride, 0);
  set_field(config::alu::kPackerStochasticRounding, 0);
  set_field(config::alu::kApplyRelu, 0);
  set_field(pack::kSource.y_stride, 0);
  set_field(pack::kSource.z_stride, 0);
  set_field(pack::kRead32bData, half.fp32);
  set_field(pack::kReadUnsigned, 0);
  set_field(pack::kRound10bMantissa, 0);
  // Edge masks let every column of every row pass.
  set_word(row_masks(0), 0);
  set_word(pack::edge_mask(0), 0xFFFF);
  unrolled<4>([](auto i) __attribute__((always_inline)) {
    set_field(config::pack::reads_per_xy_plane(i), 16);
  });
  issue<regs::tensix::encode_setadcxy(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0)>();
  issue<regs::tensix::encode_setadczw(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)>();
  describe_pack(out, half);
}

/// Adds to the contents of L1 instead of overwriting them.
inline __attribute__((always_inline)) void accumulate_in_l1(bool on) {
  stall<kBlockConfig, kUntilPackers>();
  unrolled<4>([on](auto i) __attribute__((always_inline)) {
    set_field(config::packer_fields(i).l1_accumulate, on);
  });
}

/// Datums of a tile that are packed: all, those of the first row, of the first column, or the first
/// one. Others become zero, because a reduction leaves other rows of Dst undefined.
enum class PackOnly : uint8_t { kAll, kRow, kColumn, kDatum };
inline __attribute__((always_inline)) void pack_only(PackOnly only) {
  namespace pack = config::pack;
  stall<kBlockConfig, kUntilPackers>();
  if (only == PackOnly::kAll) {
    set_word(pack::edge_mask(0), 0xFFFF);
    return;
  }
  const bool row = only == PackOnly::kRow || only == PackOnly::kDatum;
  const bool column = only == PackOnly::kColumn || only == PackOnly::kDatum;
  // Packers of faces with results select the second mapping of rows, whose rows use the second
  // mask. All other rows use the first one.
  Word words = 1u << pack::edge_row_set_select(0).shift;
  if (!column) words |= 1u << pack::edge_row_set_select(1).shift;
  if (!row) words |= 1u << pack::edge_row_set_select(2).shift;
  set_word(config::whole_word(pack::edge_mask(0)), words);
  set_word(pack::edge_mask(1), column ? 1 : 0xFFFF);
  set_word(row_masks(1), row ? 1 : 0x55555555);
}

/// Sets the ReLU of the packers (ISA Packers/ReLU.md). Modes: 0 none, 1 zero, 2 a minimum, 3 a
/// maximum. `threshold` is in the format between Dst and the last conversion.
inline __attribute__((always_inline)) void pack_relu(uint32_t mode, uint32_t threshold) {
  stall<kBlockConfig, kUntilPackers>();
  set_field(config::alu::kApplyRelu, mode);
  set_field(config::alu::kReluThreshold, threshold);
}

/// Packs a tile of Dst to `address`, in units of 16 bytes.
inline __attribute__((always_inline)) void pack_tile(unsigned tile, uint32_t address,
                                                     Word packers) {
  push(regs::tensix::encode_setadc(1, 0, 0, 0, 3, tile));
  set_pack_address(address);
  push(regs::tensix::encode_pacr(0, 0, packers, 0, 0, 0, 1));
}

/// Makes a PACR of packer 0 take this many rows of 16 datums.
inline __attribute__((always_inline)) void describe_pack_first(unsigned rows) {
  push(regs::tensix::encode_setadcxx(1, 0, 0, 16 * rows - 1, 0));
}

inline void wait_dst_half() {
  wait_semaphore<kBlockPack, kSemaphoreMathPack, SemaphoreWait::kWhileZero>();
}

/// Clears this half of Dst and hands it back to the matrix unit after the packers have read it.
inline void release_dst_half(DstHalf& half) {
  stall<kBlockMatrix, kUntilPackers>();
  push(regs::tensix::encode_zeroacc(half.fp32, DstHalf::kWhole ? 3 : 2, 0, 0, half.base_row != 0));
  stall<kBlockSync, kUntilMatrix>();
  issue<regs::tensix::encode_semget(kSemaphoreMathPack)>();
  half.flip();
  select_pack_half(half);
}

/// Orders a store to a circular buffer's counter after the packers' writes.
inline void stall_scalar_until_packed() { stall<kBlockScalar, kUntilPackers>(); }

}  // namespace tvp::llk
