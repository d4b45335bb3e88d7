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
}

TEST(Options, MalformedPairsAreRefused) {
  for (const char* bad : {"", "a", "=1", "a=1,", "a=1,b", "a=\"1"}) {
    EXPECT_THROW(parse_set(bad), foundation::Fault) << bad;
  }
}

TEST(Options, TimesHaveUnits) {
  EXPECT_DOUBLE_EQ(parse_time_ns("250"), 250);
  EXPECT_DOUBLE_EQ(parse_time_ns("250ns"), 250);
  EXPECT_DOUBLE_EQ(parse_time_ns("1.5us"), 1500);
  EXPECT_DOUBLE_EQ(parse_time_ns("2ms"), 2e6);
  EXPECT_DOUBLE_EQ(parse_time_ns("500ps"), 0.5);
  for (const char* bad : {"", "x", "1h", "-1ns", "0", "1 us"}) {
    EXPECT_THROW(parse_time_ns(bad), foundation::Fault) << bad;
  }
}

}  // namespace
}  // namespace tvp::cli
