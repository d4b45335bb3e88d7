#include "models/ddr/ca_command.h"

#include <gtest/gtest.h>

namespace tvp::ddr {
namespace {

struct Row {
  CaCommand command;
  bool act, ras, cas, we;  // levels
  int a10;                 // -1: not part of the code
};

// The truth table as the data sheet prints it: H and L of ACT_n, RAS_n, CAS_n, WE_n, A10.
constexpr Row kTable[] = {
    {CaCommand::kModeRegisterSet, true, false, false, false, -1},
    {CaCommand::kRefresh, true, false, false, true, -1},
    {CaCommand::kPrecharge, true, false, true, false, 0},
    {CaCommand::kPrechargeAll, true, false, true, false, 1},
    {CaCommand::kPim, true, false, true, true, -1},
    {CaCommand::kWrite, true, true, false, false, 0},
    {CaCommand::kWriteAutoPrecharge, true, true, false, false, 1},
    {CaCommand::kRead, true, true, false, true, 0},
    {CaCommand::kReadAutoPrecharge, true, true, false, true, 1},
    {CaCommand::kZqCalibrationShort, true, true, true, false, 0},
    {CaCommand::kZqCalibrationLong, true, true, true, false, 1},
    {CaCommand::kNoOperation, true, true, true, true, -1},
};

TEST(CommandTable, EveryRowBothWays) {
  for (const Row& row : kTable) {
    const CaPins pins = encode(row.command, 0b0100);
    EXPECT_EQ(pins.act_n, row.act);
    EXPECT_EQ(pins.ras_n, row.ras);
    EXPECT_EQ(pins.cas_n, row.cas);
    EXPECT_EQ(pins.we_n, row.we);
    if (row.a10 >= 0) {
      EXPECT_EQ(pins.address >> 10 & 1, row.a10);
    }
    EXPECT_EQ(decode(pins, 2), row.command);
  }
}

TEST(CommandTable, OnlySelectedRanksHear) {
  const CaPins pins = encode(CaCommand::kRefresh, 0b1010);
  EXPECT_EQ(decode(pins, 0), CaCommand::kDeselect);
  EXPECT_EQ(decode(pins, 1), CaCommand::kRefresh);
  EXPECT_EQ(decode(pins, 2), CaCommand::kDeselect);
  EXPECT_EQ(decode(pins, 3), CaCommand::kRefresh);
  EXPECT_EQ(decode(encode(CaCommand::kDeselect, 0xFF), 1), CaCommand::kDeselect);
}

TEST(CommandTable, RowsUseTheCommandPins) {
  for (const std::uint32_t row : {0U, 1U, 0x3FFFU, 0x4000U, 0x8000U, 0x10000U, 0x1ABCDU}) {
    const CaPins pins = encode(CaCommand::kActivate, 1, row, 2, 3);
    EXPECT_EQ(decode(pins, 0), CaCommand::kActivate);
    EXPECT_EQ(row_of(pins), row);
    EXPECT_EQ(pins.bank_group, 2);
    EXPECT_EQ(pins.bank, 3);
  }
}

TEST(CommandTable, PimWordsCarryEighteenBits) {
  for (unsigned bit = 0; bit < kPimBits; ++bit) {
    const std::uint32_t payload = 1U << bit;
    const CaPins pins = encode(CaCommand::kPim, 1, payload);
    EXPECT_EQ(decode(pins, 0), CaCommand::kPim);
    EXPECT_EQ(pim_payload(pins), payload);
  }
}

TEST(CommandTable, OperandsCannotTurnIntoAutoPrecharge) {
  EXPECT_EQ(decode(encode(CaCommand::kRead, 1, 0xFFFF), 0), CaCommand::kRead);
  EXPECT_EQ(decode(encode(CaCommand::kPrecharge, 1, 0xFFFF), 0), CaCommand::kPrecharge);
}

}  // namespace
}  // namespace tvp::ddr
