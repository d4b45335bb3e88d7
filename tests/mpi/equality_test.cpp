#include "tests/mpi/ranks_bench.h"

namespace tvp {
namespace {

class MpiEquality : public RanksBench {};

struct Job {
  std::string arguments;
  std::vector<unsigned> ranks;
  std::string placed{};  ///< further settings of the last number of ranks
  int exit_code = 0;
};

class MpiJobs : public RanksBench, public ::testing::WithParamInterface<Job> {};

// The whole report is equal: results, times, digest, counters of cores and links, waits, warnings.
TEST_P(MpiJobs, ReportsOfAllNumbersOfRanksAreEqual) {
  const Job& job = GetParam();
  const auto one = report(1, job.arguments, job.exit_code);
  ASSERT_FALSE(one.is_discarded());
  EXPECT_NE(one["state_digest"], "");
  for (const unsigned ranks : job.ranks) {
    const bool is_last = ranks == job.ranks.back();
    const auto several = report(ranks, job.arguments + (is_last ? job.placed : ""), job.exit_code);
    EXPECT_EQ(one, several) << nlohmann::json::diff(one, several).dump(1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MpiJobs,
    ::testing::Values(Job{"sdpa", {2, 3, 4}},
                      Job{"sdpa", {2}, " --set mpi.placement='0 1 0 1',threads=2"},
                      Job{"sdpa --lockstep", {3}, " --set mpi.placement='2 0 1 0'"},
                      Job{"sdpa --max-time 15us", {4}, "", 5}, Job{"ethernet_latency", {2}},
                      Job{"fabric_latency --set samples=4", {3}},
                      Job{"fabric_neighbors --set packets=8", {8}}, Job{"collective", {2, 4}},
                      Job{"parallel", {8}, " --set mpi.placement='7 6 5 4 3 2 1 0'"}));

TEST_F(MpiEquality, ARankSimulatesItsChipsOnly) {
  const std::string file = path("two.json");
  const auto outcome = run(2, "run sdpa --set mpi.placement='1 1 1 0' --quiet --report " + file);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  const auto made = test::read_json(file);
  ASSERT_EQ(made["ranks"].size(), 2U);
  EXPECT_EQ(made["ranks"][0]["chips"], "chip 3");
  EXPECT_EQ(made["ranks"][1]["chips"], "chips 0, 1, 2");
  EXPECT_EQ(made["ranks"][0]["windows"], made["ranks"][1]["windows"]);
  EXPECT_LT(made["ranks"][0]["largest_memory_mib"], made["ranks"][1]["largest_memory_mib"]);
}

// A hang of one process and of several has the same waits, time and digest. Texts that look for
// possible signallers see those of the same rank only.
TEST_F(MpiEquality, AHangIsReportedOnce) {
  const std::string job = "sdpa --set ethernet.faults=chip0-chip1@14000";
  const auto one = report(1, job, 4);
  const auto three = report(3, job, 4);
  for (const char* key : {"state_digest", "simulated_ps", "cores", "links"})
    EXPECT_EQ(one[key], three[key]) << key;
  for (unsigned line = 0; line < 2; ++line) EXPECT_EQ(one["waiting"][line], three["waiting"][line]);
  EXPECT_EQ(one["waiting"].size(), three["waiting"].size());
}

// mpirun with one rank is an ordinary run, and commands that do not simulate run on rank 0 only.
TEST_F(MpiEquality, OneRankIsAnOrdinaryRun) {
  EXPECT_EQ(run(1, "run ethernet_latency --quiet").exit_code, 0);
  const auto listed = run(3, "list pair");
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_EQ(listed.output.find("pair"), listed.output.rfind("\npair") + 1) << listed.output;
}

}  // namespace
}  // namespace tvp
