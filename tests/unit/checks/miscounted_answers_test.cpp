#include "platform/checks/noc/miscounted_answers.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct MiscountedAnswersTest : testing::Test, CheckTest<MiscountedAnswers> {
  MiscountedAnswersTest() {
    feed({.kind = ProbeEvent::Kind::kProgramBegins});
    count(5, 5);
  }
  void count(std::uint32_t counted, std::uint32_t came, BusMaster niu = BusMaster::kNoc1) {
    feed({.kind = ProbeEvent::Kind::kAnswersCounted,
          .agent = niu,
          .core = BusMaster::kNc,
          .packets = came,
          .value = counted});
  }
  void write(std::uint32_t pc, bool multicasts) {
    feed({.kind = ProbeEvent::Kind::kCommand,
          .agent = BusMaster::kNoc1,
          .core = BusMaster::kNc,
          .request = ProbeEvent::Request::kWrite,
          .is_broadcast = multicasts,
          .pc = pc});
  }
  void end() { feed({.kind = ProbeEvent::Kind::kProgramEnds}); }
};

TEST_F(MiscountedAnswersTest, EqualCountsAndOnesThatStayAreRight) {
  count(8, 8);
  count(3, 9, BusMaster::kNoc0);  // as it was when the program began
  EXPECT_TRUE(check.found_so_far(true).empty());
  end();
  EXPECT_TRUE(warnings.empty());
}

TEST_F(MiscountedAnswersTest, FewerThanCameIsWrongAtOnce) {
  count(6, 8);
  ASSERT_EQ(check.found_so_far(false).size(), 1U);
  end();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("NCRISC"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("2 fewer"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("NoC 1"), std::string::npos) << warnings[0];
  end();
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(MiscountedAnswersTest, MoreThanCameMayBeUnderWay) {
  count(8, 6);
  EXPECT_TRUE(check.found_so_far(false).empty());
  ASSERT_EQ(check.found_so_far(true).size(), 1U);
  EXPECT_NE(std::string(check.found_so_far(true)[0].what()).find("2 more"), std::string::npos);
  end();
  EXPECT_TRUE(warnings.empty());
}

TEST_F(MiscountedAnswersTest, TheTextNamesMulticastsOrElseTheWrites) {
  write(0x5000, false);
  count(8, 6);
  std::string text = check.found_so_far(true).at(0).what();
  EXPECT_NE(text.find("A write is missing, or its command was changed before it was sent. Its last "
                      "writes: in line 0x5000 of core 1\n  in line 0x5000"),
            std::string::npos)
      << text;
  write(0x5100, true);
  text = check.found_so_far(true).at(0).what();
  EXPECT_NE(text.find("a multicast is too large. Its last multicasts: in line 0x5100"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("0x5000"), std::string::npos) << text;
}

TEST_F(MiscountedAnswersTest, TheLastWritesComeFirst) {
  for (const std::uint32_t pc : {0x5000U, 0x5100U, 0x5200U, 0x5000U}) write(pc, false);
  count(8, 6);
  const std::string text = check.found_so_far(true).at(0).what();
  EXPECT_NE(
      text.find("Its last writes: in line 0x5000 of core 1; in line 0x5200 of core 1\n  in line "
                "0x5000 of core 1\n  in line 0x5200 of core 1\n  in line 0x5100"),
      std::string::npos)
      << text;
}

TEST_F(MiscountedAnswersTest, CountsOutsideOfAProgramSayNothing) {
  end();
  count(5, 5);
  count(6, 8);
  end();
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
