// Model steps spread over chips, on the command line. Each kind gives exact results, its golden
// result detects mistakes, and changed parameters affect the expected parts.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

using Ended = test::ReportedRun;

Ended run(const std::string& settings) { return test::run_with_report("run parallel " + settings); }

double metric(const Ended& run, const char* name) {
  return run.report.at("metrics").at(name).at("value").get<double>();
}

std::map<std::string, double> parts(const Ended& run) {
  std::map<std::string, double> takes;
  for (const auto& phase : run.report.at("phases"))
    takes[phase.at("name").get<std::string>()] =
        phase.at("end_ns").get<double>() - phase.at("begin_ns").get<double>();
  return takes;
}

class Kinds : public ::testing::TestWithParam<const char*> {};

TEST_P(Kinds, AreRightToTheBit) {
  const Ended ended = run(std::string("--set kind=") + GetParam());
  ASSERT_EQ(ended.exit_code, 0) << ended.errors;
  EXPECT_EQ(metric(ended, "devices"), 8);
  EXPECT_GT(metric(ended, "products"), 0);
  EXPECT_GT(metric(ended, "collectives"), 0);
}

INSTANTIATE_TEST_SUITE_P(On2x4, Kinds,
                         ::testing::Values("tp", "dp", "sp", "ep", "pp",
                                           "tp,tokens=64,width=96,inner=512,algo=rabenseifner",
                                           "ep,algo=ring_relay", "pp,batches=1", "dp,mean=true",
                                           "tp,chunks=3", "sp,chunks=2", "pp,overlap=true",
                                           "pp,overlap=true,batches=1"));

TEST(Parallel, OverlapHidesTimeOfCollectives) {
  for (const char* kind :
       {"tp,chunks=4,tokens=256,width=256,inner=512", "sp,chunks=2,tokens=512,width=128,inner=512",
        "pp,overlap=true,batches=6,width=128"}) {
    const Ended ended = run(std::string("--system small_ring --set kind=") + kind);
    ASSERT_EQ(ended.exit_code, 0) << kind << ended.errors;
    EXPECT_GT(metric(ended, "exposed"), 0) << kind;
    EXPECT_LT(metric(ended, "exposed"), 0.9 * metric(ended, "collectives")) << kind;
  }
  const Ended alone = run("--system small_ring --set kind=tp");
  ASSERT_EQ(alone.exit_code, 0) << alone.errors;
  EXPECT_EQ(metric(alone, "exposed"), metric(alone, "collectives"));
}

/// Drops one instruction of the matrix unit in the first phase, which multiplies small numbers.
TEST(Parallel, AMissingInstructionIsNoticed) {
  for (const char* kind : {"tp", "ep"}) {
    const Ended ended = run(std::string("--system pair --set kind=") + kind +
                            ",coprocessor.drop_opcode=MVMUL,coprocessor.drop_nth=5,"
                            "coprocessor.drop_in=tensix");
    EXPECT_EQ(ended.exit_code, 1) << kind << ended.errors;
    EXPECT_NE(ended.report.at("reason").get<std::string>().find("whole matrices"),
              std::string::npos);
  }
}

// Between two chips, sums limit the collective until links are slower.
TEST(Parallel, SlowerLinksLengthenCollectivesOnly) {
  const std::string settings = "--system pair --set kind=dp,width=256,inner=256";
  const Ended usual = run(settings);
  const Ended slower = run(settings + " --set ethernet.line_bytes_per_ns=6.25");
  ASSERT_EQ(usual.exit_code, 0) << usual.errors;
  ASSERT_EQ(slower.exit_code, 0) << slower.errors;
  EXPECT_EQ(parts(usual).at("gradients"), parts(slower).at("gradients"));
  EXPECT_LT(parts(usual).at("all_reduce"), parts(slower).at("all_reduce"));
}

TEST(Parallel, LockstepEndsAtTheSamePicosecondWithTheSameBits) {
  const std::string settings = "--system pair --set kind=sp";
  const Ended fast = run(settings);
  const Ended lockstep = run(settings + " --lockstep");
  ASSERT_EQ(fast.exit_code, 0) << fast.errors;
  ASSERT_EQ(lockstep.exit_code, 0) << lockstep.errors;
  EXPECT_EQ(fast.report.at("state_digest"), lockstep.report.at("state_digest"));
  EXPECT_EQ(fast.report.at("phases"), lockstep.report.at("phases"));
}

TEST(Parallel, RefusesWhatDoesNotDivide) {
  test::expect("run parallel --system pair --set kind=sp,tokens=100", 2,
               {"parallel.tokens: is 100: expected a multiple of 64"});
  test::expect("run parallel --system pair --set kind=dp,chunks=2", 2,
               {"parallel.chunks: is 2 with kind=dp: expected kind=tp or sp"});
  test::expect("run parallel --system pair --set kind=tp,overlap=true", 2,
               {"parallel.overlap: is true with kind=tp: expected kind=pp"});
  test::expect("run parallel --system pair --set inner=32", 2,
               {"parallel.inner: is 32: expected a multiple of 64"});
  test::expect("run parallel --system pair --set width=50", 2, {"parallel.width: is 50"});
  test::expect("run parallel --system pair --set algo=bucket", 2, {"bucket", "expected"});
  test::expect("run parallel --system pair --set algo=pat", 2,
               {"pat", "does not support all_reduce"});
  test::expect("run parallel --system single_chip", 2, {"expected 2 or more"});
}

}  // namespace
}  // namespace tvp
