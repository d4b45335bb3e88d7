// Consumers of the prefetcher other than the ring, and operations that pause it.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using Ended = test::ReportedRun;

/// All formats. Blocks of the second tensor end elsewhere than groups of four tiles.
std::string model() {
  const fs::path file = fs::path(TVP_KERNEL_FOLDER) / "consumers.toml";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << R"([[tensor]]
name = "a"
k = 384
n = 448
format = "bfloat8_b"
[[tensor]]
name = "b"
k = 160
n = 224
format = "bfloat16"
[[tensor]]
name = "c"
k = 576
n = 1088
format = "bfloat4_b"
)";
  return file.string();
}

Ended run(const std::string& settings, const std::string& rest = "") {
  return test::run_with_report("run prefetcher --set model=" + model() + ",banks=3," + settings +
                               rest);
}

double metric(const Ended& result, const std::string& name) {
  return result.report.at("metrics").at(name).at("value").get<double>();
}

std::string outputs(const Ended& run) {
  for (const auto& remark : run.report.at("remarks"))
    if (remark.get<std::string>().starts_with("outputs")) return remark;
  return "no outputs";
}

class PrefetcherConsumers : public ::testing::TestWithParam<const char*> {};

TEST_P(PrefetcherConsumers, EveryResultIsWhatRoundingExplains) {
  const Ended result = run(GetParam());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.report.at("status"), "passed");
  EXPECT_GT(metric(result, "read"), 1);
  EXPECT_GT(metric(result, "written"), 1);
  EXPECT_GT(metric(result, "results"), 1);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(
    Variants, PrefetcherConsumers,
    ::testing::Values(
        "layers=2,consumer=activation,function=relu",
        "layers=1,consumer=activation,function=silu,compact=true,depth=1",
        "layers=1,consumer=activation,function=gelu,receivers=1,performance_mode=false",
        "layers=2,consumer=eltwise_chain",
        "layers=2,consumer=eltwise_chain,fidelity=lofi,stream_credits=true,depth=1",
        "layers=1,consumer=eltwise_chain,fidelity=hifi4,write_ids=true,receivers=3,places=5",
        "layers=1,consumer=activation,function=relu,consumer_pauses=true,write_ids=true,depth=1",
        "layers=1,consumer=eltwise_chain,consumer_pauses=true,stream_credits=true,compact=true"));
// clang-format on

/// Results do not depend on who pauses the senders.
TEST(PrefetcherPauses, NothingIsLostOrRepeated) {
  const std::string chain = "layers=1,consumer=eltwise_chain";
  const std::string expected = outputs(run(chain));
  EXPECT_EQ(expected.size(), std::string("outputs of all cores and layers hash to ").size() + 32);
  EXPECT_EQ(outputs(run(chain + ",consumer_pauses=true")), expected);
  EXPECT_EQ(outputs(run(chain + ",rival_reads_kib=64,rival_kib=64,pause=true")), expected);
}

TEST(PrefetcherPauses, LockstepEndsAtTheSamePicosecondWithTheSameBits) {
  const std::string settings = "layers=1,consumer=eltwise_chain,consumer_pauses=true";
  const Ended fast = run(settings);
  const Ended lockstep = run(settings, " --lockstep");
  ASSERT_EQ(fast.exit_code, 0) << fast.errors;
  ASSERT_EQ(lockstep.exit_code, 0) << lockstep.errors;
  EXPECT_EQ(fast.report.at("state_digest"), lockstep.report.at("state_digest"));
  EXPECT_EQ(fast.report.at("simulated_ps"), lockstep.report.at("simulated_ps"));
}

/// Another operation that reads the senders' banks has their whole bandwidth between pause and
/// resume, and not without a pause.
TEST(PrefetcherPauses, AnotherOperationHasTheBanksBetweenPauseAndResume) {
  const std::string settings =
      "run prefetcher --set model=small,banks=3,layers=1,rival_reads_kib=256";
  const Ended beside = test::run_with_report(settings);
  const Ended paused = test::run_with_report(settings + ",pause=true");
  ASSERT_EQ(beside.exit_code, 0) << beside.errors;
  ASSERT_EQ(paused.exit_code, 0) << paused.errors;
  EXPECT_EQ(metric(beside, "rival_reads_alone"), metric(paused, "rival_reads_alone"));
  EXPECT_GT(metric(paused, "rival_reads"), 0.97 * metric(paused, "rival_reads_alone"));
  EXPECT_LT(metric(beside, "rival_reads"), 0.8 * metric(beside, "rival_reads_alone"));
  EXPECT_GT(metric(paused, "reader_pauses"), 0);
  EXPECT_EQ(outputs(beside), outputs(paused));
}

/// A result with a wrong datum fails and names its core.
TEST(PrefetcherPauses, WrongResultsAreNoticed) {
  const Ended dropped =
      run("layers=1,consumer=eltwise_chain,coprocessor.drop_opcode=ELWADD,"
          "coprocessor.drop_nth=200,coprocessor.drop_in=tensix");
  EXPECT_EQ(dropped.exit_code, 1) << dropped.errors;
  EXPECT_NE(dropped.report.at("reason").get<std::string>().find("on the receiver ("),
            std::string::npos);
}

TEST(PrefetcherConsumersUse, BadInputIsNamed) {
  const auto complains = [](const std::string& settings, const char* what) {
    const test::Outcome outcome = test::vp("run prefetcher --set " + settings);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
    EXPECT_NE(outcome.output.find(what), std::string::npos) << outcome.output;
  };
  complains("consumer=conv", "prefetcher.consumer");
  complains("consumer=activation",
            "prefetcher.function: none with consumer=activation; expected relu, silu or gelu");
  complains("consumer=eltwise_chain,function=relu", "prefetcher.function");
  complains("consumer=eltwise_chain,feed=direct", "prefetcher.feed");
  complains("consumer_pauses=true", "prefetcher.consumer_pauses");
  complains("rival_reads_kib=12", "prefetcher.rival_reads_kib: 12; expected packets of 8 KiB");
  complains("pause=true", "expected rival_kib or rival_reads_kib");
}

}  // namespace
}  // namespace tvp
