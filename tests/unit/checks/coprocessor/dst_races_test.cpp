#include "platform/checks/coprocessor/dst_races.h"

#include <gtest/gtest.h>

#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks::dst_races_test {
namespace {

namespace op = regs::tensix;
using Kind = ProbeEvent::Kind;
using Layout = ProbeEvent::Layout;

const std::uint32_t kPacr = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);
const std::uint32_t kUnpacr = op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
const std::uint32_t kZeroacc = op::encode_zeroacc(0, 2, 0, 0, 0);

struct DstRacesTest : testing::Test, RecordTest<DstRaces> {
  explicit DstRacesTest(Waits waits = Waits::kFault) : RecordTest(waits) {}
  void read(unsigned row, unsigned rows, Cycle cycle, Layout layout = Layout::kRows16,
            unsigned units = 1, unsigned distance = 0) {
    feed({.kind = Kind::kDstRead,
          .agent = BusMaster::kPacker0,
          .layout = layout,
          .index = row,
          .instruction = kPacr,
          .thread = 2,
          .rows = static_cast<std::uint16_t>(rows),
          .units = static_cast<std::uint16_t>(units),
          .value = distance,
          .cycle = cycle,
          .offered = {.instruction = kPacr, .pc = 0x20, .thread = 2}});
  }
  void written(unsigned row, unsigned rows, Cycle cycle, Cycle done) {
    feed({.kind = Kind::kDstWritten,
          .pc = 0x40,
          .index = row,
          .instruction = kUnpacr,
          .rows = static_cast<std::uint16_t>(rows),
          .units = 1,
          .cycle = cycle,
          .done = done});
  }
  // Models also report only if the probe asks for it.
  void change(unsigned row, Cycle cycle) {
    if (checks->probe().dst().wants_change(row, cycle)) used(Kind::kDstChanged, row, cycle);
  }
  void load(unsigned row, Cycle cycle) {
    if (checks->probe().dst().wants_load(row, cycle)) used(Kind::kDstLoaded, row, cycle);
  }
  void used(Kind kind, unsigned row, Cycle cycle) {
    feed({.kind = kind,
          .index = row,
          .cycle = cycle,
          .offered = {.instruction = kZeroacc, .pc = 0x30, .thread = 1}});
  }
};

TEST_F(DstRacesTest, RowsChangeWhenPackersHaveReadThem) {
  read(16, 16, 10);  // rows 16 to 23 until cycle 18, 24 to 31 until 26
  change(16, 18);
  change(23, 25);
  change(8, 11);
  change(32, 11);
  change(24, 26);
  EXPECT_FALSE(checks->probe().dst().wants_any(26));
  load(16, 11);
  EXPECT_TRUE(faults.empty());
  change(23, 17);
  change(24, 25);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0],
            "chip0.tensix(1,2).coprocessor.T1: ZEROACC Mode=2 of T1 changes row 23 of Dst at cycle "
            "17, while packers still read it (" +
                op::disassemble(kPacr) +
                " of T2, from cycle 10 to 18): a wait is missing. A row may change only after the "
                "packers have read it. Put a STALLWAIT for the packers, or a tile_regs_acquire, "
                "before the change; thread T1, ZEROACC Mode=2, which its core pushed at pc 0x30");
  EXPECT_NE(faults[1].find("row 24"), std::string::npos) << faults[1];
}

TEST_F(DstRacesTest, PackersOfAnInstructionReadRowsAtOneDistance) {
  read(4, 8, 10, Layout::kRows16, 3, 16);  // from rows 4, 20 and 36 on
  change(0, 14);
  change(8, 17);
  change(24, 17);
  change(40, 17);
  EXPECT_EQ(faults.size(), 3U);
  change(32, 13);
  change(56, 11);
  EXPECT_EQ(faults.size(), 4U);
}

TEST_F(DstRacesTest, RowsOf32BitsAreTwoOfTheStorage) {
  read(8, 8, 10, Layout::kRows32);  // high halves in rows 16 to 23, low halves behind
  change(8, 11);
  EXPECT_TRUE(faults.empty());
  change(16, 11);
  change(24, 11);
  EXPECT_EQ(faults.size(), 2U);
  read(16, 8, 30, Layout::kHighHalves);
  change(32, 31);
  change(40, 31);
  EXPECT_EQ(faults.size(), 3U);
}

TEST_F(DstRacesTest, RowsAreUsedWhenAnUnpackerHasWrittenThem) {
  read(24, 8, 5);  // until cycle 13
  written(16, 8, 10, 60);
  EXPECT_TRUE(faults.empty());
  written(24, 8, 10, 60);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NE(faults[0].find("coprocessor.T0: UNPACR"), std::string::npos) << faults[0];
  EXPECT_NE(faults[0].find("changes row 24 of Dst at cycle 10, while packers still read it"),
            std::string::npos);
  EXPECT_NE(faults[0].find("which its core pushed at pc 0x40"), std::string::npos);
  faults.clear();
  load(16, 60);
  load(8, 20);
  change(32, 20);
  read(32, 8, 20);
  EXPECT_TRUE(faults.empty());
  load(23, 59);
  change(16, 59);
  read(24, 8, 30);
  ASSERT_EQ(faults.size(), 3U);
  EXPECT_NE(faults[0].find("T1: ZEROACC Mode=2 of T1 uses row 23 of Dst at cycle 59, while an "
                           "unpacker still writes it (UNPACR"),
            std::string::npos)
      << faults[0];
  EXPECT_NE(faults[2].find("coprocessor.T2: PACR"), std::string::npos) << faults[2];
}

TEST_F(DstRacesTest, PackersThatDoNotReadDstWantNothing) {
  read(16, 0, 10);
  EXPECT_FALSE(checks->probe().dst().wants_any(10));
}

struct WarnedDstRacesTest : DstRacesTest {
  WarnedDstRacesTest() : DstRacesTest(Waits::kWarn) {}
};
TEST_F(WarnedDstRacesTest, AWarning) {
  read(8, 8, 10);
  change(8, 11);
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(warnings.size(), 1U);
}

struct QuietDstRacesTest : DstRacesTest {
  QuietDstRacesTest() : DstRacesTest(Waits::kOff) {}
};
TEST_F(QuietDstRacesTest, WantsNoEvents) {
  for (const Kind kind : {Kind::kDstRead, Kind::kDstWritten, Kind::kDstChanged, Kind::kDstLoaded})
    EXPECT_FALSE(checks->probe().wants(kind));
}

}  // namespace
}  // namespace tvp::checks::dst_races_test
