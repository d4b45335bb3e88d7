// The matmul workload on the command line: every variant against its golden result, lockstep
// against horizons, and mistakes that the golden result must detect.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

using Ended = test::ReportedRun;

Ended run(const std::string& arguments) { return test::run_with_report("run " + arguments); }

class Matmul : public ::testing::TestWithParam<const char*> {};

TEST_P(Matmul, IsWhatRoundingExplains) {
  const Ended result = run(std::string("matmul --set ") + GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  ASSERT_TRUE(result.report.is_object());
  EXPECT_EQ(result.report.at("status"), "passed");
  // The run computed with rounding.
  EXPECT_GT(result.report.at("error").at("max_abs").get<double>(), 0);
  EXPECT_GT(result.report.at("metrics").at("cycles_per_tile").at("value").get<double>(), 16);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(
    Variants, Matmul,
    ::testing::Values(
        "m=128,n=128,k=128,blocks=2",
        "m=128,n=128,k=128,blocks=1,transpose=true",
        "m=128,n=128,k=128,blocks=2,transpose=true,kernel=tiles,fidelity=lofi",
        "m=128,n=128,k=128,blocks=4,format=bfp8_b,fidelity=lofi,resident=true,l1_accumulate=true",
        "m=64,n=96,k=160,blocks=5,subblock_m=2,subblock_n=3,fidelity=hifi3",
        "m=96,n=96,k=64,blocks=2,subblock_m=3,subblock_n=1,l1_accumulate=true",
        "m=64,n=64,k=128,blocks=4,subblock_m=1,subblock_n=2,fp32_dst=true,l1_accumulate=true",
        "m=32,n=32,k=32,blocks=1,subblock_m=1,subblock_n=1"));
// clang-format on

TEST(MatmulRun, LockstepEndsAtTheSamePicosecondWithTheSameBits) {
  const std::string settings =
      "matmul --set m=128,n=64,k=128,blocks=2,format=bfp8_b,fidelity=lofi,l1_accumulate=true";
  const Ended fast = run(settings);
  const Ended lockstep = run(settings + " --lockstep");
  ASSERT_EQ(fast.exit_code, 0) << fast.errors;
  ASSERT_EQ(lockstep.exit_code, 0) << lockstep.errors;
  EXPECT_EQ(fast.report.at("state_digest"), lockstep.report.at("state_digest"));
  EXPECT_EQ(fast.report.at("simulated_ps"), lockstep.report.at("simulated_ps"));
  EXPECT_EQ(fast.report.at("phases"), lockstep.report.at("phases"));
  EXPECT_EQ(lockstep.report.at("slept_instructions").get<std::uint64_t>(), 0u);
}

// The exact sums round towards zero as no hardware does, and lose later phases in large sums.
TEST(MatmulRun, ExactSumsAreNoWrongResult) {
  const Ended result = run("matmul --set coprocessor.exact_sums=true");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  ASSERT_TRUE(result.report.is_object());
  EXPECT_LT(result.report.at("metrics").at("mean error").at("value").get<double>(), -0.3);
}

/// Dropping one of 128 x 4 MVMULs of the first phase removes 16 products from 128 results.
TEST(MatmulRun, AMissingInstructionIsNoticed) {
  const Ended result =
      run("matmul --set m=64,n=64,k=64,blocks=1,subblock_m=2,subblock_n=2,"
          "coprocessor.drop_opcode=MVMUL,coprocessor.drop_nth=70,coprocessor.drop_in=tensix");
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  ASSERT_TRUE(result.report.is_object());
  EXPECT_NE(result.report.at("reason").get<std::string>().find("of 4096 results"),
            std::string::npos)
      << result.report.at("reason");
}

TEST(MatmulRun, RefusesWhatDoesNotFit) {
  const struct {
    const char *settings, *key;
  } cases[] = {{"m=40", "matmul.m"},
               {"k=96,blocks=2", "matmul.blocks"},
               {"subblock_m=3", "matmul.subblock_m"},
               {"fp32_dst=true", "matmul.subblock_m"},
               {"n=320,subblock_n=4", "matmul.subblock_n"},
               {"m=4096,n=4096", "bytes"}};
  for (const auto& each : cases) {
    const Ended result = run(std::string("matmul --set ") + each.settings);
    EXPECT_EQ(result.exit_code, 2) << each.settings;
    EXPECT_NE(result.errors.find(each.key), std::string::npos) << result.errors;
  }
}

}  // namespace
}  // namespace tvp
