#pragma once

// Backend configuration of the Tensix coprocessor (ISA TensixCoprocessor/BackendConfiguration.md;
// bit positions are those of the public cfg_defines.h of Wormhole and Blackhole). Words and bits
// are named by Wormhole's, which models use for all generations (config_layout.h). Firmware gets
// the words of its own generation. Freestanding C++17: models and RV32 firmware include this file.
//
// Namespace `thread` has the fields of the thread configuration: one bank of 16-bit words for each
// thread, written by SETC16. All other fields are in the two banks of 32-bit words, of which each
// thread selects one.

#include <stdint.h>

#include "foundation/regs/generation.h"

namespace tvp::regs::config {

/// A field in one configuration word. `mask` is already shifted to its place.
struct Field {
  uint16_t addr32 = 0;
  uint8_t shift = 0;
  uint32_t mask = 0;

  [[gnu::always_inline]] constexpr uint32_t of_word(uint32_t word) const {
    return (word & mask) >> shift;
  }
  /// `words` is the bank: any type that addr32 can index.
  template <typename Words>
  constexpr uint32_t get(const Words& words) const {
    return (static_cast<uint32_t>(words[addr32]) & mask) >> shift;
  }
  [[gnu::always_inline]] constexpr uint32_t place(uint32_t value) const {
    return (value << shift) & mask;
  }
  constexpr uint32_t insert(uint32_t word, uint32_t value) const {
    return (word & ~mask) | place(value);
  }
};

// Always inlined: kernels use words and masks as constants.

/// The word of Blackhole's configuration for a word of Wormhole's, kGone if it has none. Words 40
/// and 48 are split.
inline constexpr unsigned kGone = 0xFFFF;
[[gnu::always_inline]] constexpr unsigned blackhole_word(unsigned word) {
  if (word < 7) return word;
  if (word == 7) return 8;
  if (word < 36) return word + 4;
  if (word < 41) return word + 8;
  if (word < 44) return word + 9;
  if (word < 49) return word + 12;
  if (word == 49) return 62;
  if (word < 52) return kGone;
  if (word < 92) return word + 12;
  if (word < 132) return word + 20;
  if (word < 152) return kGone;
  if (word < 158) return word + 28;
  return word < 164 ? kGone : word + 22;
}
/// The same for words of a thread.
[[gnu::always_inline]] constexpr unsigned blackhole_thread_word(unsigned word) {
  if (word < 2) return word;
  if (word == 2) return kGone;
  if (word < 6) return word + 2;
  if (word == 6) return 11;
  if (word < 23) return word % 2 != 0 ? 12 + (word - 7) / 2 : kGone;
  if (word < 31) return word + 5;
  if (word < 35) return word + 6;
  if (word < 39) return kGone;
  if (word < 42) return word + 2;
  return word < 45 ? kGone : word - 1;
}

/// `width` bits from bit `shift` of word `addr32`.
[[gnu::always_inline]] constexpr Field bits(unsigned addr32, unsigned shift, unsigned width) {
  return {static_cast<uint16_t>(addr32), static_cast<uint8_t>(shift),
          addr32 == kGone ? 0u : (width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u) << shift};
}
/// The same for a word named by Wormhole's number.
[[gnu::always_inline]] constexpr Field field(unsigned word, unsigned shift, unsigned width,
                                             Generation generation = kFormGeneration) {
  return bits(generation == Generation::kBlackhole ? blackhole_word(word) : word, shift, width);
}
/// A field of Wormhole alone.
[[gnu::always_inline]] constexpr Field wormhole_field(unsigned word, unsigned shift,
                                                      unsigned width) {
  return bits(kFormGeneration == Generation::kBlackhole ? kGone : word, shift, width);
}
/// All bits of the word of a field.
[[gnu::always_inline]] constexpr Field whole_word(Field of) { return bits(of.addr32, 0, 32); }

/// Wormhole: CFG_STATE_SIZE is 47 groups of four words, THD_STATE_SIZE 57 words.
inline constexpr unsigned kBankWords = 47 * 4;
inline constexpr unsigned kThreadWords = 57;
/// Blackhole: 56 groups, 68 words. Writes from kBlackholeGlobalBase on reach both banks.
inline constexpr unsigned kBlackholeBankWords = 56 * 4;
inline constexpr unsigned kBlackholeThreadWords = 68;
inline constexpr unsigned kBlackholeGlobalBase = 180;
/// First words of the sections of Wormhole's Config. Words from kThconBase to kGlobalBase - 1 can
/// be written by REG2FLOP; writes from kGlobalBase on reach both banks.
inline constexpr unsigned kAluBase = 0;
inline constexpr unsigned kPackBase = 8;
inline constexpr unsigned kUnpack0Base = 36;
inline constexpr unsigned kUnpack1Base = 44;
inline constexpr unsigned kThconBase = 52;
inline constexpr unsigned kGlobalBase = 152;

/// Data formats as the 4-bit fields of the coprocessor name them (ISA
/// Unpackers/FormatConversion.md).
enum class DataFormat : uint8_t {
  kFp32 = 0,
  kFp16 = 1,
  kBfp8a = 2,
  kBfp4a = 3,
  kTf32 = 4,
  kBf16 = 5,
  kBfp8 = 6,
  kBfp4 = 7,
  kInt32 = 8,
  kInt16 = 9,
  kFp8 = 10,
  kBfp2a = 11,
  kInt8 = 14,
  kBfp2 = 15,
};

// ---- ThreadConfig -------------------------------------------------------------------------------

namespace thread {

[[gnu::always_inline]] constexpr Field field(unsigned word, unsigned shift, unsigned width,
                                             Generation generation = kFormGeneration) {
  return bits(generation == Generation::kBlackhole ? blackhole_thread_word(word) : word, shift,
              width);
}

inline constexpr Field kStateId = field(0, 0, 1);          // CFG_STATE_ID
inline constexpr Field kMathDestOffset = field(1, 0, 12);  // DEST_TARGET_REG_CFG_MATH_Offset
inline constexpr Field kAddrModSetBase = field(2, 0, 1);   // ADDR_MOD_SET_Base
/// Wormhole's instructions have two bits for an address modifier, to which that adds four.
inline constexpr bool kHasAddrModBase = kAddrModSetBase.mask != 0;
inline constexpr Field kSrcASetBase = field(3, 0, 2);  // SRCA_SET_Base
inline constexpr Field kSrcASetOverrideWithAddr = field(3, 2, 1);
inline constexpr Field kSrcBSetBase = field(4, 0, 2);  // SRCB_SET_Base
/// DISABLE_IMPLIED_SRCA_FMT, DISABLE_IMPLIED_SRCB_FMT: formats are those of ALU_FORMAT_SPEC, as
/// always on Wormhole, and not those that unpackers wrote.
inline constexpr bool kImpliesSrcFormats = kFormGeneration == Generation::kBlackhole;
inline constexpr Field kDisableImpliedSrcA = bits(kImpliesSrcFormats ? 2 : kGone, 0, 1);
inline constexpr Field kDisableImpliedSrcB = bits(kImpliesSrcFormats ? 3 : kGone, 0, 1);
inline constexpr Field kClearDvalidSrcADisable = field(5, 0, 1);
inline constexpr Field kClearDvalidSrcBDisable = field(5, 1, 1);
inline constexpr Field kFidelityBasePhase = field(6, 0, 2);

/// ADDR_MOD_AB_SEC[i], two words a section.
struct AddrModAb {
  Field src_a_incr, src_a_cr, src_a_clear;
  Field src_b_incr, src_b_cr, src_b_clear;
  Field bias_incr, bias_clear;
};
[[gnu::always_inline]] constexpr AddrModAb addr_mod_ab(unsigned section) {
  const unsigned a = 7 + 2 * section;
  return {field(a, 0, 6),  field(a, 6, 1),  field(a, 7, 1),     field(a, 8, 6),
          field(a, 14, 1), field(a, 15, 1), field(a + 1, 0, 4), field(a + 1, 4, 1)};
}

/// ADDR_MOD_DST_SEC[i].
struct AddrModDst {
  Field dest_incr, dest_cr, dest_clear, dest_c_to_cr, fidelity_incr, fidelity_clear;
};
[[gnu::always_inline]] constexpr AddrModDst addr_mod_dst(unsigned section) {
  const unsigned a = 23 + section;
  return {field(a, 0, 10), field(a, 10, 1), field(a, 11, 1),
          field(a, 12, 1), field(a, 13, 2), field(a, 15, 1)};
}

/// ADDR_MOD_PACK_SEC[i].
struct AddrModPack {
  Field y_src_incr, y_src_cr, y_src_clear;
  Field y_dst_incr, y_dst_cr, y_dst_clear;
  Field z_src_incr, z_src_clear, z_dst_incr, z_dst_clear;
};
[[gnu::always_inline]] constexpr AddrModPack addr_mod_pack(unsigned section) {
  const unsigned a = 31 + section;
  return {field(a, 0, 4),  field(a, 4, 1),  field(a, 5, 1),  field(a, 6, 4),  field(a, 10, 1),
          field(a, 11, 1), field(a, 12, 1), field(a, 13, 1), field(a, 14, 1), field(a, 15, 1)};
}

/// ADDR_MOD_BIAS_SEC[i].
struct AddrModBias {
  Field bias_incr, bias_clear;
};
[[gnu::always_inline]] constexpr AddrModBias addr_mod_bias(unsigned section) {
  return {field(48 + section, 0, 4), field(48 + section, 4, 1)};
}

/// UNPACK_MISC_CFG, one group of fields for each unpacker.
[[gnu::always_inline]] constexpr Field context_offset(unsigned unpacker) {
  return field(39, 8 * unpacker, 4);
}
constexpr Field context_count_reset(unsigned unpacker) { return field(39, 8 * unpacker + 4, 1); }
constexpr Field context_count_inc(unsigned unpacker) { return field(39, 8 * unpacker + 5, 1); }
/// NOC_OVERLAY_MSG_CLEAR.
constexpr Field overlay_clear_stream(unsigned unpacker) { return field(40 + unpacker, 0, 6); }
constexpr Field overlay_clear_message(unsigned unpacker) { return field(40 + unpacker, 8, 3); }

/// CG_CTRL_EN and CG_CTRL_KICK: clock gating; the words as a whole, and the fields of the first.
inline constexpr Field kClockGateEnable = field(42, 0, 16);
inline constexpr Field kClockGateHysteresis = field(43, 2, 7);
inline constexpr Field kClockGateKick = field(44, 0, 14);
inline constexpr Field kPerfCounterCommand = field(45, 0, 8);  // PERF_CNT_CMD
inline constexpr Field kEnableAccStats = field(46, 0, 1);
inline constexpr Field kFpuBiasPointer = field(47, 0, 1);
inline constexpr Field kFp16aForce = field(56, 0, 1);

}  // namespace thread

// ---- ALU section: matrix and vector unit, and what packers share with them ----------------------

namespace alu {

inline constexpr Field kSrcAFormatOverrideValue = field(0, 0, 4);  // ALU_FORMAT_SPEC_REG_*
inline constexpr Field kSrcAFormatOverride = field(0, 4, 1);
inline constexpr Field kSrcBFormatOverrideValue = field(0, 5, 4);
inline constexpr Field kSrcBFormatOverride = field(0, 9, 1);
inline constexpr Field kDstFormatOverrideValue = field(0, 10, 4);
inline constexpr Field kDstFormatOverride = field(0, 14, 1);
inline constexpr Field kFpuStochasticRounding = field(1, 0, 1);  // ALU_ROUNDING_MODE_*_srnd_en
inline constexpr Field kGasketStochasticRounding = field(1, 1, 1);
inline constexpr Field kPackerStochasticRounding = field(1, 2, 1);
inline constexpr Field kRoundingPadding = field(1, 3, 10);
inline constexpr Field kRoundingGsLf = field(1, 13, 1);
inline constexpr Field kRoundingBfp8Hf = field(1, 14, 1);
inline constexpr Field kSrcAUnsigned = field(1, 15, 1);  // ALU_FORMAT_SPEC_REG0_*
inline constexpr Field kSrcBUnsigned = field(1, 16, 1);
inline constexpr Field kSrcAFormat = field(1, 17, 4);   // ALU_FORMAT_SPEC_REG0_SrcA
inline constexpr Field kSrcBFormat = field(1, 21, 4);   // ALU_FORMAT_SPEC_REG1_SrcB
inline constexpr Field kDstFormat = field(1, 25, 4);    // ALU_FORMAT_SPEC_REG2_Dstacc
inline constexpr Field kFp32Enabled = field(1, 29, 1);  // ALU_ACC_CTRL_*
inline constexpr Field kSfpuFp32Enabled = field(1, 30, 1);
inline constexpr Field kInt8MathEnabled = field(1, 31, 1);
inline constexpr Field kZeroFlagDisabledSrc = field(2, 0, 1);
inline constexpr Field kZeroFlagDisabledDst = field(2, 1, 1);
inline constexpr Field kApplyRelu = field(2, 2, 4);  // STACC_RELU_*
inline constexpr Field kReluThreshold = field(2, 6, 16);
inline constexpr Field kDisableBranchPredictionB = field(2, 22, 1);  // DISABLE_RISC_BP_Disable_*
inline constexpr Field kDisableBranchPredictionT = field(2, 23, 3);
inline constexpr Field kDisableBranchPredictionNc = field(2, 26, 1);
inline constexpr Field kDisableBmpClearB = field(2, 27, 1);
inline constexpr Field kDisableBmpClearT = field(2, 28, 3);
inline constexpr Field kDisableBmpClearNc = field(2, 31, 1);
inline constexpr Field kEccScrubberEnable = field(3, 0, 1);
inline constexpr Field kEccScrubOnError = field(3, 1, 1);
inline constexpr Field kEccScrubOnErrorImmediately = field(3, 2, 1);
inline constexpr Field kEccScrubberDelay = field(3, 3, 11);
inline constexpr Field kStateResetEn = field(4, 0, 1);  // any write clears the bank's state
inline constexpr Field kDestOffsetEnable = field(5, 0, 1);
inline constexpr Field kDestRegwBase = field(6, 0, 16);
inline constexpr Field kIntDescaleEnable = field(7, 0, 1);
inline constexpr Field kIntDescaleMode = field(7, 1, 1);

}  // namespace alu

// ---- PACK0 section: shared by the four packers --------------------------------------------------

/// Strides and base of one ADC channel. Blackhole has more bits, and a word for each base.
struct AddressControl {
  Field x_stride, y_stride, z_stride, w_stride, base;
};
constexpr AddressControl address_control(unsigned xy, unsigned zw, unsigned base,
                                         unsigned base_shift, Generation generation) {
  if (generation == Generation::kBlackhole) {
    const unsigned x = blackhole_word(xy), z = blackhole_word(zw);
    return {bits(x, 0, 16), bits(x, 16, 16), bits(z, 0, 16), bits(z, 16, 16),
            bits(blackhole_word(base) + base_shift / 16, 0, 18)};
  }
  return {field(xy, 0, 12), field(xy, 12, 12), field(zw, 0, 12), field(zw, 12, 16),
          field(base, base_shift, 16)};
}

namespace pack {

/// PCK0_ADDR_*_REG_0 (Dst side) and _REG_1 (L1 side).
constexpr AddressControl source(Generation generation) {
  return address_control(8, 9, 12, 0, generation);
}
constexpr AddressControl destination(Generation generation) {
  return address_control(10, 11, 13, 0, generation);
}
inline constexpr AddressControl kSource = source(kFormGeneration);
inline constexpr AddressControl kDestination = destination(kFormGeneration);
inline constexpr Field kRead32bData = field(14, 0, 1);  // PCK_DEST_RD_CTRL_*
inline constexpr Field kReadUnsigned = field(14, 1, 1);
inline constexpr Field kReadRaw = field(14, 2, 1);  // Read_int8
inline constexpr Field kRound10bMantissa = field(14, 3, 1);
/// Bits of the four packers are side by side, two each.
inline constexpr Field kEdgeFaceSetSelect = field(15, 0, 8);  // PCK_EDGE_TILE_FACE_SET_SELECT_*
inline constexpr Field kEdgeFaceSetEnable = field(15, 8, 1);
[[gnu::always_inline]] constexpr Field edge_face_set_select(unsigned packer) {
  return field(15, 2 * packer, 2);
}
/// TILE_ROW_SET_MAPPING_[set], two bits for each of 16 rows.
[[gnu::always_inline]] constexpr Field row_set_mapping(unsigned set, unsigned row) {
  return field(16 + set, 2 * row, 2);
}
[[gnu::always_inline]] constexpr Field edge_mask(unsigned section) {
  return field(20 + section, 0, 16);
}
inline constexpr Field kEdgeMode = field(20, 16, 1);  // 1: minus infinity, 0: zero
inline constexpr Field kEdgeRowSetSelect = field(20, 17, 8);
[[gnu::always_inline]] constexpr Field edge_row_set_select(unsigned packer) {
  return field(20, 17 + 2 * packer, 2);
}
/// PACK_COUNTERS_SEC[packer].
[[gnu::always_inline]] constexpr Field per_xy_plane(unsigned packer) {
  return field(24 + packer, 0, 8);
}
[[gnu::always_inline]] constexpr Field reads_per_xy_plane(unsigned packer) {
  return field(24 + packer, 8, 8);
}
[[gnu::always_inline]] constexpr Field xys_per_tile(unsigned packer) {
  return field(24 + packer, 16, 7);
}
[[gnu::always_inline]] constexpr Field yz_transposed(unsigned packer) {
  return field(24 + packer, 23, 1);
}
[[gnu::always_inline]] constexpr Field per_xy_plane_offset(unsigned packer) {
  return wormhole_field(24 + packer, 24, 8);
}
[[gnu::always_inline]] constexpr Field concat_mask(unsigned packer) {
  return field(28 + packer, 0, 16);
}
/// TILE_FACE_SET_MAPPING_[set], two bits for each of 16 faces.
[[gnu::always_inline]] constexpr Field face_set_mapping(unsigned set, unsigned face) {
  return field(32 + set, 2 * face, 2);
}

}  // namespace pack

// ---- One packer: THCON_SEC0_REG1, THCON_SEC0_REG8, THCON_SEC1_REG1, THCON_SEC1_REG8 -------------

struct PackerFields {
  Field row_start_section_size, exp_section_size;
  Field l1_dest_addr;
  Field disable_zero_compress, add_l1_dest_addr_offset, addr_cnt_context;
  Field out_data_format, in_data_format;
  Field disable_shared_exp_assembler, force_pack_per_max_xy_plane, enable_out_fifo;
  Field sub_l1_tile_header_size, source_interface_selection, add_tile_header_size;
  Field l1_source_addr;
  Field downsample_mask, downsample_rate, read_mode;
  Field exp_threshold_en, l1_accumulate, disable_zero_flags, exp_threshold;
  Field limit_address, fifo_size;    // THCON_SEC[01]_REG9
  Field dest_offset, dest_z_offset;  // DEST_TARGET_REG_CFG_PACK_SEC[packer]
};

/// Word of Wormhole's at which the fields of a packer begin.
constexpr unsigned packer_word(unsigned packer) {
  return 40 * (packer / 2) + ((packer & 1) != 0 ? 84 : 56);
}
// Fields that Blackhole has at other bits.
constexpr Field l1_accumulate(unsigned word, Generation generation) {
  return field(word + 3, generation == Generation::kBlackhole ? 19 : 21, 1, generation);
}
constexpr Field disable_zero_flags(unsigned word, Generation generation) {
  return generation == Generation::kBlackhole ? field(word + 2, 2, 1, generation)
                                              : field(word + 3, 22, 1, generation);
}

constexpr PackerFields packer_fields(unsigned packer) {
  const bool reg8 = (packer & 1) != 0;
  const unsigned section = 40 * (packer / 2);
  const unsigned a = packer_word(packer);
  const unsigned limit = section + 88 + (reg8 ? 2 : 0);
  return {field(a, 0, 16),
          field(a, 16, 16),
          field(a + 1, 0, 32),
          field(a + 2, 0, 1),
          field(a + 2, 1, 1),
          wormhole_field(a + 2, 2, 2),
          field(a + 2, 4, 4),
          field(a + 2, 8, 4),
          field(a + 2, 12, 1),
          wormhole_field(a + 2, 13, 1),
          field(a + 2, 14, 1),
          field(a + 2, 15, 1),
          field(a + 2, 16, 1),
          field(a + 2, reg8 ? 17 : 22, 1),
          field(a + 2, 24, 8),
          field(a + 3, 0, 16),
          field(a + 3, 16, 3),
          wormhole_field(a + 3, 19, 1),
          field(a + 3, 20, 1),
          l1_accumulate(a, kFormGeneration),
          disable_zero_flags(a, kFormGeneration),
          field(a + 3, 24, 8),
          field(limit, 0, 17),
          field(limit + 1, 0, 17),
          field(kGlobalBase + packer, 0, 12),
          field(kGlobalBase + packer, 12, 6)};
}

inline constexpr PackerFields kPacker[4] = {packer_fields(0), packer_fields(1), packer_fields(2),
                                            packer_fields(3)};
/// THCON_SEC0_REG1_All_pack_disable_zero_compress (one bit a packer) and its enable.
inline constexpr Field kAllPackDisableZeroCompress = wormhole_field(58, 17, 4);
inline constexpr Field kAllPackDisableZeroCompressOverride = field(58, 21, 1);

// ---- One unpacker: UNP[i]_* and THCON_SEC[i] ----------------------------------------------------

/// The 128 bits of TileDescriptor (ISA TensixCoprocessor/UNPACR_Regular.md, Configuration).
struct TileDescriptorFields {
  Field in_data_format, is_uncompressed, no_bfp_exp_section, blobs_per_xy_plane;
  Field x_dim, y_dim, z_dim, w_dim;
  Field blobs_y_start_low, blobs_y_start_high;  // 16 bits each
  Field digest_size;
};
constexpr TileDescriptorFields tile_descriptor_fields(unsigned a) {
  return {field(a, 0, 4),       field(a, 4, 1),      field(a, 5, 1),      field(a, 8, 3),
          field(a, 16, 16),     field(a + 1, 0, 8),  field(a + 1, 16, 8), field(a + 2, 0, 8),
          field(a + 2, 16, 16), field(a + 3, 0, 16), field(a + 3, 24, 8)};
}

struct UnpackerFields {
  AddressControl channel0, channel1;
  Field forced_shared_exp, add_dest_addr_cntr;
  TileDescriptorFields tile;
  Field out_data_format, throttle_mode, context_count;
  Field haloize_mode, tileize_mode, src_reg_set_update, unpack_to_dst;  // Unpack_If_Sel
  Field upsample_rate, override_data_format, upsample_and_interleave;
  Field force_shared_exp, limit_address, fifo_size;
  Field base_address, offset_address;
  uint16_t section;  ///< first word of THCON_SEC[i]

  constexpr Field shift_amount(unsigned context) const {
    return field(section + 8u, 16 + 4 * context, 4);
  }
  constexpr Field disable_zero_compress(unsigned context) const {
    return field(section + 9u, (context & 3) + (context & 4 ? 16 : 0), 1);
  }
  constexpr Field unpack_to_dst_context(unsigned context) const {
    return field(section + 9u, (context & 3) + (context & 4 ? 20 : 4), 1);
  }
  /// Base_cntx[i]; context 0 is base_address.
  constexpr Field base_context(unsigned context) const {
    return field(section + 12u + context, 0, 32);
  }
  constexpr Field dest_context(unsigned context) const {
    return field(section + 20u + context / 2, 16 * (context & 1), 16);
  }
  constexpr Field tile_x_dim_context(unsigned context) const {
    return field(section + 22u + context / 2, 16 * (context & 1), 16);
  }
  constexpr Field offset_context(unsigned context) const {
    return field(section + 28u + context, 0, 16);
  }
  constexpr Field data_format_context(unsigned context) const {
    return field(section + 28u + (context & 3), context & 4 ? 24 : 16, 4);
  }
  constexpr Field out_data_format_context(unsigned context) const {
    return field(section + 28u + (context & 3), context & 4 ? 28 : 20, 4);
  }
};

/// Addresses of an unpacker: channel 0 is of L1, channel 1 of SrcA, SrcB or Dst.
constexpr AddressControl unpacker_channel(unsigned unpacker, unsigned channel,
                                          Generation generation) {
  const unsigned xy = 36 + 8 * channel + 2 * unpacker;
  return address_control(xy, xy + 1, 40 + 8 * unpacker, 16 * channel, generation);
}

constexpr UnpackerFields unpacker_fields(unsigned unpacker) {
  const unsigned m = 8 * unpacker;        // UNP0 and UNP1 words of base and shared exponent
  const unsigned s = 52 + 40 * unpacker;  // THCON_SEC[i]
  return {unpacker_channel(unpacker, 0, kFormGeneration),
          unpacker_channel(unpacker, 1, kFormGeneration),
          field(41 + m, 0, 8),
          field(41 + m, 8, 1),
          tile_descriptor_fields(s),
          field(s + 8, 0, 4),
          field(s + 8, 4, 2),
          field(s + 8, 6, 2),
          field(s + 8, 8, 1),
          field(s + 8, 9, 1),
          field(s + 8, 10, 1),
          field(s + 8, 11, 1),
          field(s + 8, 12, 2),
          field(s + 8, 14, 1),
          field(s + 8, 15, 1),
          field(s + 9, 8, 1),
          field(s + 10, 0, 17),
          field(s + 11, 0, 17),
          field(s + 12, 0, 32),
          field(s + 28, 0, 16),
          static_cast<uint16_t>(s)};
}

inline constexpr UnpackerFields kUnpacker[2] = {unpacker_fields(0), unpacker_fields(1)};
/// UNP0_BLOBS_Y_START_CNTX_01 and _23.
constexpr Field blobs_y_start(unsigned context_pair) { return field(42 + context_pair, 0, 32); }

/// THCON_SEC[i]_REG6: parameters of XMOV.
struct MoverFields {
  Field source_address, destination_address, buffer_size, transfer_direction;
};
constexpr MoverFields mover_fields(unsigned section) {
  const unsigned a = 76 + 40 * section;
  return {field(a, 0, 32), field(a + 1, 0, 32), field(a + 2, 0, 30), field(a + 2, 30, 2)};
}
inline constexpr MoverFields kMover[2] = {mover_fields(0), mover_fields(1)};

// ---- GLOBAL section: the same in both banks -----------------------------------------------------

namespace global {

inline constexpr Field kGateSrcAPipe = field(156, 0, 1);  // CG_SRC_PIPELINE_*
inline constexpr Field kGateSrcBPipe = field(156, 1, 1);
inline constexpr Field kInvalidateInstructionCaches = field(157, 0, 5);  // B, T0, T1, T2, NC
/// Blackhole has the reset PCs in the tile's control registers (tensix_tile.h).
constexpr Field trisc_reset_pc(unsigned t) { return field(158 + t, 0, 32); }
inline constexpr Field kTriscResetPcOverride = field(161, 0, 3);  // one bit a core
inline constexpr Field kNcriscResetPc = field(162, 0, 32);
inline constexpr Field kNcriscResetPcOverride = field(163, 0, 1);
inline constexpr Field kPrngSeed = field(164, 0, 32);
constexpr Field int_descale_value(unsigned section) { return field(165 + section, 0, 32); }
constexpr Field trisc_end_pc(unsigned t) { return field(181 + t, 0, 32); }
inline constexpr Field kBriscEndPc = field(184, 0, 32);
inline constexpr Field kNcriscEndPc = field(185, 0, 32);
inline constexpr Field kPrefetchTrisc = field(186, 0, 3);  // RISC_PREFETCH_CTRL_*
inline constexpr Field kPrefetchBrisc = field(186, 3, 1);
inline constexpr Field kPrefetchNcrisc = field(186, 4, 1);
inline constexpr Field kPrefetchMaxRequests = field(186, 5, 8);

}  // namespace global

}  // namespace tvp::regs::config
