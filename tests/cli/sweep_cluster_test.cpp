// Sweeps whose runs are shared by several processes: ranks of MPI and tasks of Slurm.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/slurm_cluster.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

namespace tvp::sweep_cluster_test {
namespace {

namespace fs = std::filesystem;

bool await(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(200);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    poll(nullptr, 0, 20);  // a busy wait would slow down what it waits for
  }
  return true;
}

class SweepCluster : public test::FolderTest {
 protected:
  std::vector<std::string> sweep(const std::string& arguments, const std::string& out) const {
    std::vector<std::string> command{test::kProgram, "sweep"};
    for (const std::string& word : test::words_of(arguments)) command.push_back(word);
    command.insert(command.end(), {"--out", path(out)});
    return command;
  }
  std::size_t records(const std::string& out) const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path(out + "/points"), error))
      count += entry.path().extension() == ".json" ? 1 : 0;
    return count;
  }
  /// The processes that execute runs, from the names of their files.
  std::set<pid_t> workers(const std::string& out) const {
    std::set<pid_t> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path(out + "/points"), error)) {
      if (entry.path().extension() != ".errors") continue;
      const std::string name = entry.path().stem();
      found.insert(std::stoi(name.substr(name.rfind('.') + 1)));
    }
    return found;
  }
  void expect_equal(const std::string& a, const std::string& b) const {
    const auto first = test::read_json(path(a + "/sweep.json"));
    const auto second = test::read_json(path(b + "/sweep.json"));
    ASSERT_EQ(first["runs"].size(), second["runs"].size());
    for (std::size_t r = 0; r < first["runs"].size(); ++r) {
      for (const char* part : {"values", "status", "figures", "state_digest", "report", "identity"})
        EXPECT_EQ(first["runs"][r][part], second["runs"][r][part]) << r << " " << part;
    }
    EXPECT_EQ(test::read_file(path(a + "/sweep.csv")), test::read_file(path(b + "/sweep.csv")));
    EXPECT_EQ(test::read_file(path(a + "/sweep.parquet")),
              test::read_file(path(b + "/sweep.parquet")));
  }
};

using SweepMpi = SweepCluster;

TEST_F(SweepMpi, RanksShareTheRuns) {
  const std::vector<std::string> mpirun{"mpirun", "--allow-run-as-root", "--oversubscribe", "-n"};
  if (test::execute({.command = {"sh", "-c", "command -v mpirun"}}).exit_code != 0)
    GTEST_SKIP() << "mpirun is missing (Debian: openmpi-bin)";
  const std::string arguments =
      "noc_exchange --quiet --vary rounds=1:6:1 --vary noc.hop_cycles=9,18";
  test::expect(test::execute({.command = sweep(arguments, "local")}), "local", 0, {});
  for (const char* ranks : {"1", "3"}) {
    const std::string out = std::string("mpi") + ranks;
    std::vector<std::string> command = mpirun;
    command.push_back(ranks);
    const auto words = sweep(arguments + " --mpi", out);
    command.insert(command.end(), words.begin(), words.end());
    test::expect(test::execute({.command = command}), out, 0, {});
    expect_equal(out, "local");
    EXPECT_EQ(records(out), 12u);
  }
}

TEST_F(SweepMpi, WrongUseIsNamed) {
  const std::string one = "noc_exchange --vary rounds=1 ";
  test::expect(test::execute({.command = sweep(one + "--mpi", "o")}), "no rank", 2,
               {"--mpi", "expected mpirun -n RANKS"});
  test::expect(test::execute({.command = sweep(one + "--mpi --slurm", "o")}), "both", 2,
               {"expected at most one"});
  test::expect(test::execute({.command = sweep(one + "--sbatch=-p", "o")}), "alone", 2,
               {"--sbatch", "expected --slurm"});
  test::expect(test::execute({.command = sweep(one + "--join", "o")}), "no leader", 2,
               {"--join", "expected one that another process leads"});
}

// A rank that is killed leaves its run to the others.
TEST_F(SweepMpi, AnotherProcessTakesOverTheRunOfAKilledOne) {
  const std::string arguments = "noc_exchange --quiet --jobs 1 --vary rounds=3000,2,3,4";
  test::expect(test::execute({.command = sweep(arguments, "local")}), "local", 0, {});
  foundation::Process leader({.command = sweep(arguments, "out")});
  ASSERT_TRUE(await([&] { return workers("out").count(leader.id()) != 0; }));
  foundation::Process helper({.command = sweep(arguments + " --join", "out")});
  ASSERT_TRUE(await([&] { return workers("out").count(helper.id()) != 0 || records("out") > 1; }));
  kill(leader.id(), SIGKILL);
  leader.finish();
  helper.finish();
  EXPECT_EQ(helper.exit_code(), 0) << helper.said();
  const auto again = test::execute({.command = sweep(arguments, "out")});
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_EQ(records("out"), 4u);
  EXPECT_TRUE(workers("out").empty());
  expect_equal("out", "local");
}

class SweepSlurm : public SweepCluster {
 protected:
  void SetUp() override {
    if (const auto reason = test::SlurmCluster::missing()) GTEST_SKIP() << *reason;
    cluster_.emplace(2);
    ASSERT_TRUE(cluster_->up()) << cluster_->log();
  }
  test::Outcome run(const std::string& arguments, const std::string& out) const {
    return test::execute(cluster_->with_cluster(sweep(arguments, out)));
  }
  foundation::Process start(const std::string& arguments, const std::string& out) const {
    return foundation::Process(cluster_->with_cluster(sweep(arguments, out)));
  }
  void kill_tasks(const std::string& out) const {
    for (const pid_t worker : workers(out)) kill(worker, SIGKILL);
  }
  std::optional<test::SlurmCluster> cluster_;
};

TEST_F(SweepSlurm, AKilledSweepOf200PointsIsResumedWithTheFiguresOfTheLocalOne) {
  const std::string arguments =
      "noc_exchange --quiet --vary rounds=1:20:1 --vary noc.hop_cycles=2:11:1";
  test::expect(test::execute({.command = sweep(arguments, "local")}), "local", 0, {});
  ASSERT_EQ(records("local"), 200u);
  foundation::Process leader = start(arguments + " --slurm", "out");
  ASSERT_TRUE(await([&] { return records("out") >= 40; })) << cluster_->log();
  kill(leader.id(), SIGKILL);
  leader.finish();
  // The job outlives its leader until its tasks are killed, too.
  ASSERT_TRUE(await([&] { return records("out") >= 50; }));
  std::set<pid_t> killed;
  ASSERT_TRUE(await([&] {
    const auto now = workers("out");
    for (const pid_t worker : now) kill(worker, SIGKILL);
    killed.insert(now.begin(), now.end());
    return killed.size() == 2;
  }));
  const std::size_t done = records("out");
  EXPECT_LT(done, 200u);
  std::vector<std::pair<fs::path, fs::file_time_type>> written;
  for (const auto& entry : fs::directory_iterator(path("out/points"))) {
    if (entry.path().extension() == ".json")
      written.emplace_back(entry.path(), fs::last_write_time(entry.path()));
  }
  const auto again = run(arguments + " --slurm", "out");
  EXPECT_EQ(again.exit_code, 0) << again.output << cluster_->log();
  EXPECT_EQ(records("out"), 200u);
  for (const auto& [file, time] : written) EXPECT_EQ(fs::last_write_time(file), time) << file;
  EXPECT_TRUE(workers("out").empty());
  expect_equal("out", "local");
}

TEST_F(SweepSlurm, AQueueThatRejectsTheJobIsNamed) {
  const std::string arguments = "noc_exchange --quiet --vary rounds=1,2 --slurm ";
  test::expect(run(arguments + "--sbatch=--partition=nowhere", "out"), "partition", 71,
               {"--slurm: the queue rejected the job", "nowhere"});
  test::expect(run(arguments + "--sbatch=--nodes=3", "out"), "nodes", 71,
               {"--slurm: the queue rejected the job"});
  // A bad value is found before there is a job.
  test::expect(run("noc_exchange --vary rounds=1,0 --slurm", "none"), "value", 2,
               {"rounds", "'0'", "expected an integer"});
  EXPECT_FALSE(fs::exists(path("none")));
  test::expect(run(arguments, "out"), "retry", 0, {});
  EXPECT_EQ(records("out"), 2u);
}

TEST_F(SweepSlurm, OtherNodesExecuteTheRunsOfALostOne) {
  const std::string arguments = "noc_exchange --quiet --vary rounds=1:40:1 --slurm";
  foundation::Process leader = start(arguments, "out");
  ASSERT_TRUE(await([&] { return records("out") >= 4 && workers("out").size() == 2; }));
  cluster_->lose(2);
  leader.finish();
  EXPECT_EQ(leader.exit_code(), 0) << leader.said();
  EXPECT_NE(leader.said().find("on node n2 ended with NODE_FAIL"), std::string::npos)
      << leader.said() << cluster_->log();
  EXPECT_EQ(records("out"), 40u);
}

TEST_F(SweepSlurm, ASweepThatHasLostAllNodesEndsAndNamesThem) {
  const std::string arguments = "noc_exchange --quiet --vary rounds=1:40:1 --slurm --jobs 3";
  foundation::Process leader = start(arguments, "out");
  ASSERT_TRUE(await([&] { return records("out") >= 4 && workers("out").size() == 2; }));
  cluster_->lose(1);
  cluster_->lose(2);
  std::set<pid_t> killed;
  ASSERT_TRUE(await([&] {
    const auto now = workers("out");
    for (const pid_t worker : now) kill(worker, SIGKILL);
    killed.insert(now.begin(), now.end());
    return killed.size() == 2;
  }));
  leader.finish(120);
  EXPECT_EQ(leader.exit_code(), 71) << leader.said();
  for (const char* part : {"on node n1 ended with NODE_FAIL", "on node n2 ended with NODE_FAIL",
                           "of 40 runs without a result", "the same command executes them"})
    EXPECT_NE(leader.said().find(part), std::string::npos) << part << "\n" << leader.said();
  const auto json = test::read_json(path("out/sweep.json"));
  EXPECT_EQ(json["interrupted"], true);
  test::expect(test::execute({.command = sweep("noc_exchange --vary rounds=1:40:1", "out")}),
               "here", 0, {"of 40 runs are kept"});
}

}  // namespace
}  // namespace tvp::sweep_cluster_test
