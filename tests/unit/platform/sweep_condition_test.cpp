#include "platform/cli/sweep/sweep_condition.h"

#include <gtest/gtest.h>

#include <map>

#include "foundation/fault.h"
#include "platform/cli/sweep/sweep_progress.h"

namespace tvp::cli {
namespace {

bool holds(const std::string& text) {
  const std::map<std::string, std::string> values{
      {"a", "6"}, {"b", "4"}, {"noc.hop", "1.5"}, {"kind", "rtl"}, {"list", "1,2"}};
  return SweepCondition(text).holds([&](const std::string& key) { return values.at(key); });
}

TEST(SweepCondition, ComparesNumbersAndKeys) {
  for (const char* text :
       {"a > b", "a>=6", "b<a", "b <= 4", "a = 6", "a == 6.0", "a != b", "noc.hop<2", "a*b = 24",
        "a % b = 2", "a/b = noc.hop", "a - b - 1 = 1", "2*(a+b) <= 20", "-a < b", "a - -b = 10"})
    EXPECT_TRUE(holds(text)) << text;
  for (const char* text : {"a < b", "a>6", "a=b", "a != 6", "a*b > 24", "a+b*2 = 20"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(SweepCondition, ComparesTexts) {
  EXPECT_TRUE(holds("kind = 'rtl'"));
  EXPECT_TRUE(holds("kind != \"model\""));
  EXPECT_FALSE(holds("kind = 'model'"));
  EXPECT_TRUE(holds("list = '1,2'"));
}

TEST(SweepCondition, NamesItsKeys) {
  EXPECT_EQ(SweepCondition("a*noc.hop < b+a").keys(),
            (std::vector<std::string>{"a", "noc.hop", "b", "a"}));
}

TEST(SweepCondition, MalformedOnesAreRefused) {
  for (const char* text : {"", "a", "a <", "< a", "a < b < c", "a <> b", "(a < b", "(a+b < 1",
                           "a < 'x", "a + 'x' < 1", "a < 3x", "a b", "a < b)", "a ! b", "a < $"})
    EXPECT_THROW(SweepCondition{text}, foundation::Fault) << text;
  EXPECT_THROW(holds("kind < 3"), foundation::Fault);
  EXPECT_THROW(holds("kind + 1 = 3"), foundation::Fault);
}

TEST(SweepProgress, ShowsTheTimeLeft) {
  using Seconds = SweepProgress::Seconds;
  SweepProgress progress(200, 40);
  EXPECT_EQ(progress.text(Seconds(5)), "40 of 200 runs");
  for (unsigned i = 0; i < 40; ++i) progress.add(i != 7 && i != 9);
  // Kept runs took no time: 40 runs in 10 s leave 120 for 30 s.
  EXPECT_EQ(progress.text(Seconds(10)), "80 of 200 runs, 2 failed, 30 s left");
  EXPECT_EQ(progress.text(Seconds(100)), "80 of 200 runs, 2 failed, 5 min 0 s left");
  EXPECT_EQ(progress.text(Seconds(3000)), "80 of 200 runs, 2 failed, 2 h 30 min left");
  EXPECT_EQ(progress.text(Seconds(60000)), "80 of 200 runs, 2 failed, 2 d 2 h left");
}

}  // namespace
}  // namespace tvp::cli
