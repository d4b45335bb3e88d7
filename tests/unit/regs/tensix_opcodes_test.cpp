// Instruction words encoded by hand from the bit diagrams of the ISA documentation.

#include "foundation/regs/tensix_opcodes.h"

#include <gtest/gtest.h>

namespace tvp::regs::tensix {
namespace {

TEST(Opcodes, EncodersPlaceFields) {
  EXPECT_EQ(encode_mop(1, 0x7F, 0x1234), 0x01FF1234U);
  EXPECT_EQ(encode_mop_cfg(0xABCD), 0x0300ABCDU);
  EXPECT_EQ(encode_replay(31, 63, 1, 1), 0x0407C3F3U);
  EXPECT_EQ(encode_stallwait(0x1FF, 0x7FFF), 0xA2FFFFFFU);
  EXPECT_EQ(encode_stallwait(0x40, 0x80), 0xA2200080U);
  EXPECT_EQ(encode_semwait(0x002, 0x04, 0x1), 0xA6010011U);
  EXPECT_EQ(encode_seminit(0xF, 0x3, 0x81), 0xA3F30204U);
  EXPECT_EQ(encode_sempost(0x01), 0xA4000004U);
  EXPECT_EQ(encode_semget(0x80), 0xA5000200U);
  EXPECT_EQ(encode_wrcfg(5, 1, 0x7FF), 0xB00587FFU);
  EXPECT_EQ(encode_setc16(57, 0xBEEF), 0xB239BEEFU);
  EXPECT_EQ(encode_rmwcib2(0xF0, 0xA5, 0x11), 0xB5F0A511U);
  EXPECT_EQ(encode_setdmareg(0x1234, 9), 0x45123409U);
  EXPECT_EQ(encode_setdmareg_special(2, 0xF, 8, 3, 0x10), 0x4587C390U);
  EXPECT_EQ(encode_reg2flop(1, 3, 7), 0x484000C7U);
  EXPECT_EQ(encode_reg2flop_adc(3, 1, 2, 2, 1, 2, 1, 1, 63), 0x48FA0D7FU);
  EXPECT_EQ(encode_loadind(1, 2, 3, 4, 5), 0x4940B105U);
  EXPECT_EQ(encode_storeind_l1(3, 2, 1, 4, 5), 0x66E09105U);
  EXPECT_EQ(encode_storeind_mmio(2, 1, 4, 5), 0x66409105U);
  EXPECT_EQ(encode_storeind_src(1, 2, 1, 4, 5), 0x66209105U);
  EXPECT_EQ(encode_storereg(1, 0x3FFFF), 0x6707FFFFU);
  EXPECT_EQ(encode_atincgetptr(1, 0xF, 2, 1, 3, 4), 0x627C90C4U);
  EXPECT_EQ(encode_adddmareg(1, 3, 2, 1), 0x58803081U);
  EXPECT_EQ(encode_pacr(3, 1, 0xF, 1, 1, 1, 1), 0x41019F93U);
  EXPECT_EQ(encode_unpacr(1, 3, 2, 1, 3, 1, 5, 2, 1, 1, 1, 1, 1, 1), 0x42F3B6DEU);
  EXPECT_EQ(encode_pacr_setreg(1, 0x3FF, 0x3F), 0x4AFFFFFEU);
  EXPECT_EQ(encode_setadcxx(1, 0, 0, 0x3FF, 0x155), 0x5E8FFD55U);
  EXPECT_EQ(encode_mvmul(1, 1, 1, 3, 0x3FF), 0x26C983FFU);
  EXPECT_EQ(encode_setrwc(1, 0, 1, 0, 1, 0, 15, 1, 8, 1, 0, 1, 0), 0x37ABC60AU);
  EXPECT_EQ(encode_zeroacc(1, 3, 1, 2, 5), 0x103D0005U);
  EXPECT_EQ(encode_movb2a(0x3F, 1, 1, 0x2A), 0x0B7EA02AU);
  EXPECT_EQ(encode_sfpmad(1, 2, 3, 4, 5), 0x84012345U);
  EXPECT_EQ(encode_sfpload(1, 2, 3, 0x155), 0x7012C155U);
  EXPECT_EQ(encode_sfploadmacro(2, 1, 3, 1, 0x1FF, 1), 0x939343FFU);
  EXPECT_EQ(encode_sfpstochrnd(1, 0x1F, 0, 3, 4, 1, 5), 0x8E3F034DU);
}

TEST(Opcodes, FieldsAreReadBackAndCut) {
  const Word word = encode_sfpiadd(0xFFF, 3, 4, 5);
  EXPECT_EQ(Sfpiadd::kImm12.of(word), 0xFFFU);
  EXPECT_EQ(Sfpiadd::kImm12.signed_of(word), -1);
  EXPECT_EQ(Sfpiadd::kVc.of(word), 3U);
  EXPECT_EQ(encode_sempost(0xFFF), encode_sempost(0xFF)) << "a value that is too wide is cut";
}

TEST(Opcodes, EveryOpcodeHasItsName) {
  EXPECT_STREQ(opcode_name(Opcode::kSfpmad), "SFPMAD");
  EXPECT_STREQ(opcode_name(Opcode::kUnpacrNop), "UNPACR_NOP");
  EXPECT_EQ(opcode_name(static_cast<Opcode>(0xFF)), nullptr);
  unsigned named = 0;
  for (unsigned i = 0; i < 256; ++i) named += opcode_name(static_cast<Opcode>(i)) != nullptr;
  EXPECT_EQ(named, 128U + 4U) << "as many as tt-llk assembles for Wormhole, and four of Blackhole";
}

}  // namespace
}  // namespace tvp::regs::tensix
