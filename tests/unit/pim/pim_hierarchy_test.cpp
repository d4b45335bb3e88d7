// Numbers and places of units, and refusals.

#include "models/pim/pim_hierarchy.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "models/pim/channel_array.h"
#include "models/pim/pim_config.h"
#include "tests/support/fault_of.h"

namespace tvp::pim::hierarchy_test {
namespace {

std::string refusal(const std::string& text) {
  return tvp::test::fault_of([&] { PimHierarchy::parse(text); },
                             foundation::FaultKind::kDescription);
}

TEST(PimHierarchy, CountsTheFirstLevelFastest) {
  const PimHierarchy h = PimHierarchy::parse("bank=8 chip=4 rank=2");
  EXPECT_EQ(h.units(), 64U);
  EXPECT_EQ(h.place_of(45), (std::vector<unsigned>{5, 1, 1}));  // 45 = 5 + 8 * 1 + 32 * 1
  EXPECT_EQ(h.unit_at({5, 1, 1}), 45U);
  EXPECT_EQ(h.name_of(45), "rank1.chip1.bank5");
  EXPECT_EQ(h.units_within(0), 8U);
  EXPECT_EQ(h.units_within(1), 32U);
}

TEST(PimHierarchy, HasAnyDepth) {
  EXPECT_EQ(PimHierarchy::parse("bank=3").units(), 3U);
  EXPECT_EQ(PimHierarchy::parse("bank=2 chip=2 rank=2 dimm=2 channel=2 socket=2").units(), 64U);
}

TEST(PimHierarchy, TellsWhatSharesAMemoryChannel) {
  const auto levels = [](const char* text) {
    return PimHierarchy::parse(text).levels_of_channel();
  };
  EXPECT_EQ(levels("bank=8"), 1U);
  EXPECT_EQ(levels("bank=8 chip=4 rank=2"), 3U);
  EXPECT_EQ(levels("bank=8 chip=4 rank=2 dimm=2"), 4U);
  EXPECT_EQ(levels("bank=8 chip=4 rank=2 dimm=2 channel=4 socket=2"), 4U);
  EXPECT_EQ(levels("bank=8 chip=4 rank=2 channel=4"), 3U);
  EXPECT_EQ(levels("bank=8 chip=4 rank=2 node=4"), 3U);
}

TEST(PimHierarchy, RefusesByName) {
  EXPECT_NE(refusal("bank=8 chips").find("'chips': expected LEVEL=COUNT"), std::string::npos);
  EXPECT_NE(refusal("bank=8 chip=0").find("'chip=0': expected"), std::string::npos);
  EXPECT_NE(refusal("bank=8x").find("'bank=8x': expected"), std::string::npos);
  EXPECT_NE(refusal("=8").find("expected LEVEL=COUNT"), std::string::npos);
  EXPECT_NE(refusal("").find("at least one"), std::string::npos);
  EXPECT_NE(refusal("bank=8 bank=4").find("'bank' stands twice"), std::string::npos);
  EXPECT_NE(refusal("bank=64 chip=65").find("at most 4096"), std::string::npos);
}

TEST(PimHierarchy, RefusesPlacesOutside) {
  const PimHierarchy h = PimHierarchy::parse("bank=8 chip=4");
  EXPECT_THROW(h.unit_at({8, 0}), foundation::Fault);
  EXPECT_THROW(h.unit_at({0}), foundation::Fault);
}

/// Units share a channel by the numbers of their levels, at every depth.
TEST(ChannelArray, CountsWhatIsInAChannel) {
  const struct {
    const char* levels;
    unsigned channels, banks, chips, ranks;
  } kRows[] = {
      {"bank=4", 1, 4, 1, 1},
      {"bank=4 chip=2", 1, 4, 2, 1},
      {"bank=4 channel=2", 2, 4, 1, 1},
      {"bank=4 chip=3 channel=2", 2, 4, 3, 1},
      {"bank=2 chip=3 rank=4", 1, 2, 3, 4},
      {"bank=2 chip=3 rank=4 dimm=2", 1, 2, 3, 8},
      {"bank=2 chip=3 rank=4 channel=2 socket=3", 6, 2, 3, 4},
  };
  foundation::StopOnFault faults;
  const PimConfig config;
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.levels);
    const PimHierarchy hierarchy = PimHierarchy::parse(row.levels);
    const ChannelArray channels(config, hierarchy, *dram::find_preset("ddr4_2400"), faults);
    EXPECT_EQ(channels.count(), row.channels);
    EXPECT_EQ(channels.banks_of_chip(), row.banks);
    EXPECT_EQ(channels.chips_of_rank(), row.chips);
    EXPECT_EQ(channels.ranks_of_channel(), row.ranks);
    EXPECT_EQ(channels.units_of_channel() * row.channels, hierarchy.units());
  }
}

TEST(PimConfig, RefusesLatenciesThatUnitsCannotKeep) {
  PimConfig config;
  check(config);
  config.barrier_cycles.set("8");  // send 4 + wire 1 + receive 4 need 9
  EXPECT_THROW(check(config), foundation::Fault);
  config.barrier_cycles.set("9");
  check(config);
  // The shortest access of a bank is a write of one burst. 12 + 4 cycles of 1200 MHz are 4 of 350,
  // and the way back takes 2; 1 + 6 would be later.
  config.receive_cycles.set("6");
  config.barrier_cycles.set("100");
  EXPECT_TRUE(tvp::test::faults([&] { check(config); }, {}, {"6 cycles with pim.clock_mhz = 350"}));
}

}  // namespace
}  // namespace tvp::pim::hierarchy_test
