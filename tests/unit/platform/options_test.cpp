#include "platform/cli/options.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"

namespace tvp::cli {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(Options, SetTakesSeveralPairsAndQuotedValues) {
  EXPECT_EQ(parse_set("a.b=1"), (Pairs{{"a.b", "1"}}));
  EXPECT_EQ(parse_set("a=1,b=2"), (Pairs{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(parse_set("f=\"x,y=z\",b=2"), (Pairs{{"f", "x,y=z"}, {"b", "2"}}));
  EXPECT_EQ(parse_set("a="), (Pairs{{"a", ""}}));
  EXPECT_EQ(parse_set("a=b=c"), (Pairs{{"a", "b=c"}}));
  EXPECT_EQ(parse_set("\"a=1,2\",b=2"), (Pairs{{"a", "1,2"}, {"b", "2"}}));
  EXPECT_EQ(parse_set("a=\"say \"\"x, y\"\"\""), (Pairs{{"a", "say \"x, y\""}}));
  for (const char* value : {"", "a,b", "\"", "\"\"", "a\",b=\"c", "ünï"}) {
    EXPECT_EQ(parse_set("k=" + quoted(value)), (Pairs{{"k", value}})) << value;
  }
}

TEST(Options, MalformedPairsAreRefused) {
  for (const char* bad : {"", "a", "=1", "a=1,", "a=1,b", "a=\"1", "a=1\nb=2", "a=\"1\n\""}) {
    EXPECT_THROW(parse_set(bad), foundation::Fault) << bad;
  }
}

TEST(Options, TimesHaveUnits) {
  EXPECT_DOUBLE_EQ(parse_time_ns("--max-time", "250"), 250);
  EXPECT_DOUBLE_EQ(parse_time_ns("--max-time", "250ns"), 250);
  EXPECT_DOUBLE_EQ(parse_time_ns("--max-time", "1.5us"), 1500);
  EXPECT_DOUBLE_EQ(parse_time_ns("--max-time", "2ms"), 2e6);
  EXPECT_DOUBLE_EQ(parse_time_ns("--max-time", "5000ps"), 5);
  for (const char* bad : {"", "x", "1h", "-1ns", "0", "1 us", "0.5ns", "999ps", "nan", "inf",
                          "1e300s", "18446744073709551616"}) {
    EXPECT_THROW(parse_time_ns("--max-time", bad), foundation::Fault) << bad;
  }
}

TEST(Options, SeedsAreIntegersOf64Bits) {
  EXPECT_EQ(parse_seed("0"), 0U);
  EXPECT_EQ(parse_seed("18446744073709551615"), ~std::uint64_t{0});
  for (const char* bad : {"", "-1", "18446744073709551616", "99999999999999999999", "1x", "1.0"}) {
    EXPECT_THROW(parse_seed(bad), foundation::Fault) << bad;
  }
}

}  // namespace
}  // namespace tvp::cli
