#pragma once

// Arguments of instructions (ckernel_ops.h) under tt-metal's names; values are those of the ISA
// pages.

#include <stdint.h>

#include "foundation/regs/tensix_stall.h"

namespace ckernel {

// Registers of the vector unit (LReg.md); 9 and 10 are 0 and 1, 15 twice the number of the lane.
struct p_sfpu {
  static constexpr uint32_t LREG0 = 0;
  static constexpr uint32_t LREG1 = 1;
  static constexpr uint32_t LREG2 = 2;
  static constexpr uint32_t LREG3 = 3;
  static constexpr uint32_t LREG4 = 4;
  static constexpr uint32_t LREG5 = 5;
  static constexpr uint32_t LREG6 = 6;
  static constexpr uint32_t LREG7 = 7;
  static constexpr uint32_t LREG8 = 8;
  static constexpr uint32_t LREG9 = 9;
  static constexpr uint32_t LREG10 = 10;
  static constexpr uint32_t LREG11 = 11;
  static constexpr uint32_t LREG12 = 12;
  static constexpr uint32_t LREG13 = 13;
  static constexpr uint32_t LREG14 = 14;
  static constexpr uint32_t LREG15 = 15;
  static constexpr uint32_t LCONST_0 = 9;
  static constexpr uint32_t LCONST_1 = 10;
  static constexpr uint32_t LCONST_neg1 = 11;
  static constexpr uint32_t LTILEID = 15;
  static constexpr uint32_t kCONST_1_FP16B = 0x3F80;
};
// SFPSWAP.md
struct p_sfpswap {
  static constexpr uint32_t UNCONDITIONALLY = 0;
  static constexpr uint32_t ALL_ROWS_MAX = 1;
  static constexpr uint32_t ROWS_01_MAX = 2;
  static constexpr uint32_t ROWS_02_MAX = 3;
  static constexpr uint32_t ROWS_03_MAX = 4;
  static constexpr uint32_t ROW_0_MAX = 5;
  static constexpr uint32_t ROW_1_MAX = 6;
  static constexpr uint32_t ROW_2_MAX = 7;
  static constexpr uint32_t ROW_3_MAX = 8;
};
// SETRWC.md
struct p_setrwc {
  static constexpr uint32_t CLR_NONE = 0;
  static constexpr uint32_t CLR_A = 1;
  static constexpr uint32_t CLR_B = 2;
  static constexpr uint32_t CLR_AB = 3;
  static constexpr uint32_t SET_A = 1;
  static constexpr uint32_t SET_B = 2;
  static constexpr uint32_t SET_AB = 3;
  static constexpr uint32_t SET_D = 4;
  static constexpr uint32_t SET_AD = 5;
  static constexpr uint32_t SET_BD = 6;
  static constexpr uint32_t SET_ABD = 7;
  static constexpr uint32_t SET_F = 8;
  static constexpr uint32_t SET_A_F = 9;
  static constexpr uint32_t SET_B_F = 10;
  static constexpr uint32_t SET_AB_F = 11;
  static constexpr uint32_t SET_D_F = 12;
  static constexpr uint32_t SET_AD_F = 13;
  static constexpr uint32_t SET_BD_F = 14;
  static constexpr uint32_t SET_ABD_F = 15;
  static constexpr uint32_t CR_A = 1;
  static constexpr uint32_t CR_B = 2;
  static constexpr uint32_t CR_AB = 3;
  static constexpr uint32_t CR_D = 4;
  static constexpr uint32_t CR_AD = 5;
  static constexpr uint32_t CR_BD = 6;
  static constexpr uint32_t CR_ABD = 7;
  static constexpr uint32_t C_TO_CR_MODE = 8;
};
// SETADC.md and its kin
struct p_setadc {
  static constexpr uint32_t UNP0 = 1;
  static constexpr uint32_t UNP1 = 2;
  static constexpr uint32_t UNP_A = 1;
  static constexpr uint32_t UNP_B = 2;
  static constexpr uint32_t UNP_AB = 3;
  static constexpr uint32_t PAC = 4;
  static constexpr uint32_t SET_X = 0;
  static constexpr uint32_t SET_Y = 1;
  static constexpr uint32_t SET_Z = 2;
  static constexpr uint32_t SET_W = 3;
  static constexpr uint32_t CH_0 = 0;
  static constexpr uint32_t CH_1 = 1;
};
// The units that STALLWAIT blocks, its wait conditions, and the conditions of SEMWAIT
// (STALLWAIT.md, SEMWAIT.md).
struct p_stall {
  static constexpr uint32_t STALL_TDMA = 0x1;
  static constexpr uint32_t STALL_SYNC = 0x2;
  static constexpr uint32_t STALL_PACK = 0x4;
  static constexpr uint32_t STALL_UNPACK = 0x8;
  static constexpr uint32_t STALL_XMOV = 0x10;
  static constexpr uint32_t STALL_THCON = 0x20;
  static constexpr uint32_t STALL_MATH = 0x40;
  static constexpr uint32_t STALL_CFG = 0x80;
  static constexpr uint32_t STALL_SFPU = 0x100;
  static constexpr uint32_t STALL_THREAD = 0x1FF;
  static constexpr uint32_t NONE = 0;
  static constexpr uint32_t THCON = tvp::regs::tensix::kStallScalar;
  static constexpr uint32_t UNPACK0 = tvp::regs::tensix::kStallUnpacker0;
  static constexpr uint32_t UNPACK1 = tvp::regs::tensix::kStallUnpacker1;
  static constexpr uint32_t PACK0 = 0x8;
#if !defined(ARCH_BLACKHOLE)
  static constexpr uint32_t PACK1 = 0x10;
  static constexpr uint32_t PACK2 = 0x20;
  static constexpr uint32_t PACK3 = 0x40;
#endif
  static constexpr uint32_t MATH = tvp::regs::tensix::kStallMatrix;
  static constexpr uint32_t SRCA_CLR = tvp::regs::tensix::kStallSrcAFree;
  static constexpr uint32_t SRCB_CLR = tvp::regs::tensix::kStallSrcBFree;
  static constexpr uint32_t SRCA_VLD = tvp::regs::tensix::kStallSrcAHandedOver;
  static constexpr uint32_t SRCB_VLD = tvp::regs::tensix::kStallSrcBHandedOver;
  static constexpr uint32_t XMOV = tvp::regs::tensix::kStallMover;
  static constexpr uint32_t TRISC_CFG = tvp::regs::tensix::kStallCore;
  static constexpr uint32_t SFPU1 = tvp::regs::tensix::kStallVector;
  static constexpr uint32_t UNPACK = UNPACK0 | UNPACK1;
  static constexpr uint32_t PACK = tvp::regs::tensix::kStallAllPackers;
  static constexpr uint32_t WAIT_SFPU = SFPU1;
  static constexpr uint32_t STALL_ON_ZERO = 1;
  static constexpr uint32_t STALL_ON_MAX = 2;
  static constexpr uint32_t SEMAPHORE_0 = 0x1;
  static constexpr uint32_t SEMAPHORE_1 = 0x2;
  static constexpr uint32_t SEMAPHORE_2 = 0x4;
  static constexpr uint32_t SEMAPHORE_3 = 0x8;
  static constexpr uint32_t SEMAPHORE_4 = 0x10;
  static constexpr uint32_t SEMAPHORE_5 = 0x20;
  static constexpr uint32_t SEMAPHORE_6 = 0x40;
  static constexpr uint32_t SEMAPHORE_7 = 0x80;
};
// MOVD2A.md
struct p_movd2a {
  static constexpr uint32_t MOV_1_ROW = 0;
  static constexpr uint32_t MOV_4_ROWS = 2;
};
// MOVD2B.md
struct p_movd2b {
  static constexpr uint32_t SRC_ZERO_OFFSET = 0;
  static constexpr uint32_t SRC_ROW16_OFFSET = 16;
  static constexpr uint32_t MOV_1_ROW = 0;
  static constexpr uint32_t MOV_4_ROWS = 2;
};
// MOVB2D.md
struct p_movb2d {
  static constexpr uint32_t SRC_ZERO_OFFSET = 0;
  static constexpr uint32_t SRC_ROW16_OFFSET = 16;
  static constexpr uint32_t MOV_1_ROW = 0;
  static constexpr uint32_t MOV_1_ROW_D0_BRCST = 1;
  static constexpr uint32_t MOV_8_ROW_BRCST = 2;
  static constexpr uint32_t MOV_8_ROW_BRCST_D0_BRCST = 3;
  static constexpr uint32_t MOV_4_ROWS = 4;
  static constexpr uint32_t MOV_4_ROWS_D0_BRCST = 5;
};
// MOVA2D.md
struct p_mova2d {
  static constexpr uint32_t MATH_HALO_ROWS = 0;
  static constexpr uint32_t MOV_1_ROW = 0;
  static constexpr uint32_t MOV_8_ROWS = 2;
};
// MOVB2A.md
struct p_movb2a {
  static constexpr uint32_t SRCA_ZERO_OFFSET = 0;
  static constexpr uint32_t SRCB_ZERO_OFFSET = 0;
  static constexpr uint32_t SRCB_ROW16_OFFSET = 16;
  static constexpr uint32_t MOV_1_ROW = 0;
  static constexpr uint32_t MOV_4_ROWS = 2;
};
// ELWADD.md and its kin
struct p_elwise {
  static constexpr uint32_t DEST_ACCUM_DIS = 0;
  static constexpr uint32_t DEST_ACCUM_EN = 1;
  static constexpr uint32_t SRCB_NO_BCAST = 0;
  static constexpr uint32_t SRCB_BCAST_COL = 1;
  static constexpr uint32_t SRCB_BCAST_ROW = 2;
  static constexpr uint32_t SRCB_BCAST_ALL = 3;
  static constexpr uint32_t CLR_A = 1;
  static constexpr uint32_t CLR_B = 2;
  static constexpr uint32_t CLR_AB = 3;
};
// ZEROACC.md
struct p_zeroacc {
  static constexpr uint32_t CLR_SPECIFIC = 0;
  static constexpr uint32_t CLR_16 = 1;
  static constexpr uint32_t CLR_HALF = 2;
  static constexpr uint32_t CLR_ALL = 3;
  static constexpr uint32_t CLR_HALF_32B = 6;
  static constexpr uint32_t CLR_ALL_32B = 7;
};
// UNPACR_Regular.md
struct p_unpacr {
  static constexpr uint32_t RAREFYB_DISABLE = 0;
  static constexpr uint32_t RAREFYB_ENABLE = 1;
  static constexpr uint32_t TILE0_ADDRCNT_CONTEXT = 0;
  static constexpr uint32_t TILE0_CFG_CONTEXT = 0;
  static constexpr uint32_t AUTO_INC_CONTEXT = 1;
};
// UNPACR_NOP
struct p_unpacr_nop {
  static constexpr uint32_t UNP0 = 0;
  static constexpr uint32_t UNP1 = 1;
  static constexpr uint32_t UNP_ZEROSRC = 1;
  static constexpr uint32_t UNP_NOP = 2;
  static constexpr uint32_t UNP_NEGINFSRC = 5;
  static constexpr uint32_t SET_DVALID = 7;
  static constexpr uint32_t UNP_SET_DVALID = 7;
};
// LOADIND.md, STOREIND_L1.md
struct p_ind {
  static constexpr uint32_t HIER_REGFILE = 0;
  static constexpr uint32_t HIER_L1 = 1;
  static constexpr uint32_t INC_NONE = 0;
  static constexpr uint32_t INC_2B = 1;
  static constexpr uint32_t INC_4B = 2;
  static constexpr uint32_t INC_16B = 3;
  static constexpr uint32_t LD_16B = 0;
  static constexpr uint32_t LD_32bit = 1;
  static constexpr uint32_t LD_16bit = 2;
  static constexpr uint32_t LD_8bit = 3;
};
// Halves of registers of the scalar unit, and of what SETDMAREG writes to them (SETDMAREG.md).
constexpr uint32_t LO_16(uint32_t reg) { return 2 * reg; }
constexpr uint32_t HI_16(uint32_t reg) { return 2 * reg + 1; }
constexpr uint32_t LOWER_HALFWORD(uint32_t value) { return value & 0xFFFF; }
constexpr uint32_t UPPER_HALFWORD(uint32_t value) { return value >> 16; }
// WRCFG.md
struct p_cfg {
  static constexpr uint32_t WRCFG_32b = 0;
  static constexpr uint32_t WRCFG_128b = 1;
};

enum : uint32_t {
  ADDR_MOD_0 = 0,
  ADDR_MOD_1 = 1,
  ADDR_MOD_2 = 2,
  ADDR_MOD_3 = 3,
  ADDR_MOD_4 = 4,
  ADDR_MOD_5 = 5,
  ADDR_MOD_6 = 6,
  ADDR_MOD_7 = 7
};

}  // namespace ckernel
