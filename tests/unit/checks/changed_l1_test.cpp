#include "platform/checks/memory/changed_l1.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

/// The first bytes of a tile's L1.
struct Memory {
  std::array<std::uint8_t, 0x100> bytes{};
};
struct ChangedL1Test : testing::Test, Memory, RecordTest<ChangedL1> {
  ChangedL1Test() : RecordTest(Waits::kFault, bytes) { begin(); }
  void begin() {
    const PageUses::Buffer buffer{.pages = 1, .page_bytes = 16, .address = 0x80};
    checks->set_buffers({&buffer, 1});
  }
  void end() { checks->set_buffers({}); }
  void written(BusMaster agent, std::uint32_t address) {
    bytes.at(address) ^= 1;
    feed({.kind = ProbeEvent::Kind::kWritten,
          .agent = agent,
          .bytes = 1,
          .address = address,
          .cycle = 7});
  }
};

TEST_F(ChangedL1Test, WordsThatTheHostGivesAndOnesBesideThem) {
  EXPECT_TRUE(checks->give({.what = "the arguments of reader.cpp", .each = 4}, 0x20, 16));
  EXPECT_FALSE(checks->give({.what = "more than there is"}, 0xFF, 2));
  written(BusMaster::kNoc0, 0x30);
  EXPECT_TRUE(checks->found_so_far(false).empty());
  written(BusMaster::kNoc0, 0x28);
  ASSERT_EQ(checks->found_so_far(false).size(), 1U);
  end();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("0x28"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("the arguments of reader.cpp 2"), std::string::npos) << warnings[0];
  end();
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ChangedL1Test, StoresOfTheTilesCoresWhereTheyMayKeepSomething) {
  checks->give({.what = "what a kernel may change", .use = TileContext::Given::Use::kStored}, 0x20,
               16);
  bytes[0x21] = 1;
  EXPECT_TRUE(checks->found_so_far(false).empty());
  written(BusMaster::kNoc1, 0x22);
  EXPECT_EQ(checks->found_so_far(false).size(), 1U);
}

TEST_F(ChangedL1Test, TheJumpOutOfResetBeforeAllElse) {
  checks->give({.what = "what is given"}, 0x20, 4);
  bytes[0x20] = bytes[2] = 1;
  end();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("L1 at 0x2, the jump"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("BRISC"), std::string::npos) << warnings[0];
  begin();
  end();
  EXPECT_EQ(warnings.size(), 1U);
}

}  // namespace
}  // namespace tvp::checks
