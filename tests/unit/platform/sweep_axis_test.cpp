#include "platform/cli/sweep/sweep_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

TEST(SweepAxis, LogRangesHaveEqualFactors) {
  EXPECT_EQ(parse_axis("k=1:1000:log4").values, (Values{"1", "10", "100", "1000"}));
  EXPECT_EQ(parse_axis("k=0.001:1:log4").values, (Values{"0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(parse_axis("k=100:1:log3").values, (Values{"100", "10", "1"}));
  // Whole ends give whole values, each once.
  EXPECT_EQ(parse_axis("k=1:4:log5").values, (Values{"1", "2", "3", "4"}));
  EXPECT_EQ(parse_axis("k=1:100:log3,7").values, (Values{"1", "10", "100", "7"}));
}

std::vector<long double> sample(const std::string& text, std::uint64_t seed,
                                const std::string& key = "k") {
  std::vector<long double> numbers;
  for (const std::string& value : parse_axis("k=" + text).sample->values(seed, key))
    numbers.push_back(std::stold(value));
  return numbers;
}

TEST(SweepAxis, SamplesDependOnSeedAndKeyOnly) {
  for (const char* text : {"0.0:1:random50", "0.0:1:lhs50", "1:1000000:random50"}) {
    EXPECT_EQ(sample(text, 7), sample(text, 7)) << text;
    EXPECT_NE(sample(text, 7), sample(text, 8)) << text;
    EXPECT_NE(sample(text, 7), sample(text, 7, "other")) << text;
  }
  const auto few = sample("0.0:1:random10", 3);
  auto more = sample("0.0:1:random20", 3);
  more.resize(10);
  EXPECT_EQ(few, more);
  // The values of one seed are part of the behavior: a sweep that is continued finds its runs.
  EXPECT_EQ(parse_axis("k=1:100:random5").sample->values(1, "k"),
            (Values{"56", "95", "93", "50", "16"}));
}

TEST(SweepAxis, SamplesOfIntegersReachBothEnds) {
  std::set<long double> values;
  for (const long double value : sample("3:6:random200", 1)) values.insert(value);
  EXPECT_EQ(values, (std::set<long double>{3, 4, 5, 6}));
  for (const long double value : sample("-0.5:0.5:random200", 1)) {
    EXPECT_GE(value, -0.5L);
    EXPECT_LE(value, 0.5L);
  }
}

TEST(SweepAxis, ALatinHypercubeHasOneValueInEachPart) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<long double> values = sample("0.0:10:lhs40", seed);
    EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_GE(values[i], 0.25L * static_cast<long double>(i));
      EXPECT_LE(values[i], 0.25L * static_cast<long double>(i + 1));
    }
    // Sixteen integers in sixteen parts: each once.
    std::vector<long double> whole = sample("1:16:lhs16", seed);
    std::sort(whole.begin(), whole.end());
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(whole[i], i + 1);
  }
}

TEST(SweepAxis, MalformedOnesAreRefused) {
  for (const char* bad : {"",
                          "k",
                          "=1",
                          "k=",
                          "k=1,",
                          "k=1,,2",
                          "k=1,1",
                          "k=1:3:1,2",
                          "k=1:3:0",
                          "k=3:1:1",
                          "k=1:3:-1",
                          "k=\"a",
                          "k=0:8:*2",
                          "k=1:8:*1",
                          "k=1:8:*0.5",
                          "k=0:1:0.00001",
                          "k=1e19:1e19:1e-30,1e19",
                          "k=0:8:log3",
                          "k=1:8:log1",
                          "k=1:8:log",
                          "k=2:2:log3",
                          "k=1:8:random",
                          "k=1:8:lhs1",
                          "k=8:1:lhs4",
                          "k=1:8:lhs4,9",
                          "k=9,1:8:random4",
                          "k=1:8:random2.5",
                          "k=1:8:lhs20000"}) {
    EXPECT_THROW(parse_axis(bad), foundation::Fault) << bad;
  }
}

}  // namespace
}  // namespace tvp::cli
