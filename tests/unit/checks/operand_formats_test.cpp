#include "platform/checks/coprocessor/operand_formats.h"

#include <gtest/gtest.h>

#include "foundation/contract/data_format.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct OperandFormatsTest : testing::Test, CheckTest<OperandFormats> {
  using Kind = ProbeEvent::Kind;
  static std::uint32_t number(DataFormat format) { return 1 + static_cast<std::uint32_t>(format); }
  /// Two pages of 2048 bytes.
  void buffer(std::uint32_t index, std::uint32_t address, std::uint32_t format) {
    feed({.kind = Kind::kBuffer,
          .bytes = 2048,
          .packets = 2,
          .index = index,
          .value = format,
          .address = address});
  }
  void unpacks(std::uint32_t address, DataFormat format, unsigned unpacker = 0) {
    feed({.kind = Kind::kUnpack,
          .agent = unpacker == 0 ? BusMaster::kUnpacker0 : BusMaster::kUnpacker1,
          .pc = 0x5000,
          .bytes = 2048,
          .value = number(format),
          .address = address});
  }
  void packs(std::uint32_t address, DataFormat format) {
    feed({.kind = Kind::kWritten,
          .agent = BusMaster::kPacker2,
          .bytes = 32,
          .value = number(format),
          .address = address,
          .offered = {.instruction = 1, .pc = 0x6000, .thread = 2}});
  }
};

TEST_F(OperandFormatsTest, AFormatOfAnotherWidthIsReportedOnceForEachPlace) {
  buffer(3, 0x10000, number(DataFormat::Float16_b));
  unpacks(0x10000, DataFormat::Float16_b);
  EXPECT_TRUE(warnings.empty());
  unpacks(0x10800, DataFormat::Bfp8_b);
  unpacks(0x10800, DataFormat::Bfp8_b);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).TRISC0: circular buffer 3 is Float16_b, and the unpacker of SrcA is "
            "configured for Bfp8_b, so the numbers are wrong on silicon, too. Call "
            "reconfig_data_format_srca(3) before\n  in line 0x5000 of core 2");
}

TEST_F(OperandFormatsTest, TheCallIsTheOneForTheUnit) {
  buffer(0, 0x10000, number(DataFormat::Float32));
  unpacks(0x10000, DataFormat::Float16, 1);
  packs(0x10400, DataFormat::Float16_b);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("the unpacker of SrcB is configured for Float16,"), warnings[0].npos);
  EXPECT_NE(warnings[0].find("reconfig_data_format_srcb(0)"), warnings[0].npos);
  EXPECT_NE(warnings[1].find("the packers are configured for Float16_b"), warnings[1].npos);
  EXPECT_NE(warnings[1].find("pack_reconfig_data_format(0)"), warnings[1].npos);
  EXPECT_NE(warnings[1].find("in line 0x6000 of core 4"), warnings[1].npos);
}

TEST_F(OperandFormatsTest, FloatsOfEqualWidthDifferAndIntegersDoNot) {
  buffer(0, 0x10000, number(DataFormat::Float16_b));
  buffer(1, 0x20000, number(DataFormat::UInt32));
  unpacks(0x10000, DataFormat::UInt16);
  unpacks(0x20000, DataFormat::Float32);
  unpacks(0x20000, DataFormat::Tf32);
  EXPECT_TRUE(warnings.empty());
  unpacks(0x10000, DataFormat::Float16);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(OperandFormatsTest, OneOfTheBuffersThatShareMemoryMustSuit) {
  buffer(0, 0x10000, number(DataFormat::Float16_b));
  buffer(1, 0x10000, number(DataFormat::Float32));
  unpacks(0x10000, DataFormat::Float32);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(OperandFormatsTest, BuffersWithoutAFormatAndOtherMemoryAreNotCompared) {
  buffer(0, 0x10000, 0);
  unpacks(0x10000, DataFormat::Float32);
  buffer(1, 0x20000, number(DataFormat::Float16_b));
  packs(0x21000, DataFormat::Float32);
  unpacks(0x1FFF0, DataFormat::Float32);
  feed({.kind = Kind::kProgramEnds});
  unpacks(0x20000, DataFormat::Float32);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
