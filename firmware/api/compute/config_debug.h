#pragma once
// Kernels print the coprocessor's configuration by the names of tt-metal's dprint_tensix_pack.h and
// dprint_tensix_unpack.h. They print whole registers, or fields of a register that packer::read_…
// or unpacker::read_… returned. Words and fields are those of foundation/regs/tensix_config.h.

#include <stdint.h>

#include <array>

#include "api/compute/dst_debug.h"

#if defined(COMPILE_FOR_TRISC)

#include "api/compute/threads/core_sync.h"
#include "api/compute/threads/thread_state.h"
#include "foundation/contract/data_format.h"
#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_tile.h"

namespace ckernel {

/// The bank of the backend configuration that all threads use. Instructions of this core that write
/// it have completed.
inline volatile uint32_t* get_cfg_pointer() {
  tensix_sync();
  return reinterpret_cast<volatile uint32_t*>(tvp::regs::tensix_tile::kConfig);
}

inline void dprint_data_format(uint8_t data_format) {
  switch (static_cast<DataFormat>(data_format)) {
#define TVP_FORMAT(name) \
  case DataFormat::name: \
    DPRINT << #name;     \
    break;
    TVP_FORMAT(Float32)
    TVP_FORMAT(Float16)
    TVP_FORMAT(Bfp8)
    TVP_FORMAT(Bfp4)
    TVP_FORMAT(Bfp2)
    TVP_FORMAT(Float16_b)
    TVP_FORMAT(Bfp8_b)
    TVP_FORMAT(Bfp4_b)
    TVP_FORMAT(Bfp2_b)
    TVP_FORMAT(Lf8)
    TVP_FORMAT(Int8)
    TVP_FORMAT(UInt8)
    TVP_FORMAT(UInt16)
    TVP_FORMAT(Int32)
    TVP_FORMAT(UInt32)
    TVP_FORMAT(Tf32)
#undef TVP_FORMAT
    default:
      DPRINT << "INVALID DATA FORMAT";
  }
}

/// How a field is printed.
enum class FieldText { kHex, kDec, kFormat };
template <FieldText text>
inline void print_field(uint32_t value) {
  if constexpr (text == FieldText::kFormat) {
    dprint_data_format(static_cast<uint8_t>(value));
  } else if constexpr (text == FieldText::kDec) {
    DPRINT << DEC() << value;
  } else {
    DPRINT << "0x" << HEX() << value;
  }
  DPRINT << ENDL();
}
inline void dprint_tensix_struct_field(uint32_t word, uint32_t mask, uint8_t shamt,
                                       const char* name, bool printDec = false) {
  DPRINT << name << ": ";
  const uint32_t value = (word & mask) >> shamt;
  printDec ? print_field<FieldText::kDec>(value) : print_field<FieldText::kHex>(value);
}
/// Prints register `reg_id`, from 1 on, or all of them for 0.
template <uint32_t count, typename Print>
inline void print_registers(uint32_t reg_id, Print&& print) {
  if (reg_id > count) {
    DPRINT << "INVALID REGISTER ID! PLEASE CHOOSE A NUMBER BETWEEN 0 AND " << count << "."
           << ENDL();
    return;
  }
  for (uint32_t i = 1; i <= count; ++i) {
    if (reg_id != 0 && reg_id != i) continue;
    DPRINT << "REG_ID: " << i << ENDL();
    print(i);
    if (reg_id == 0 && i != count) DPRINT << ENDL();
  }
}
/// A register of `Register` from the word `addr32` of the configuration on.
template <typename Register>
inline Register read_register(uint32_t addr32) {
  const volatile uint32_t* const cfg = get_cfg_pointer() + addr32;
  std::array<uint32_t, sizeof(Register) / 4> words;
  for (uint32_t i = 0; i < words.size(); ++i) words[i] = cfg[i];
  return __builtin_bit_cast(Register, words);
}
template <typename Register, size_t count>
inline std::array<Register, count> read_registers(const std::array<uint32_t, count>& at) {
  std::array<Register, count> registers;
  for (size_t i = 0; i < count; ++i) registers[i] = read_register<Register>(at[i]);
  return registers;
}

// Fields of a register from its lowest bit on: EACH(T, p, member, bits, text, function) is a member
// of T, which p_function prints.
#define TVP_PACK_CONFIG(EACH, T, p)                                                      \
  EACH(T, p, row_ptr_section_size, 16, kDec, row_ptr_section_size)                       \
  EACH(T, p, exp_section_size, 16, kDec, exp_section_size)                               \
  EACH(T, p, l1_dest_addr, 32, kHex, l1_dest_addr)                                       \
  EACH(T, p, uncompress, 1, kHex, uncompressed)                                          \
  EACH(T, p, add_l1_dest_addr_offset, 1, kHex, add_l1_dest_addr_offset)                  \
  EACH(T, p, reserved_0, 2, kHex, reserved_0)                                            \
  EACH(T, p, out_data_format, 4, kFormat, out_data_format)                               \
  EACH(T, p, in_data_format, 4, kFormat, in_data_format)                                 \
  EACH(T, p, reserved_1, 4, kHex, reserved_1)                                            \
  EACH(T, p, src_if_sel, 1, kHex, src_if_sel)                                            \
  EACH(T, p, pack_per_xy_plane, 7, kDec, pack_per_xy_plane)                              \
  EACH(T, p, l1_src_addr, 8, kHex, l1_src_addr)                                          \
  EACH(T, p, downsample_mask, 16, kHex, downsample_mask)                                 \
  EACH(T, p, downsample_shift_count, 3, kDec, downsample_shift_count)                    \
  EACH(T, p, read_mode, 1, kHex, read_mode)                                              \
  EACH(T, p, exp_threshold_en, 1, kHex, exp_threshold_en)                                \
  EACH(T, p, pack_l1_acc_disable_pack_zero_flag, 2, kHex, l1_acc_disable_pack_zero_flag) \
  EACH(T, p, reserved_2, 1, kHex, reserved_2)                                            \
  EACH(T, p, exp_threshold, 8, kDec, exp_threshold)
#define TVP_RELU_CONFIG(EACH, T, p)                                                             \
  EACH(T, p, ALU_ACC_CTRL_Zero_Flag_disabled_src, 1, kHex, alu_acc_ctrl_zero_flag_disabled_src) \
  EACH(T, p, ALU_ACC_CTRL_Zero_Flag_disabled_dst, 1, kHex, alu_acc_ctrl_zero_flag_disabled_dst) \
  EACH(T, p, STACC_RELU_ApplyRelu, 4, kHex, stacc_relu_apply_relu)                              \
  EACH(T, p, STACC_RELU_ReluThreshold, 16, kDec, stacc_relu_relu_threshold)                     \
  EACH(T, p, DISABLE_RISC_BP_Disable_main, 1, kHex, disable_risc_bp_disable_main)               \
  EACH(T, p, DISABLE_RISC_BP_Disable_trisc, 3, kHex, disable_risc_bp_disable_trisc)             \
  EACH(T, p, DISABLE_RISC_BP_Disable_ncrisc, 1, kHex, disable_risc_bp_disable_ncrisc)           \
  EACH(T, p, DISABLE_RISC_BP_Disable_bmp_clear_main, 1, kHex,                                   \
       disable_risc_bp_disable_bmp_clear_main)                                                  \
  EACH(T, p, DISABLE_RISC_BP_Disable_bmp_clear_trisc, 3, kHex,                                  \
       disable_risc_bp_disable_bmp_clear_trisc)                                                 \
  EACH(T, p, DISABLE_RISC_BP_Disable_bmp_clear_ncrisc, 1, kHex,                                 \
       disable_risc_bp_disable_bmp_clear_ncrisc)
#define TVP_DEST_RD_CTRL(EACH, T, p)                                                    \
  EACH(T, p, PCK_DEST_RD_CTRL_Read_32b_data, 1, kHex, pck_dest_rd_ctrl_read_32b_data)   \
  EACH(T, p, PCK_DEST_RD_CTRL_Read_unsigned, 1, kHex, pck_dest_rd_ctrl_read_unsigned)   \
  EACH(T, p, PCK_DEST_RD_CTRL_Read_int8, 1, kHex, pck_dest_rd_ctrl_read_int8)           \
  EACH(T, p, PCK_DEST_RD_CTRL_Round_10b_mant, 1, kHex, pck_dest_rd_ctrl_round_10b_mant) \
  EACH(T, p, PCK_DEST_RD_CTRL_Reserved, 28, kHex, pck_dest_rd_ctrl_reserved)
#define TVP_PACK_EDGE_MASK(EACH, T, p) EACH(T, p, mask, 16, kHex, mask)
#define TVP_PACK_EDGE_OTHERS(EACH, T, p)                                    \
  EACH(T, p, mode, 1, kHex, mode)                                           \
  EACH(T, p, tile_row_set_select_pack0, 2, kHex, tile_row_set_select_pack0) \
  EACH(T, p, tile_row_set_select_pack1, 2, kHex, tile_row_set_select_pack1) \
  EACH(T, p, tile_row_set_select_pack2, 2, kHex, tile_row_set_select_pack2) \
  EACH(T, p, tile_row_set_select_pack3, 2, kHex, tile_row_set_select_pack3) \
  EACH(T, p, reserved, 7, kHex, reserved)
#define TVP_PACK_COUNTERS(EACH, T, p)                                   \
  EACH(T, p, pack_per_xy_plane, 8, kDec, pack_per_xy_plane)             \
  EACH(T, p, pack_reads_per_xy_plane, 8, kDec, pack_reads_per_xy_plane) \
  EACH(T, p, pack_xys_per_til, 7, kDec, pack_xys_per_til)               \
  EACH(T, p, pack_yz_transposed, 1, kHex, pack_yz_transposed)           \
  EACH(T, p, pack_per_xy_plane_offset, 8, kDec, pack_per_xy_plane_offset)
#define TVP_TILE_SHAPE(EACH, T, p)                            \
  EACH(T, p, in_data_format, 4, kFormat, in_data_format)      \
  EACH(T, p, uncompressed, 1, kHex, uncompressed)             \
  EACH(T, p, reserved_0, 3, kHex, reserved_0)                 \
  EACH(T, p, blobs_per_xy_plane, 4, kDec, blobs_per_xy_plane) \
  EACH(T, p, reserved_1, 4, kHex, reserved_1)                 \
  EACH(T, p, x_dim, 16, kDec, x_dim)                          \
  EACH(T, p, y_dim, 16, kDec, y_dim)                          \
  EACH(T, p, z_dim, 16, kDec, z_dim)                          \
  EACH(T, p, w_dim, 16, kDec, w_dim)
#define TVP_TILE_DIGEST(EACH, T, p)             \
  EACH(T, p, digest_type, 8, kHex, digest_type) \
  EACH(T, p, digest_size, 8, kDec, digest_size)
#define TVP_UNPACK_CONFIG(EACH, T, p)                                       \
  EACH(T, p, out_data_format, 4, kFormat, out_data_format)                  \
  EACH(T, p, throttle_mode, 2, kHex, throttle_mode)                         \
  EACH(T, p, context_count, 2, kHex, context_count)                         \
  EACH(T, p, haloize_mode, 1, kHex, haloize_mode)                           \
  EACH(T, p, tileize_mode, 1, kHex, tileize_mode)                           \
  EACH(T, p, unpack_src_reg_set_update, 1, kHex, unpack_src_reg_set_update) \
  EACH(T, p, unpack_if_sel, 1, kHex, unpack_if_sel)                         \
  EACH(T, p, upsample_rate, 2, kDec, upsample_rate)                         \
  EACH(T, p, reserved_1, 1, kHex, reserved_1)                               \
  EACH(T, p, upsamle_and_interlave, 1, kHex, upsample_and_interlave)        \
  EACH(T, p, shift_amount, 16, kDec, shift_amount)                          \
  EACH(T, p, uncompress_cntx0_3, 4, kHex, uncompress_cntx0_3)               \
  EACH(T, p, unpack_if_sel_cntx0_3, 4, kHex, unpack_if_sel_cntx0_3)         \
  EACH(T, p, force_shared_exp, 1, kHex, force_shared_exp)                   \
  EACH(T, p, reserved_2, 7, kHex, reserved_2)                               \
  EACH(T, p, uncompress_cntx4_7, 4, kHex, uncompress_cntx4_7)               \
  EACH(T, p, unpack_if_sel_cntx4_7, 4, kHex, unpack_if_sel_cntx4_7)         \
  EACH(T, p, reserved_3, 8, kHex, reserved_3)                               \
  EACH(T, p, limit_addr, 17, kHex, limit_addr)                              \
  EACH(T, p, reserved_4, 15, kHex, reserved_4)                              \
  EACH(T, p, fifo_size, 17, kDec, fifo_size)                                \
  EACH(T, p, reserved_5, 15, kHex, reserved_5)
#define TVP_ALU_CONFIG(EACH, T, p)                                                          \
  EACH(T, p, ALU_ROUNDING_MODE_Fpu_srnd_en, 1, kHex, alu_rounding_mode_fpu_srnd_en)         \
  EACH(T, p, ALU_ROUNDING_MODE_Gasket_srnd_en, 1, kHex, alu_rounding_mode_gasket_srnd_en)   \
  EACH(T, p, ALU_ROUNDING_MODE_Packer_srnd_en, 1, kHex, alu_rounding_mode_packer_srnd_en)   \
  EACH(T, p, ALU_ROUNDING_MODE_Padding, 10, kHex, alu_rounding_mode_padding)                \
  EACH(T, p, ALU_ROUNDING_MODE_GS_LF, 1, kHex, alu_rounding_mode_gs_lf)                     \
  EACH(T, p, ALU_ROUNDING_MODE_Bfp8_HF, 1, kHex, alu_rounding_mode_bfp8_hf)                 \
  EACH(T, p, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, 1, kHex, alu_format_spec_reg0_srcaunsigned) \
  EACH(T, p, ALU_FORMAT_SPEC_REG0_SrcBUnsigned, 1, kHex, alu_format_spec_reg0_srcbunsigned) \
  EACH(T, p, ALU_FORMAT_SPEC_REG0_SrcA, 4, kFormat, alu_format_spec_reg0_srca)              \
  EACH(T, p, ALU_FORMAT_SPEC_REG1_SrcB, 4, kFormat, alu_format_spec_reg1_srcb)              \
  EACH(T, p, ALU_FORMAT_SPEC_REG2_Dstacc, 4, kFormat, alu_format_spec_reg2_dstacc)          \
  EACH(T, p, ALU_ACC_CTRL_Fp32_enabled, 1, kHex, alu_acc_ctrl_fp32_enabled)                 \
  EACH(T, p, ALU_ACC_CTRL_SFPU_Fp32_enabled, 1, kHex, alu_acc_ctrl_sfpu_fp32_enabled)       \
  EACH(T, p, ALU_ACC_CTRL_INT8_math_enabled, 1, kHex, alu_acc_ctrl_int8_math_enabled)

#define TVP_MEMBER(T, p, member, bits, text, function) uint32_t member : bits;

namespace packer {

constexpr uint32_t NUM_PACKERS = 4;

struct pack_config_t {
  TVP_PACK_CONFIG(TVP_MEMBER, , )
};
struct relu_config_t {
  TVP_RELU_CONFIG(TVP_MEMBER, , )
};
struct dest_rd_ctrl_t {
  TVP_DEST_RD_CTRL(TVP_MEMBER, , )
};
struct pck_edge_offset_t {
  TVP_PACK_EDGE_MASK(TVP_MEMBER, , )
  TVP_PACK_EDGE_OTHERS(TVP_MEMBER, , )
};
struct pack_counters_t {
  TVP_PACK_COUNTERS(TVP_MEMBER, , )
};
union pack_config_u {
  uint32_t val[4];
  pack_config_t f;
};
union relu_config_u {
  uint32_t val[1];
  relu_config_t r;
};
union dest_rd_ctrl_u {
  uint32_t val;
  dest_rd_ctrl_t f;
};
union pck_edge_offset_u {
  uint32_t val;
  pck_edge_offset_t f;
};
union pack_counters_u {
  uint32_t val;
  pack_counters_t f;
};
static_assert(sizeof(pack_config_u) == 16 && sizeof(relu_config_u) == 4 &&
              sizeof(dest_rd_ctrl_u) == 4 && sizeof(pck_edge_offset_u) == 4 &&
              sizeof(pack_counters_u) == 4);

inline std::array<pack_config_t, NUM_PACKERS> read_pack_config() {
  using tvp::regs::config::packer_fields;
  return read_registers<pack_config_t, NUM_PACKERS>(
      {packer_fields(0).row_start_section_size.addr32,
       packer_fields(1).row_start_section_size.addr32,
       packer_fields(2).row_start_section_size.addr32,
       packer_fields(3).row_start_section_size.addr32});
}
inline relu_config_t read_relu_config() {
  return read_register<relu_config_t>(tvp::regs::config::alu::kApplyRelu.addr32);
}
inline dest_rd_ctrl_t read_dest_rd_ctrl() {
  return read_register<dest_rd_ctrl_t>(tvp::regs::config::pack::kRead32bData.addr32);
}
inline std::array<pck_edge_offset_t, NUM_PACKERS> read_pack_edge_offset() {
  constexpr uint32_t kFirst = tvp::regs::config::pack::edge_mask(0).addr32;
  return read_registers<pck_edge_offset_t, NUM_PACKERS>(
      {kFirst, kFirst + 1, kFirst + 2, kFirst + 3});
}
inline std::array<pack_counters_t, NUM_PACKERS> read_pack_counters() {
  constexpr uint32_t kFirst = tvp::regs::config::pack::per_xy_plane(0).addr32;
  return read_registers<pack_counters_t, NUM_PACKERS>({kFirst, kFirst + 1, kFirst + 2, kFirst + 3});
}

}  // namespace packer

namespace unpacker {

constexpr uint32_t NUM_UNPACKERS = 2;

struct unpack_tile_descriptor_t {
  TVP_TILE_SHAPE(TVP_MEMBER, , )
  uint32_t blobs_y_start_lo : 16;
  uint32_t blobs_y_start_hi : 16;
  TVP_TILE_DIGEST(TVP_MEMBER, , )
};
struct unpack_config_t {
  TVP_UNPACK_CONFIG(TVP_MEMBER, , )
};
struct alu_config_t {
  TVP_ALU_CONFIG(TVP_MEMBER, , )
};
union unpack_tile_descriptor_u {
  uint32_t val[4];
  unpack_tile_descriptor_t f;
};
union unpack_config_u {
  uint32_t val[4];
  unpack_config_t f;
};
union alu_config_u {
  uint32_t val;
  alu_config_t f;
};
static_assert(sizeof(unpack_tile_descriptor_u) == 16 && sizeof(unpack_config_u) == 16 &&
              sizeof(alu_config_u) == 4);

inline std::array<unpack_tile_descriptor_t, NUM_UNPACKERS> read_unpack_tile_descriptor() {
  using tvp::regs::config::unpacker_fields;
  return read_registers<unpack_tile_descriptor_t, NUM_UNPACKERS>(
      {unpacker_fields(0).tile.in_data_format.addr32,
       unpacker_fields(1).tile.in_data_format.addr32});
}
inline std::array<unpack_config_t, NUM_UNPACKERS> read_unpack_config() {
  using tvp::regs::config::unpacker_fields;
  return read_registers<unpack_config_t, NUM_UNPACKERS>(
      {unpacker_fields(0).out_data_format.addr32, unpacker_fields(1).out_data_format.addr32});
}
inline alu_config_t read_alu_config() {
  return read_register<alu_config_t>(tvp::regs::config::alu::kFpuStochasticRounding.addr32);
}

}  // namespace unpacker

#define TVP_FUNCTION(T, p, member, bits, text, function) \
  inline void p##_##function(const T& config) { print_field<FieldText::text>(config.member); }
#define TVP_LINE(T, p, member, bits, text, function) \
  DPRINT << #member << ": ";                         \
  p##_##function(config);
/// With the name of the function, because that of the member is misspelled.
#define TVP_LINE_OF_FUNCTION(T, p, member, bits, text, function) \
  DPRINT << #function << ": ";                                   \
  p##_##function(config);

// --- packers

TVP_PACK_CONFIG(TVP_FUNCTION, packer::pack_config_t, dprint_tensix_pack_config)
TVP_RELU_CONFIG(TVP_FUNCTION, packer::relu_config_t, dprint_tensix_pack_relu_config)
TVP_DEST_RD_CTRL(TVP_FUNCTION, packer::dest_rd_ctrl_t, dprint_tensix_pack_dest_rd_ctrl)
TVP_PACK_EDGE_MASK(TVP_FUNCTION, packer::pck_edge_offset_t, dprint_tensix_pack_edge_offset)
TVP_PACK_EDGE_OTHERS(TVP_FUNCTION, packer::pck_edge_offset_t, dprint_tensix_pack_edge_offset)
TVP_PACK_COUNTERS(TVP_FUNCTION, packer::pack_counters_t, dprint_tensix_pack_counters)

inline void dprint_tensix_pack_config_helper(const packer::pack_config_t& config) {
  TVP_PACK_CONFIG(TVP_LINE, , dprint_tensix_pack_config)
}
/// MATH prints this register of the packers, as in tt-metal.
inline void dprint_tensix_pack_config([[maybe_unused]] uint32_t reg_id = 0) {
#if COMPILE_FOR_TRISC == 1
  const auto all = packer::read_pack_config();
  print_registers<packer::NUM_PACKERS>(
      reg_id, [&](uint32_t i) { dprint_tensix_pack_config_helper(all[i - 1]); });
#endif
}
inline void dprint_tensix_pack_relu_config() {
#if COMPILE_FOR_TRISC == 1
  const packer::relu_config_t config = packer::read_relu_config();
  TVP_RELU_CONFIG(TVP_LINE, , dprint_tensix_pack_relu_config)
#endif
}
inline void dprint_tensix_dest_rd_ctrl() {
#if COMPILE_FOR_TRISC == 2
  const packer::dest_rd_ctrl_t config = packer::read_dest_rd_ctrl();
  TVP_DEST_RD_CTRL(TVP_LINE, , dprint_tensix_pack_dest_rd_ctrl)
#endif
}
/// Only the first register has more than a mask.
inline void dprint_tensix_pack_edge_offset_helper(const packer::pck_edge_offset_t& config,
                                                  uint32_t reg_id) {
  TVP_PACK_EDGE_MASK(TVP_LINE, , dprint_tensix_pack_edge_offset)
  if (reg_id != 1) return;
  TVP_PACK_EDGE_OTHERS(TVP_LINE, , dprint_tensix_pack_edge_offset)
}
inline void dprint_tensix_pack_edge_offset([[maybe_unused]] uint32_t reg_id = 0) {
#if COMPILE_FOR_TRISC == 2
  const auto all = packer::read_pack_edge_offset();
  print_registers<packer::NUM_PACKERS>(
      reg_id, [&](uint32_t i) { dprint_tensix_pack_edge_offset_helper(all[i - 1], i); });
#endif
}
inline void dprint_tensix_pack_counters_helper(const packer::pack_counters_t& config) {
  TVP_PACK_COUNTERS(TVP_LINE, , dprint_tensix_pack_counters)
}
inline void dprint_tensix_pack_counters([[maybe_unused]] uint32_t reg_id = 0) {
#if COMPILE_FOR_TRISC == 2
  const auto all = packer::read_pack_counters();
  print_registers<packer::NUM_PACKERS>(
      reg_id, [&](uint32_t i) { dprint_tensix_pack_counters_helper(all[i - 1]); });
#endif
}

inline void dprint_tensix_pack_strides_x_stride(uint32_t word) {
  dprint_tensix_struct_field(word, 0xFFFF, 0, "x_stride", true);
}
inline void dprint_tensix_pack_strides_y_stride(uint32_t word) {
  dprint_tensix_struct_field(word, 0xFFFF0000, 16, "y_stride", true);
}
inline void dprint_tensix_pack_strides_z_stride(uint32_t word) {
  dprint_tensix_struct_field(word, 0xFFFF, 0, "z_stride", true);
}
inline void dprint_tensix_pack_strides_w_stride(uint32_t word) {
  dprint_tensix_struct_field(word, 0xFFFF0000, 16, "w_stride", true);
}
/// Register 1 is of reads from Dst, register 2 of writes to L1.
inline void dprint_tensix_pack_strides_helper(uint32_t reg_id, const volatile uint32_t* cfg) {
  namespace pack = tvp::regs::config::pack;
  const uint32_t at =
      reg_id == 1 ? pack::kSource.x_stride.addr32 : pack::kDestination.x_stride.addr32;
  dprint_tensix_pack_strides_x_stride(cfg[at]);
  dprint_tensix_pack_strides_y_stride(cfg[at]);
  dprint_tensix_pack_strides_z_stride(cfg[at + 1]);
  dprint_tensix_pack_strides_w_stride(cfg[at + 1]);
}
inline void dprint_tensix_pack_strides([[maybe_unused]] uint32_t reg_id = 0) {
#if COMPILE_FOR_TRISC == 2
  const volatile uint32_t* const cfg = get_cfg_pointer();
  print_registers<2>(reg_id, [&](uint32_t i) { dprint_tensix_pack_strides_helper(i, cfg); });
#endif
}

// --- unpackers and the matrix unit

TVP_TILE_SHAPE(TVP_FUNCTION, unpacker::unpack_tile_descriptor_t,
               dprint_tensix_unpack_tile_descriptor)
TVP_TILE_DIGEST(TVP_FUNCTION, unpacker::unpack_tile_descriptor_t,
                dprint_tensix_unpack_tile_descriptor)
TVP_UNPACK_CONFIG(TVP_FUNCTION, unpacker::unpack_config_t, dprint_tensix_unpack_config)
TVP_ALU_CONFIG(TVP_FUNCTION, unpacker::alu_config_t, dprint_tensix_alu_config)

inline void dprint_tensix_unpack_tile_descriptor_blobs_y_start(
    const unpacker::unpack_tile_descriptor_t& config) {
  print_field<FieldText::kDec>(config.blobs_y_start_hi << 16 | config.blobs_y_start_lo);
}
inline void dprint_tensix_unpack_tile_descriptor_helper(
    const unpacker::unpack_tile_descriptor_t& config) {
  TVP_TILE_SHAPE(TVP_LINE, , dprint_tensix_unpack_tile_descriptor)
  DPRINT << "blobs_y_start: ";
  dprint_tensix_unpack_tile_descriptor_blobs_y_start(config);
  TVP_TILE_DIGEST(TVP_LINE, , dprint_tensix_unpack_tile_descriptor)
}
inline void dprint_tensix_unpack_tile_descriptor([[maybe_unused]] uint32_t reg_id = 0) {
#if COMPILE_FOR_TRISC == 0
  const auto all = unpacker::read_unpack_tile_descriptor();
  print_registers<unpacker::NUM_UNPACKERS>(
      reg_id, [&](uint32_t i) { dprint_tensix_unpack_tile_descriptor_helper(all[i - 1]); });
#endif
}
inline void dprint_tensix_unpack_config_helper(const unpacker::unpack_config_t& config) {
  TVP_UNPACK_CONFIG(TVP_LINE_OF_FUNCTION, , dprint_tensix_unpack_config)
}
inline void dprint_tensix_unpack_config([[maybe_unused]] uint32_t reg_id = 0) {
#if COMPILE_FOR_TRISC == 0
  const auto all = unpacker::read_unpack_config();
  print_registers<unpacker::NUM_UNPACKERS>(
      reg_id, [&](uint32_t i) { dprint_tensix_unpack_config_helper(all[i - 1]); });
#endif
}
inline void dprint_tensix_alu_config() {
#if COMPILE_FOR_TRISC == 1
  const unpacker::alu_config_t config = unpacker::read_alu_config();
  TVP_ALU_CONFIG(TVP_LINE, , dprint_tensix_alu_config)
#endif
}

#undef TVP_LINE_OF_FUNCTION
#undef TVP_LINE
#undef TVP_FUNCTION
#undef TVP_MEMBER
#undef TVP_ALU_CONFIG
#undef TVP_UNPACK_CONFIG
#undef TVP_TILE_DIGEST
#undef TVP_TILE_SHAPE
#undef TVP_PACK_COUNTERS
#undef TVP_PACK_EDGE_OTHERS
#undef TVP_PACK_EDGE_MASK
#undef TVP_DEST_RD_CTRL
#undef TVP_RELU_CONFIG
#undef TVP_PACK_CONFIG

}  // namespace ckernel

// Words of the configuration at which these registers begin, under tt-metal's names.
#define TVP_ADDR32(name, field) constexpr uint32_t name##_ADDR32 = tvp::regs::config::field.addr32;
TVP_ADDR32(ALU_ROUNDING_MODE_Fpu_srnd_en, alu::kFpuStochasticRounding)
TVP_ADDR32(ALU_ACC_CTRL_Zero_Flag_disabled_src, alu::kZeroFlagDisabledSrc)
TVP_ADDR32(THCON_SEC0_REG0_TileDescriptor, unpacker_fields(0).tile.in_data_format)
TVP_ADDR32(THCON_SEC1_REG0_TileDescriptor, unpacker_fields(1).tile.in_data_format)
TVP_ADDR32(THCON_SEC0_REG2_Out_data_format, unpacker_fields(0).out_data_format)
TVP_ADDR32(THCON_SEC1_REG2_Out_data_format, unpacker_fields(1).out_data_format)
TVP_ADDR32(THCON_SEC0_REG1_Row_start_section_size, packer_fields(0).row_start_section_size)
TVP_ADDR32(THCON_SEC0_REG8_Row_start_section_size, packer_fields(1).row_start_section_size)
TVP_ADDR32(THCON_SEC1_REG1_Row_start_section_size, packer_fields(2).row_start_section_size)
TVP_ADDR32(THCON_SEC1_REG8_Row_start_section_size, packer_fields(3).row_start_section_size)
TVP_ADDR32(PCK_DEST_RD_CTRL_Read_32b_data, pack::kRead32bData)
TVP_ADDR32(PCK_EDGE_OFFSET_SEC0_mask, pack::edge_mask(0))
TVP_ADDR32(PCK_EDGE_OFFSET_SEC1_mask, pack::edge_mask(1))
TVP_ADDR32(PCK_EDGE_OFFSET_SEC2_mask, pack::edge_mask(2))
TVP_ADDR32(PCK_EDGE_OFFSET_SEC3_mask, pack::edge_mask(3))
TVP_ADDR32(PACK_COUNTERS_SEC0_pack_per_xy_plane, pack::per_xy_plane(0))
TVP_ADDR32(PACK_COUNTERS_SEC1_pack_per_xy_plane, pack::per_xy_plane(1))
TVP_ADDR32(PACK_COUNTERS_SEC2_pack_per_xy_plane, pack::per_xy_plane(2))
TVP_ADDR32(PACK_COUNTERS_SEC3_pack_per_xy_plane, pack::per_xy_plane(3))
#undef TVP_ADDR32

#endif
