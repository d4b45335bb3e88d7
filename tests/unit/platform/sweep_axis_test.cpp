#include "platform/cli/sweep/sweep_axis.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"

namespace tvp::cli {
namespace {

using Values = std::vector<std::string>;

TEST(SweepAxis, TakesLists) {
  EXPECT_EQ(parse_axis("noc.hop_cycles=9").key, "noc.hop_cycles");
  EXPECT_EQ(parse_axis("noc.hop_cycles=9,18,27").values, (Values{"9", "18", "27"}));
  EXPECT_EQ(parse_axis("router=rtl,model").values, (Values{"rtl", "model"}));
  EXPECT_EQ(parse_axis("files=\"a,b\",c").values, (Values{"a,b", "c"}));
  EXPECT_EQ(parse_axis("k=a=b").values, (Values{"a=b"}));
}

TEST(SweepAxis, TakesRanges) {
  EXPECT_EQ(parse_axis("k=1:4:1").values, (Values{"1", "2", "3", "4"}));
  EXPECT_EQ(parse_axis("k=1:6:2").values, (Values{"1", "3", "5"}));
  EXPECT_EQ(parse_axis("k=9:3:-3").values, (Values{"9", "6", "3"}));
  EXPECT_EQ(parse_axis("k=0.1:0.5:0.1").values, (Values{"0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(parse_axis("k=1024:1048576:*32").values, (Values{"1024", "32768", "1048576"}));
  EXPECT_EQ(parse_axis("k=8:1:*0.5").values, (Values{"8", "4", "2", "1"}));
  EXPECT_EQ(parse_axis("k=1:3:1,10").values, (Values{"1", "2", "3", "10"}));
  EXPECT_EQ(parse_axis("k=1000000:2000000:1000000").values, (Values{"1000000", "2000000"}));
}

// Values look handwritten and do not exceed the end.
TEST(SweepAxis, StepsAreDecimal) {
  EXPECT_EQ(parse_axis("k=-0.3:0.1:0.1").values, (Values{"-0.3", "-0.2", "-0.1", "0", "0.1"}));
  EXPECT_EQ(parse_axis("k=0:1:0.1").values.size(), 11U);
  EXPECT_EQ(parse_axis("k=2.50:1:-0.75").values, (Values{"2.5", "1.75", "1"}));
  EXPECT_EQ(parse_axis("k=1e-3:3e-3:.5e-3").values,
            (Values{"0.001", "0.0015", "0.002", "0.0025", "0.003"}));
  EXPECT_EQ(parse_axis("k=1000000000000:1000000000010:5").values,
            (Values{"1000000000000", "1000000000005", "1000000000010"}));
  EXPECT_EQ(parse_axis("seed=18446744073709551605:18446744073709551615:5").values,
            (Values{"18446744073709551605", "18446744073709551610", "18446744073709551615"}));
  EXPECT_EQ(parse_axis("k=1e18:1e19:*10").values,
            (Values{"1000000000000000000", "10000000000000000000"}));
  EXPECT_EQ(parse_axis("k=1e30:3e30:1e30").values, (Values{"1e+30", "2e+30", "3e+30"}));
}

TEST(SweepAxis, OtherValuesMayHoldColons) {
  EXPECT_EQ(parse_axis("dram.mapping=row:bank:column").values, (Values{"row:bank:column"}));
  EXPECT_EQ(parse_axis("k=1:2").values, (Values{"1:2"}));
}

TEST(SweepAxis, MalformedOnesAreRefused) {
  for (const char* bad : {"", "k", "=1", "k=", "k=1,", "k=1,,2", "k=1,1", "k=1:3:1,2", "k=1:3:0",
                          "k=3:1:1", "k=1:3:-1", "k=\"a", "k=0:8:*2", "k=1:8:*1", "k=1:8:*0.5",
                          "k=0:1:0.00001", "k=1e19:1e19:1e-30,1e19"}) {
    EXPECT_THROW(parse_axis(bad), foundation::Fault) << bad;
  }
}

}  // namespace
}  // namespace tvp::cli
