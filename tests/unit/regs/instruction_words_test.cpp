// The macros of firmware/api/ckernel_ops.h take the arguments of the ISA pages. Their words must
// equal those of the encoders in foundation/regs, which take single fields, for every instruction.

#include <gtest/gtest.h>

#include "firmware/api/ckernel_instr_params.h"
#include "firmware/api/ckernel_ops.h"
#include "foundation/regs/tensix_opcodes.h"

namespace {

namespace op = tvp::regs::tensix;

#define TVP_SAME(word, encoded) EXPECT_EQ(word, encoded) << #word

TEST(InstructionWords, AreThoseOfTheEncoders) {
  TVP_SAME(TT_OP_MOP(0, 76, 35667), op::encode_mop(0, 76, 35667));
  TVP_SAME(TT_OP_MOP_CFG(8548), op::encode_mop_cfg(8548));
  TVP_SAME(TT_OP_REPLAY(12, 59, 1, 0), op::encode_replay(12, 59, 1, 0));
  TVP_SAME(TT_OP_MOVD2A(0, 59, 2, 1 << 1, 565), op::encode_movd2a(0, 59, 2, 1, 565));
  TVP_SAME(TT_OP_MOVDBGA2D(0, 13, 3, 1 << 1, 554), op::encode_movdbga2d(0, 13, 3, 1, 554));
  TVP_SAME(TT_OP_MOVD2B(1, 26, 3, 0 << 1, 238), op::encode_movd2b(1, 26, 3, 0, 238));
  TVP_SAME(TT_OP_MOVB2A(41, 1, 1 << 1, 48), op::encode_movb2a(41, 1, 1, 48));
  TVP_SAME(TT_OP_ZEROACC(0 << 2 | 3, 0 << 3 | 1, 777), op::encode_zeroacc(0, 3, 0, 1, 777));
  TVP_SAME(TT_OP_ZEROSRC(0, 1, 0, 1 << 1 | 1), op::encode_zerosrc(0, 1, 0, 1, 1));
  TVP_SAME(TT_OP_MOVA2D(1, 46, 2, 1 << 1, 746), op::encode_mova2d(1, 46, 2, 1, 746));
  TVP_SAME(TT_OP_MOVB2D(1, 62, 1, 1 << 2 | 0 << 1 | 0, 140),
           op::encode_movb2d(1, 62, 1, 1, 0, 0, 140));
  TVP_SAME(TT_OP_SHIFTXA(0, 2), op::encode_shiftxa(2));
  TVP_SAME(TT_OP_SHIFTXB(1, 1, 62), op::encode_shiftxb(1, 1, 62));
  TVP_SAME(TT_OP_MVMUL(1 << 1 | 1, 1, 3, 854), op::encode_mvmul(1, 1, 1, 3, 854));
  TVP_SAME(TT_OP_ELWMUL(1 << 1 | 1, 0, 1 << 1 | 0, 2, 699), op::encode_elwmul(1, 1, 1, 0, 2, 699));
  TVP_SAME(TT_OP_ELWADD(0 << 1 | 1, 0, 1 << 1 | 0, 3, 672),
           op::encode_elwadd(0, 1, 0, 1, 0, 3, 672));
  TVP_SAME(TT_OP_DOTPV(0 << 1 | 1, 0, 0, 2, 128), op::encode_dotpv(0, 1, 2, 128));
  TVP_SAME(TT_OP_ELWSUB(0 << 1 | 1, 1, 0 << 1 | 1, 1, 421),
           op::encode_elwsub(0, 1, 1, 0, 1, 1, 421));
  TVP_SAME(TT_OP_GMPOOL(0 << 1 | 0, 0, 2, 1, 788), op::encode_gmpool(0, 0, 2, 1, 788));
  TVP_SAME(TT_OP_GAPOOL(1 << 1 | 0, 0, 1, 0, 620), op::encode_gapool(1, 0, 1, 620));
  TVP_SAME(TT_OP_GATESRCRST(1, 0), op::encode_gatesrcrst(1));
  TVP_SAME(TT_OP_CLEARDVALID(1 << 1 | 1, 1 << 1 | 0), op::encode_cleardvalid(1, 1, 1, 0));
  TVP_SAME(
      TT_OP_SETRWC(0 << 1 | 1, 0 << 3 | 0 << 2 | 0 << 1 | 0, 4, 7, 5, 1 << 3 | 0 << 2 | 0 << 1 | 1),
      op::encode_setrwc(0, 1, 0, 0, 0, 0, 4, 7, 5, 1, 0, 0, 1));
  TVP_SAME(TT_OP_INCRWC(1 << 2 | 1 << 1 | 0, 15, 14, 7), op::encode_incrwc(1, 1, 0, 15, 14, 7));
  TVP_SAME(TT_OP_XMOV(0, 0), op::encode_xmov());
  TVP_SAME(TT_OP_PACR(2, 1, 14, 1, 0, 1, 1), op::encode_pacr(2, 1, 14, 1, 0, 1, 1));
  TVP_SAME(TT_OP_UNPACR(0, 2 << 6 | 2 << 4 | 2 << 2 | 3, 1, 5, 2, 0, 1, 0, 1, 0, 1, 0, 0),
           op::encode_unpacr(0, 2, 2, 2, 3, 1, 5, 2, 0, 1, 1, 0, 1, 0));
  TVP_SAME(TT_OP_UNPACR_NOP(1, 2), op::encode_unpacr_nop(1));
  TVP_SAME(TT_OP_SETDMAREG(0, 41520, 0, 81), op::encode_setdmareg(41520, 81));
  TVP_SAME(TT_OP_FLUSHDMA(6), op::encode_flushdma(6));
  TVP_SAME(TT_OP_REG2FLOP(2, 0, 0, 0, 46, 44), op::encode_reg2flop(2, 46, 44));
  TVP_SAME(TT_OP_LOADIND(2, 78, 3, 18, 48), op::encode_loadind(2, 78, 3, 18, 48));
  TVP_SAME(TT_OP_PACR_SETREG(1, 1, 23, 15, 38, 1, 0), op::encode_pacr_setreg(1, 23, 38));
  TVP_SAME(TT_OP_SETADC(0 << 2 | 0 << 1 | 1, 1, 3, 119620),
           op::encode_setadc(0, 0, 1, 1, 3, 119620));
  TVP_SAME(TT_OP_SETADCXY(1 << 2 | 1 << 1 | 0, 2 << 3 | 2, 3, 7, 3, 1 << 3 | 1 << 2 | 1 << 1 | 0),
           op::encode_setadcxy(1, 1, 0, 2, 2, 3, 7, 3, 1, 1, 1, 0));
  TVP_SAME(TT_OP_INCADCXY(0 << 2 | 0 << 1 | 1, 3 << 3 | 2, 6, 7, 3),
           op::encode_incadcxy(0, 0, 1, 3, 2, 6, 7, 3));
  TVP_SAME(TT_OP_ADDRCRXY(0 << 2 | 1 << 1 | 0, 3 << 3 | 4, 6, 6, 1, 0 << 3 | 1 << 2 | 1 << 1 | 0),
           op::encode_addrcrxy(0, 1, 0, 3, 4, 6, 6, 1, 0, 1, 1, 0));
  TVP_SAME(TT_OP_SETADCZW(1 << 2 | 0 << 1 | 0, 2 << 3 | 6, 6, 2, 5, 1 << 3 | 1 << 2 | 0 << 1 | 0),
           op::encode_setadczw(1, 0, 0, 2, 6, 6, 2, 5, 1, 1, 0, 0));
  TVP_SAME(TT_OP_INCADCZW(0 << 2 | 0 << 1 | 1, 3 << 3 | 2, 7, 3, 3),
           op::encode_incadczw(0, 0, 1, 3, 2, 7, 3, 3));
  TVP_SAME(TT_OP_ADDRCRZW(0 << 2 | 1 << 1 | 0, 2 << 3 | 3, 5, 7, 7, 1 << 3 | 1 << 2 | 1 << 1 | 1),
           op::encode_addrcrzw(0, 1, 0, 2, 3, 5, 7, 7, 1, 1, 1, 1));
  TVP_SAME(TT_OP_SETDVALID(1 << 1 | 1), op::encode_setdvalid(1, 1));
  TVP_SAME(TT_OP_ADDDMAREG(1, 3, 59, 27), op::encode_adddmareg(1, 3, 59, 27));
  TVP_SAME(TT_OP_SUBDMAREG(0, 13, 1, 31), op::encode_subdmareg(0, 13, 1, 31));
  TVP_SAME(TT_OP_MULDMAREG(1, 36, 61, 60), op::encode_muldmareg(1, 36, 61, 60));
  TVP_SAME(TT_OP_BITWOPDMAREG(0, 1, 48, 30, 54), op::encode_bitwopdmareg(0, 1, 48, 30, 54));
  TVP_SAME(TT_OP_SHIFTDMAREG(1, 5, 22, 57, 15), op::encode_shiftdmareg(1, 5, 22, 57, 15));
  TVP_SAME(TT_OP_CMPDMAREG(0, 7, 38, 63, 19), op::encode_cmpdmareg(0, 7, 38, 63, 19));
  TVP_SAME(TT_OP_SETADCXX(0 << 2 | 0 << 1 | 0, 36, 926), op::encode_setadcxx(0, 0, 0, 36, 926));
  TVP_SAME(TT_OP_ATINCGET(0, 26, 3, 33, 60), op::encode_atincget(26, 3, 33, 60));
  TVP_SAME(TT_OP_ATINCGETPTR(0, 0, 15, 15, 2, 37, 4), op::encode_atincgetptr(0, 15, 15, 2, 37, 4));
  TVP_SAME(TT_OP_ATSWAP(0, 0 << 8 | 124, 48, 8), op::encode_atswap(0, 124, 48, 8));
  TVP_SAME(TT_OP_ATCAS(0, 3, 9, 2, 0, 16), op::encode_atcas(3, 9, 2, 16));
  TVP_SAME(TT_OP_STOREIND(0, 0, 0, 68, 3, 27, 4), op::encode_storeind_src(0, 68, 3, 27, 4));
  TVP_SAME(TT_OP_STOREREG(61, 239360), op::encode_storereg(61, 239360));
  TVP_SAME(TT_OP_LOADREG(40, 29777), op::encode_loadreg(40, 29777));
  TVP_SAME(TT_OP_SFPLOAD(6, 3, 2, 996), op::encode_sfpload(6, 3, 2, 996));
  TVP_SAME(TT_OP_SFPLOADI(14, 9, 31274), op::encode_sfploadi(14, 9, 31274));
  TVP_SAME(TT_OP_SFPSTORE(13, 13, 1, 361), op::encode_sfpstore(13, 13, 1, 361));
  TVP_SAME(TT_OP_SFPLUT(4, 4, 0), op::encode_sfplut(4, 4));
  TVP_SAME(TT_OP_SFPMULI(8010, 9, 15), op::encode_sfpmuli(8010, 9, 15));
  TVP_SAME(TT_OP_SFPADDI(53531, 2, 3), op::encode_sfpaddi(53531, 2, 3));
  TVP_SAME(TT_OP_SFPDIVP2(62, 13, 5, 15), op::encode_sfpdivp2(62, 13, 5, 15));
  TVP_SAME(TT_OP_SFPEXEXP(0, 15, 13, 3), op::encode_sfpexexp(15, 13, 3));
  TVP_SAME(TT_OP_SFPEXMAN(0, 14, 15, 1), op::encode_sfpexman(14, 15, 1));
  TVP_SAME(TT_OP_SFPIADD(1997, 11, 10, 14), op::encode_sfpiadd(1997, 11, 10, 14));
  TVP_SAME(TT_OP_SFPSHFT(1640, 1, 13, 5), op::encode_sfpshft(1640, 1, 13, 5));
  TVP_SAME(TT_OP_SFPSETCC(0, 5, 10, 9), op::encode_sfpsetcc(0, 5, 10, 9));
  TVP_SAME(TT_OP_SFPMOV(0, 9, 7, 1), op::encode_sfpmov(9, 7, 1));
  TVP_SAME(TT_OP_SFPABS(0, 8, 6, 13), op::encode_sfpabs(8, 6, 13));
  TVP_SAME(TT_OP_SFPAND(0, 14, 1, 0), op::encode_sfpand(14, 1));
  TVP_SAME(TT_OP_SFPOR(0, 14, 1, 0), op::encode_sfpor(14, 1));
  TVP_SAME(TT_OP_SFPNOT(0, 13, 3, 0), op::encode_sfpnot(13, 3));
  TVP_SAME(TT_OP_SFPLZ(0, 1, 2, 1), op::encode_sfplz(1, 2, 1));
  TVP_SAME(TT_OP_SFPSETEXP(18, 8, 1, 14), op::encode_sfpsetexp(18, 8, 1, 14));
  TVP_SAME(TT_OP_SFPSETMAN(2920, 2, 9, 9), op::encode_sfpsetman(2920, 2, 9, 9));
  TVP_SAME(TT_OP_SFPMAD(8, 6, 3, 6, 2), op::encode_sfpmad(8, 6, 3, 6, 2));
  TVP_SAME(TT_OP_SFPADD(6, 7, 11, 7, 10), op::encode_sfpadd(6, 7, 11, 7, 10));
  TVP_SAME(TT_OP_SFPMUL(5, 6, 5, 4, 6), op::encode_sfpmul(5, 6, 5, 4, 6));
  TVP_SAME(TT_OP_SFPPUSHC(0, 0, 7, 0), op::encode_sfppushc(7));
  TVP_SAME(TT_OP_SFPPOPC(0, 0, 2, 3), op::encode_sfppopc(2, 3));
  TVP_SAME(TT_OP_SFPSETSGN(0, 12, 12, 7), op::encode_sfpsetsgn(0, 12, 12, 7));
  TVP_SAME(TT_OP_SFPENCC(1, 0, 10, 3), op::encode_sfpencc(1, 10, 3));
  TVP_SAME(TT_OP_SFPCOMPC(0, 0, 1, 0), op::encode_sfpcompc(1));
  TVP_SAME(TT_OP_SFPTRANSP(0, 0, 6, 0), op::encode_sfptransp(6));
  TVP_SAME(TT_OP_SFPXOR(0, 8, 10, 0), op::encode_sfpxor(8, 10));
  TVP_SAME(TT_OP_SFP_STOCH_RND(1, 21, 13, 1, 10, 1 << 3 | 1),
           op::encode_sfpstochrnd(1, 21, 13, 1, 10, 1, 1));
  TVP_SAME(TT_OP_SFPCAST(6, 11, 8), op::encode_sfpcast(6, 11, 8));
  TVP_SAME(TT_OP_SFPCONFIG(49811, 12, 6), op::encode_sfpconfig(49811, 12, 6));
  TVP_SAME(TT_OP_SFPSWAP(0, 7, 12, 7), op::encode_sfpswap(7, 12, 7));
  TVP_SAME(TT_OP_SFPLOADMACRO(2 << 2 | 1, 4, 1, 275 << 1 | 1),
           op::encode_sfploadmacro(2, 1, 4, 1, 275, 1));
  TVP_SAME(TT_OP_SFPSHFT2(2848, 10, 2, 13), op::encode_sfpshft2(2848, 10, 2, 13));
  TVP_SAME(TT_OP_SFPLUTFP32(7, 4), op::encode_sfplutfp32(7, 4));
  TVP_SAME(TT_OP_ATGETM(27909), op::encode_atgetm(27909));
  TVP_SAME(TT_OP_ATRELM(8544), op::encode_atrelm(8544));
  TVP_SAME(TT_OP_STALLWAIT(451, 921), op::encode_stallwait(451, 921));
  TVP_SAME(TT_OP_SEMINIT(15, 6, 96), op::encode_seminit(15, 6, 96));
  TVP_SAME(TT_OP_SEMPOST(249), op::encode_sempost(249));
  TVP_SAME(TT_OP_SEMGET(230), op::encode_semget(230));
  TVP_SAME(TT_OP_SEMWAIT(287, 203, 2), op::encode_semwait(287, 203, 2));
  TVP_SAME(TT_OP_WRCFG(8, 1, 1415), op::encode_wrcfg(8, 1, 1415));
  TVP_SAME(TT_OP_RDCFG(8, 1924), op::encode_rdcfg(8, 1924));
  TVP_SAME(TT_OP_SETC16(209, 47942), op::encode_setc16(209, 47942));
  TVP_SAME(TT_OP_RMWCIB0(170, 218, 228), op::encode_rmwcib0(170, 218, 228));
  TVP_SAME(TT_OP_RMWCIB1(136, 203, 97), op::encode_rmwcib1(136, 203, 97));
  TVP_SAME(TT_OP_RMWCIB2(171, 28, 188), op::encode_rmwcib2(171, 28, 188));
  TVP_SAME(TT_OP_RMWCIB3(82, 145, 137), op::encode_rmwcib3(82, 145, 137));
  TVP_SAME(TT_OP_NOP, op::encode_nop());
  TVP_SAME(TT_OP_TRNSPSRCB, op::encode_trnspsrcb());
  TVP_SAME(TT_OP_CLREXPHIST, op::encode_clrexphist());
  TVP_SAME(TT_OP_DMANOP, op::encode_dmanop());
  TVP_SAME(TT_OP_SFPNOP, op::encode_sfpnop());
}

TEST(InstructionWords, TakeTheNamesOfTheirArguments) {
  using namespace ckernel;
  TVP_SAME(TT_OP_SFPSWAP(0, p_sfpu::LREG3, p_sfpu::LREG0, p_sfpswap::ALL_ROWS_MAX),
           op::encode_sfpswap(3, 0, 1));
  TVP_SAME(TT_OP_MOVB2D(0, p_movb2d::SRC_ROW16_OFFSET + 4, ADDR_MOD_1, p_movb2d::MOV_4_ROWS, 8),
           op::encode_movb2d(0, 20, 1, 1, 0, 0, 8));
  TVP_SAME(TT_OP_STALLWAIT(p_stall::STALL_MATH | p_stall::STALL_SFPU, p_stall::SRCB_VLD),
           op::encode_stallwait(1u << 6 | 1u << 8, 1u << 11));
  TVP_SAME(TT_OP_SETRWC(p_setrwc::CLR_AB, p_setrwc::CR_D, 0, 0, 0, p_setrwc::SET_ABD_F),
           op::encode_setrwc(1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1));
  TVP_SAME(TT_OP_ELWADD(p_setrwc::CLR_B, p_elwise::DEST_ACCUM_EN, p_elwise::SRCB_BCAST_COL,
                        ADDR_MOD_3, 16),
           op::encode_elwadd(1, 0, 1, 0, 1, 3, 16));
  TVP_SAME(TT_OP_ZEROACC(p_zeroacc::CLR_HALF_32B, ADDR_MOD_0, 1),
           op::encode_zeroacc(1, 2, 0, 0, 1));
  TVP_SAME(TT_OP_UNPACR_NOP(p_unpacr_nop::UNP1, p_unpacr_nop::SET_DVALID),
           op::encode_unpacr_nop_setdvalid(1));
  // A negative number fits its field if the field is the highest one; kernels truncate other
  // fields.
  TVP_SAME(TT_OP_SFPIADD(-3, p_sfpu::LREG1, p_sfpu::LREG2, 1), op::encode_sfpiadd(0xFFD, 1, 2, 1));
}

}  // namespace
