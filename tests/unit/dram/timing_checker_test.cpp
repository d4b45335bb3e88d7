#include "models/dram/timing/timing_checker.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

namespace tvp::dram::timing_checker_test {
namespace {

using enum DramCommand;

/// Two commands, their banks, and the minimum distance in CK, as numbers from standards and data
/// sheets.
struct Pair {
  const char* preset;
  const char* constraint;
  DramCommand first;
  unsigned bank_of_first;
  DramCommand second;
  unsigned bank_of_second;
  MemCycle distance;
};

// DDR4: banks 0..3 are group 0, 4..7 group 1, 16.. the second rank. DDR5: eight groups of four,
// second rank from 32. GDDR6: four groups of four, one rank.
const std::vector<Pair> kPairs = {
    {"ddr4_2400", "tRCD", kActivate, 0, kRead, 0, 17},
    {"ddr4_2400", "tRCD of a write", kActivate, 0, kWrite, 0, 17},
    {"ddr4_2400", "tRCD with auto-precharge", kActivate, 0, kReadAuto, 0, 17},
    {"ddr4_2400", "tRAS", kActivate, 0, kPrecharge, 0, 39},
    {"ddr4_2400", "tRAS to PREA", kActivate, 3, kPrechargeAll, 0, 39},
    {"ddr4_2400", "tRC", kActivate, 0, kActivate, 0, 56},
    {"ddr4_2400", "tRC to REF", kActivate, 7, kRefresh, 0, 56},
    {"ddr4_2400", "tRRD_L", kActivate, 0, kActivate, 1, 6},
    {"ddr4_2400", "tRRD_S", kActivate, 0, kActivate, 4, 4},
    {"ddr4_2400", "no tRRD across ranks", kActivate, 0, kActivate, 16, 1},
    {"ddr4_2400", "tRP", kPrecharge, 0, kActivate, 0, 17},
    {"ddr4_2400", "tRP after PREA", kPrechargeAll, 0, kActivate, 9, 17},
    {"ddr4_2400", "tRP to REF", kPrecharge, 5, kRefresh, 0, 17},
    {"ddr4_2400", "tRP of PREA to REF", kPrechargeAll, 0, kRefresh, 0, 17},
    {"ddr4_2400", "PRE elsewhere", kPrecharge, 0, kActivate, 1, 1},
    {"ddr4_2400", "tCCD_L", kRead, 0, kRead, 0, 6},
    {"ddr4_2400", "tCCD_L in a group", kRead, 0, kRead, 3, 6},
    {"ddr4_2400", "tCCD_S", kRead, 0, kRead, 4, 4},
    {"ddr4_2400", "tCCD_L of writes", kWrite, 0, kWrite, 2, 6},
    {"ddr4_2400", "tCCD_S of writes", kWrite, 0, kWrite, 12, 4},
    {"ddr4_2400", "read to read of another rank", kRead, 0, kRead, 16, 5},
    {"ddr4_2400", "write to write of another rank", kWrite, 0, kWrite, 16, 5},
    {"ddr4_2400", "read to write", kRead, 0, kWrite, 0, 11},
    {"ddr4_2400", "read to write of another group", kRead, 0, kWrite, 8, 11},
    {"ddr4_2400", "read to write of another rank", kRead, 0, kWrite, 16, 10},
    {"ddr4_2400", "tWTR_L", kWrite, 0, kRead, 1, 25},
    {"ddr4_2400", "tWTR_S", kWrite, 0, kRead, 4, 19},
    {"ddr4_2400", "write to read of another rank", kWrite, 0, kRead, 16, 1},
    {"ddr4_2400", "tRTP", kRead, 0, kPrecharge, 0, 9},
    {"ddr4_2400", "tRTP to PREA", kRead, 6, kPrechargeAll, 0, 9},
    {"ddr4_2400", "tWR", kWrite, 0, kPrecharge, 0, 34},
    {"ddr4_2400", "tWR to PREA", kWrite, 6, kPrechargeAll, 0, 34},
    {"ddr4_2400", "RDA to ACT", kReadAuto, 0, kActivate, 0, 26},
    {"ddr4_2400", "WRA to ACT", kWriteAuto, 0, kActivate, 0, 51},
    {"ddr4_2400", "RDA to REF", kReadAuto, 2, kRefresh, 0, 26},
    {"ddr4_2400", "WRA to REF", kWriteAuto, 2, kRefresh, 0, 51},
    {"ddr4_2400", "RDA to RD", kReadAuto, 0, kRead, 1, 6},
    {"ddr4_2400", "WRA to RD", kWriteAuto, 0, kRead, 4, 19},
    {"ddr4_2400", "tRFC", kRefresh, 0, kActivate, 11, 420},
    {"ddr4_2400", "tRFC to REF", kRefresh, 0, kRefresh, 0, 420},
    {"ddr4_2400", "another rank during tRFC", kRefresh, 0, kActivate, 16, 1},
    {"ddr5_4800", "tRCD", kActivate, 0, kRead, 0, 36},
    {"ddr5_4800", "tRAS", kActivate, 0, kPrecharge, 0, 77},
    {"ddr5_4800", "tRC", kActivate, 0, kActivate, 0, 113},
    {"ddr5_4800", "tRRD_L", kActivate, 0, kActivate, 1, 12},
    {"ddr5_4800", "tRRD_S", kActivate, 0, kActivate, 4, 8},
    {"ddr5_4800", "ACT takes two slots", kActivate, 0, kPrecharge, 9, 2},
    {"ddr5_4800", "RD takes two slots", kRead, 0, kPrecharge, 9, 2},
    {"ddr5_4800", "WR takes two slots", kWrite, 0, kPrecharge, 9, 2},
    {"ddr5_4800", "PRE takes one slot", kPrecharge, 0, kActivate, 9, 1},
    {"ddr5_4800", "tPPD", kPrecharge, 0, kPrecharge, 9, 2},
    {"ddr5_4800", "tRP", kPrecharge, 0, kActivate, 0, 36},
    {"ddr5_4800", "tCCD_L", kRead, 0, kRead, 3, 12},
    {"ddr5_4800", "tCCD_S", kRead, 0, kRead, 4, 8},
    {"ddr5_4800", "tCCD_L_WR", kWrite, 0, kWrite, 1, 48},
    {"ddr5_4800", "tCCD_S of writes", kWrite, 0, kWrite, 4, 8},
    {"ddr5_4800", "tCCD_L_WTR", kWrite, 0, kRead, 1, 66},
    {"ddr5_4800", "tCCD_S_WTR", kWrite, 0, kRead, 4, 48},
    {"ddr5_4800", "read to write", kRead, 0, kWrite, 4, 12},
    {"ddr5_4800", "tRTP", kRead, 0, kPrecharge, 0, 18},
    {"ddr5_4800", "tWR", kWrite, 0, kPrecharge, 0, 114},
    {"ddr5_4800", "WRA to ACT", kWriteAuto, 0, kActivate, 0, 150},
    {"ddr5_4800", "tRFC1", kRefresh, 0, kActivate, 31, 708},
    {"ddr5_4800", "tRFCsb", kRefreshBank, 1, kActivate, 1, 312},
    {"ddr5_4800", "tRFCsb covers every group", kRefreshBank, 1, kActivate, 29, 312},
    {"ddr5_4800", "tREFSBRD", kRefreshBank, 1, kActivate, 2, 72},
    {"ddr5_4800", "REFsb to REFsb", kRefreshBank, 0, kRefreshBank, 1, 312},
    {"ddr5_4800", "REFsb to REF", kRefreshBank, 0, kRefresh, 0, 312},
    {"ddr5_4800", "REF to REFsb", kRefresh, 0, kRefreshBank, 1, 708},
    {"ddr5_4800", "tRP to REFsb", kPrecharge, 5, kRefreshBank, 1, 36},
    {"ddr5_4800", "tRC to REFsb", kActivate, 5, kRefreshBank, 1, 113},
    {"ddr5_4800", "ACT elsewhere to REFsb", kActivate, 2, kRefreshBank, 1, 12},
    {"ddr5_4800", "a read during REFsb", kRefreshBank, 1, kRead, 2, 1},
    {"ddr5_4800", "RDA to REFsb", kReadAuto, 1, kRefreshBank, 1, 54},
    {"gddr6_14", "tRCDRD", kActivate, 0, kRead, 0, 27},
    {"gddr6_14", "tRCDWR", kActivate, 0, kWrite, 0, 16},
    {"gddr6_14", "tRAS", kActivate, 0, kPrecharge, 0, 53},
    {"gddr6_14", "tRC", kActivate, 0, kActivate, 0, 79},
    {"gddr6_14", "tRRD", kActivate, 0, kActivate, 4, 8},
    {"gddr6_14", "tRP", kPrecharge, 0, kActivate, 0, 27},
    {"gddr6_14", "tCCDL", kRead, 0, kRead, 1, 4},
    {"gddr6_14", "tCCDS", kRead, 0, kRead, 4, 2},
    {"gddr6_14", "read to write", kRead, 0, kWrite, 4, 22},
    {"gddr6_14", "tWTRL", kWrite, 0, kRead, 1, 19},
    {"gddr6_14", "tWTRS", kWrite, 0, kRead, 4, 17},
    {"gddr6_14", "tRTP", kRead, 0, kPrecharge, 0, 4},
    {"gddr6_14", "tWR", kWrite, 0, kPrecharge, 0, 35},
    {"gddr6_14", "tRFCab", kRefresh, 0, kActivate, 5, 211},
    {"gddr6_14", "tRFCpb", kRefreshBank, 5, kActivate, 5, 106},
    {"gddr6_14", "REFpb leaves others alone", kRefreshBank, 5, kActivate, 9, 8},
    {"gddr6_14", "REFpb to REFpb", kRefreshBank, 5, kRefreshBank, 6, 106},
    // At 12 Gb/s the same nanoseconds are 6/7 of the cycles.
    {"gddr6_12", "tRCDRD", kActivate, 0, kRead, 0, 24},
    {"gddr6_12", "tRAS", kActivate, 0, kPrecharge, 0, 46},
    {"gddr6_12", "tCCDS", kRead, 0, kRead, 4, 2},
    {"gddr6_12", "tRFCab", kRefresh, 0, kActivate, 5, 181},
};

Preset with_two_ranks(const char* name) {
  Preset preset = *find_preset(name);
  if (preset.timing.trtrs > 0) preset.organization.ranks = 2;
  return preset;
}

class EveryConstraint : public ::testing::TestWithParam<Pair> {};

TEST_P(EveryConstraint, HoldsToTheCycle) {
  const Pair& p = GetParam();
  constexpr MemCycle kAt = 5000;
  TimingChecker checker(with_two_ranks(p.preset));
  checker.issue(p.first, p.bank_of_first, kAt);
  const auto legal = [&](MemCycle at) {
    return at >= checker.earliest(p.second, p.bank_of_second);
  };
  EXPECT_TRUE(legal(kAt + p.distance)) << p.constraint;
  EXPECT_FALSE(legal(kAt + p.distance - 1)) << p.constraint;
}

INSTANTIATE_TEST_SUITE_P(Timing, EveryConstraint, ::testing::ValuesIn(kPairs),
                         [](const auto& test) {
                           std::string name =
                               std::string(test.param.preset) + "_" + test.param.constraint;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST(TimingChecker, AllowsFourActivationsWithinTfaw) {
  const struct {
    const char* preset;
    MemCycle spacing;
    MemCycle window;
  } cases[] = {
      {"ddr4_2400", 4, 26}, {"ddr5_4800", 8, 32}, {"gddr6_14", 8, 32}, {"gddr6_12", 7, 28}};
  for (const auto& c : cases) {
    const Preset preset = with_two_ranks(c.preset);
    TimingChecker checker(preset);
    for (unsigned i = 0; i < 4; ++i) {
      ASSERT_EQ(checker.earliest(kActivate, 4 * i), i == 0 ? 0 : i * c.spacing) << c.preset;
      checker.issue(kActivate, 4 * i, i * c.spacing);
    }
    // The tFAW of GDDR6, 29, is shorter than four tRRD.
    EXPECT_EQ(checker.earliest(kActivate, 1), c.window) << c.preset;
    if (preset.organization.ranks > 1) {
      EXPECT_LT(checker.earliest(kActivate, preset.organization.banks_per_rank()), c.window);
    }
  }
}

TEST(TimingChecker, KeepsTheLatestOfSeveralConstraints) {
  TimingChecker checker(*find_preset("ddr4_2400"));
  checker.issue(kActivate, 0, 0);
  checker.issue(kRead, 0, 17);
  EXPECT_EQ(checker.earliest(kPrecharge, 0), 39U);  // tRAS beyond tRTP
  checker.issue(kRead, 0, 35);
  EXPECT_EQ(checker.earliest(kPrecharge, 0), 44U);  // tRTP beyond tRAS
  checker.issue(kPrecharge, 0, 44);
  EXPECT_EQ(checker.earliest(kActivate, 0), 61U);  // tRP beyond tRC
}

TEST(Preset, HasItsPeakRateAndCapacity) {
  const struct {
    const char* name;
    double gb_per_s;
    std::uint64_t channel_bytes;
    unsigned burst_bytes;
  } cases[] = {{"ddr4_2400", 19.2, 8ULL << 30, 64},
               {"ddr5_4800", 38.4, 8ULL << 30, 64},
               {"gddr6_14", 56, 1ULL << 30, 32},
               {"gddr6_12", 48, 1ULL << 30, 32}};
  for (const auto& c : cases) {
    const Preset& p = *find_preset(c.name);
    EXPECT_EQ(p.organization.burst_bytes(), c.burst_bytes);
    EXPECT_EQ(p.organization.channel_bytes(), c.channel_bytes) << c.name;
    const double peak =
        p.organization.channels * p.organization.burst_bytes() / (p.timing.bl * p.timing.tck.ns());
    EXPECT_NEAR(peak, c.gb_per_s, 1e-9) << c.name;
    // The refresh interval is 7.8, 3.9 or 1.9 us.
    const double refi_us = p.timing.trefi * p.timing.tck.ns() / 1000;
    EXPECT_NEAR(refi_us, c.name[0] == 'g' ? 1.9 : c.name[3] == '4' ? 7.8 : 3.9, 1e-3) << c.name;
  }
  EXPECT_EQ(find_preset("sdram"), nullptr);
}

// Cells have times in ns: DDR4-2400R from JESD79-4, others from Ramulator 2.1. A slower clock
// rounds up to whole cycles.
TEST(Preset, HasTheLatenciesOfItsDataSheet) {
  const struct {
    const char* name;
    double activate_to_read;
    double read_to_data;
    double precharge;
  } cases[] = {{"ddr4_2400", 14.16, 14.16, 14.16},
               {"ddr5_4800", 15, 15, 15},
               {"gddr6_14", 15.43, 13.71, 15.43},
               {"gddr6_12", 15.43, 13.71, 15.43}};
  for (const auto& c : cases) {
    const Timing& t = find_preset(c.name)->timing;
    const auto is = [&](unsigned cycles, double ns, const char* what) {
      EXPECT_GE(cycles * t.tck.ns(), ns - 0.01) << c.name << " " << what;
      EXPECT_LT(cycles * t.tck.ns(), ns + t.tck.ns()) << c.name << " " << what;
    };
    is(t.trcd_rd, c.activate_to_read, "tRCD");
    is(t.cl, c.read_to_data, "CL");
    is(t.trp, c.precharge, "tRP");
  }
}

}  // namespace
}  // namespace tvp::dram::timing_checker_test
