// For each core, executed plus slept instructions equal the instructions executed in lockstep.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

class InstructionCounts : public test::FolderTest,
                          public ::testing::WithParamInterface<const char*> {
 protected:
  /// Counts by name of core.
  std::map<std::string, std::uint64_t> passed(const std::string& options) {
    const std::string file = path("report.json");
    const test::Outcome run =
        test::vp("run " + std::string(GetParam()) + " --quiet --report " + file + options);
    EXPECT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json report = test::read_json(file);
    slept_ = report.at("slept_instructions").get<std::uint64_t>();
    std::map<std::string, std::uint64_t> passed;
    std::uint64_t all = 0;
    for (const auto& core : report.at("cores")) {
      const auto count = core.at("executed_instructions").get<std::uint64_t>() +
                         core.at("slept_instructions").get<std::uint64_t>();
      passed[core.at("name")] = count;
      all += count;
    }
    EXPECT_EQ(all, report.at("executed_instructions").get<std::uint64_t>() + slept_);
    return passed;
  }
  std::uint64_t slept_ = 0;
};

TEST_P(InstructionCounts, AreThoseOfLockstep) {
  const auto sleeping = passed("");
  EXPECT_GT(slept_, 0U);
  const auto executing = passed(" --lockstep");
  EXPECT_EQ(slept_, 0U);
  EXPECT_EQ(sleeping, executing);
}

INSTANTIATE_TEST_SUITE_P(Workloads, InstructionCounts,
                         ::testing::Values("dram_loopback", "noc_exchange", "noc_latency",
                                           "ethernet_latency",
                                           "pim_allreduce --set pim_allreduce.bytes=1024",
                                           "pim_all_gather --set pim_all_gather.bytes=1024"));

}  // namespace
}  // namespace tvp
