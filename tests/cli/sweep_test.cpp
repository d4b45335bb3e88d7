#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;

class Sweep : public test::FolderTest {
 protected:
  void expect(const std::string& arguments, int exit_code,
              const std::vector<std::string>& parts) const {
    test::expect("sweep " + arguments + " --out " + path("out"), exit_code, parts);
  }
  nlohmann::json result() const { return test::read_json(path("out/sweep.json")); }
};

TEST_F(Sweep, EveryKeyAndValueIsCheckedBeforeAnythingRuns) {
  expect("sdpa", 2, {"--vary"});
  expect("sdpaa --vary noc.hop_cycles=9", 2, {"did you mean 'sdpa'?"});
  expect("sdpa --vary noc.hop_cycles", 2, {"noc.hop_cycles", "expected key=a,b,c"});
  expect("sdpa --vary noc.hop_cycle=9,18", 2, {"noc.hop_cycle", "did you mean 'noc.hop_cycles'?"});
  expect("sdpa --vary noc.hop_cycles=9,nine", 2,
         {"noc.hop_cycles", "'nine'", "expected an integer"});
  expect("sdpa --vary noc.hop_cycles=9:0:-9", 2, {"noc.hop_cycles", "'0'", "expected an integer"});
  expect("sdpa --vary head_dim=128,100000", 2, {"head_dim", "'100000'", "expected an integer"});
  expect("sdpa --vary router=model,rtl", 2, {"'mesh.router' has no effect on quad_ring"});
  expect("sdpa --vary seed=1,x", 2, {"seed", "'x'", "expected an integer"});
  expect("sdpa --vary system=quad_ring,quad_rink", 2, {"quad_rink"});
  expect("sdpa --vary noc.hop_cycles=9 --set ethernet.nothing=1", 2, {"ethernet.nothing"});
  expect("sdpa --vary head_dim=64 --set sdpa.head_dim=64", 2, {"sdpa.head_dim", "--set, too"});
  expect("sdpa --vary head_dim=64 --vary sdpa.head_dim=128", 2, {"sdpa.head_dim", "twice"});
  expect("sdpa --vary system=quad_ring --system quad_ring", 2, {"--system, too"});
  expect("sdpa --vary seed=1,2 --seed 1", 2, {"--vary seed: is given by --seed, too"});
  expect("sdpa --vary seed=1:1000:1 --vary noc.hop_cycles=1:1000:1", 2, {"more than 10000 runs"});
  const std::string several = "is written by several runs";
  expect("sdpa --vary seed=1,2 --set wave.file=a.fst", 2, {"--set wave.file=a.fst", several});
  expect("elf --vary seed=1,2 --set signature=s", 2, {"--set elf.signature=s", several});
  expect("sdpa --vary wave.file=a.fst,b.fst --vary seed=1,2", 2, {"--vary wave.file", several});
  expect("sdpa --vary wave.file=a.fst,./a.fst", 2, {"--vary wave.file", "is the file of"});
  expect("sdpa --vary seed=1 --jobs 0", 2, {"--jobs"});
  expect("sdpa --vary seed=1 --max-time soon", 2, {"time 'soon'"});
  EXPECT_FALSE(fs::exists(path("out")));
  std::ofstream(path("out")) << "a file";
  expect("noc_exchange --vary seed=1", 2, {"--out", "expected a folder"});
}

TEST_F(Sweep, RunsAreThoseOfVpRunInTheOrderOfTheValues) {
  const std::string axes = "noc_exchange --vary noc.hop_cycles=18,9 --vary rounds=4:8:4 --jobs ";
  expect(axes + "4", 0, {"noc.hop_cycles, cycles", "passed", "base", "sweep.html"});
  const auto json = result();
  ASSERT_EQ(json["runs"].size(), 4u);
  const int order[4][2] = {{18, 4}, {18, 8}, {9, 4}, {9, 8}};
  for (std::size_t r = 0; r < 4; ++r) {
    const auto& run = json["runs"][r];
    EXPECT_EQ(run["values"]["noc.hop_cycles"], order[r][0]);
    EXPECT_EQ(run["values"]["noc_exchange.rounds"], order[r][1]);
    const auto report = test::read_json(path("out/" + run["report"].get<std::string>()));
    EXPECT_EQ(report["settings"]["noc.hop_cycles"]["value"], std::to_string(order[r][0]));
    EXPECT_EQ(report["metrics"]["kernel_cycles"]["value"], run["figures"]["kernel_cycles"]);
    EXPECT_EQ(report["state_digest"], run["state_digest"]);
  }
  // The base has the defaults of both keys.
  EXPECT_EQ(json["baseline"], 3);
  EXPECT_GT(json["runs"][1]["figures"]["exchange"], json["runs"][3]["figures"]["exchange"]);

  const test::Outcome alone = test::vp(
      "run noc_exchange --quiet --set noc.hop_cycles=18,rounds=4 --report " + path("alone.json"));
  EXPECT_EQ(alone.exit_code, 0) << alone.output;
  EXPECT_EQ(test::read_json(path("alone.json"))["state_digest"], json["runs"][0]["state_digest"]);
  EXPECT_NE(test::read_file(path("out/sweep.html")).find("<title>sweep of noc_exchange</title>"),
            std::string::npos);

  const std::string csv = test::read_file(path("out/sweep.csv"));
  fs::remove_all(path("out"));
  expect(axes + "1", 0, {});
  EXPECT_EQ(test::read_file(path("out/sweep.csv")), csv);
}

TEST_F(Sweep, SeedsAndSystemsAreKeysToo) {
  expect(
      "dram --set dram_traffic.requests=500,dram_traffic.pattern=random --vary seed=1,2 "
      "--vary system=ddr4_2400,gddr6 --metric bandwidth",
      0, {"bandwidth, GB/s"});
  const auto json = result();
  EXPECT_EQ(json["shown"], nlohmann::json({"bandwidth"}));
  ASSERT_EQ(json["runs"].size(), 4u);
  EXPECT_NE(json["runs"][0]["state_digest"], json["runs"][2]["state_digest"]);
  EXPECT_NE(json["runs"][0]["state_digest"], json["runs"][1]["state_digest"]);
}

TEST_F(Sweep, UnknownFiguresNameTheKnownOnes) {
  expect("noc_exchange --vary rounds=1 --metric speed", 2,
         {"--metric speed", "expected one of", "cycles_a_round"});
}

TEST_F(Sweep, RunsThatFailAreShownAndDecideTheExitCode) {
  // The contradiction is only found when the machine is built.
  expect("dram --set dram_traffic.requests=500 --vary dram.write_low=8,32", 2,
         {"passed", "bad usage or description", "dram.write_low=32: ", "not below"});
  const auto json = result();
  EXPECT_EQ(json["runs"][0]["exit_code"], 0);
  EXPECT_EQ(json["runs"][1]["exit_code"], 2);
  fs::remove_all(path("out"));
  expect("dram --max-time 100ns --vary seed=1,2", 5, {"time limit reached"});
  EXPECT_EQ(test::read_file(path("out/sweep.csv")).find(".errors"), std::string::npos);
}

TEST_F(Sweep, RunsThatFailAreKeptApart) {
  expect("dram --set dram_traffic.requests=500 --vary dram.write_low=8,32", 2, {});
  const std::string passed = test::read_file(path("out/sweep.csv"));
  const std::string failed = test::read_file(path("out/failed.csv"));
  EXPECT_EQ(std::count(passed.begin(), passed.end(), '\n'), 2);
  EXPECT_NE(failed.find("\n32,2,bad usage or description,"), std::string::npos) << failed;
  EXPECT_NE(failed.find("not below"), std::string::npos) << failed;
  EXPECT_TRUE(fs::exists(path("out/points/dram.write_low=8.json")));
  EXPECT_TRUE(fs::exists(path("out/failed/dram.write_low=32.json")));
  EXPECT_FALSE(fs::exists(path("out/points/dram.write_low=32.json")));
  // They would fail again.
  expect("dram --set dram_traffic.requests=500 --vary dram.write_low=8,32", 2,
         {"2 of 2 runs are kept"});
}

TEST_F(Sweep, ConditionsAndSamplesSelectRuns) {
  const std::string mesh = "noc_exchange --quiet ";
  expect(
      mesh + "--vary rounds=1:4:1 --vary noc.hop_cycles=2:4:1 --where 'rounds*2 <= noc.hop_cycles'",
      0, {});
  const auto chosen = result()["runs"];
  ASSERT_EQ(chosen.size(), 4u);  // 1 with 2, 3 and 4, and 2 with 4
  EXPECT_EQ(chosen[3]["values"]["noc_exchange.rounds"], 2);
  fs::remove_all(path("out"));
  // The samples of two keys belong together; other keys are combined with them.
  const std::string samples =
      "--vary rounds=1:20:lhs4 --vary noc.hop_cycles=2:30:random4 --vary system=single_chip";
  expect(mesh + samples + " --seed 5", 0, {});
  const auto first = result()["runs"];
  EXPECT_EQ(first.size(), 4u);
  expect(samples.empty() ? "" : "noc_exchange " + samples + " --seed 5", 0,
         {"4 of 4 runs are kept"});
  fs::remove_all(path("out"));
  expect(mesh + samples + " --seed 6", 0, {});
  EXPECT_NE(result()["runs"][0]["values"], first[0]["values"]);

  expect("noc_exchange --vary rounds=1,2 --where 'rounds > 2'", 2,
         {"--where 'rounds > 2'", "no combination of the values fulfils"});
  expect("noc_exchange --vary rounds=1,2 --where 'round > 1'", 2,
         {"unknown key 'round'", "did you mean 'rounds'?"});
  expect("noc_exchange --vary rounds=1,2 --where 'rounds 1'", 2, {"expected one of < <="});
  expect("noc_exchange --vary rounds=1:9:lhs4 --vary noc.hop_cycles=2:30:lhs5", 2,
         {"noc.hop_cycles", "sample of 5 values", "expected 4 as for noc_exchange.rounds"});
  expect("noc_exchange --vary rounds=0:9:lhs10", 2, {"rounds", "'0'", "expected an integer"});
}

// The kernel ends the sweep at once; its runs end with it.
TEST_F(Sweep, AKilledSweepIsContinued) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  const std::vector<std::string> command{
      test::kProgram, "sweep", "noc_exchange", "--vary",   "rounds=1:30:1",
      "--jobs",       "2",     "--out",        path("out")};
  foundation::Process sweep({.command = command});
  const auto records = [&] {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path("out/points"), error))
      count += entry.path().extension() == ".json" ? 1 : 0;
    return count;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (records() < 5 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  kill(sweep.id(), SIGKILL);
  sweep.finish();
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  const std::size_t kept = records();
  EXPECT_LT(kept, 30u);
  expect("noc_exchange --vary rounds=1:30:1", 0, {std::to_string(kept) + " of 30 runs are kept"});
  EXPECT_EQ(records(), 30u);
  const std::string csv = test::read_file(path("out/sweep.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 31);
  for (const auto& entry : fs::directory_iterator(path("out/points")))
    EXPECT_TRUE(entry.path().extension() == ".json" || entry.path().filename() == "claims")
        << entry.path();
}

TEST_F(Sweep, ASecondSweepContinuesTheFirst) {
  expect("noc_exchange --vary rounds=2,4", 0, {});
  const auto written = fs::last_write_time(path("out/noc_exchange.rounds=2.json"));
  expect("noc_exchange --vary rounds=2,6,4", 0, {"2 of 3 runs are kept"});
  EXPECT_EQ(fs::last_write_time(path("out/noc_exchange.rounds=2.json")), written);
  const auto json = result();
  ASSERT_EQ(json["runs"].size(), 3u);
  EXPECT_GT(json["runs"][1]["figures"]["exchange"], json["runs"][0]["figures"]["exchange"]);
  // Runs with other settings cannot be compared.
  expect("noc_exchange --vary rounds=2,4 --set noc.hop_cycles=18", 2,
         {"holds a sweep without noc.hop_cycles = 18", "expected another folder"});
  expect("noc_exchange --vary rounds=2,4 --seed 7", 2, {"seed = 1 instead of 7"});
  expect("dram --vary seed=1,2", 2, {"holds a sweep of noc_exchange"});
  std::ofstream(path("out/sweep.json")) << "{}";
  expect("noc_exchange --vary rounds=2,4", 2,
         {"sweep.json", "is no sweep.json of the command sweep"});
}

TEST_F(Sweep, RunsAreMadeAnewWhenWhatTheyReadHasChanged) {
  const auto system = [&](const char* hops) {
    std::ofstream(path("own.toml")) << "schema = 1\nextends = \"single_chip\"\nname = \"own\"\n"
                                    << "[noc]\nhop_cycles = " << hops << "\n";
  };
  system("9");
  const std::string arguments = "noc_exchange --vary rounds=2 --system " + path("own.toml");
  expect(arguments, 0, {});
  const auto before = result()["runs"][0];
  expect(arguments, 0, {"1 of 1 runs are kept"});
  system("18");
  expect(arguments, 0, {});
  EXPECT_GT(result()["runs"][0]["figures"]["exchange"], before["figures"]["exchange"]);
}

TEST_F(Sweep, RunsAreMadeAnewWhenAHeaderOfKernelsHasChanged) {
  const std::string kHeaders[] = {"firmware/a.h", "foundation/contract/b.h", "foundation/regs/c.h"};
  for (const std::string& header : kHeaders) {
    fs::create_directories(fs::path(path(header)).parent_path());
    write(header, "// one\n");
  }
  const auto sweep = [&] {
    return test::execute(
        {.command = {test::kProgram, "sweep", "mesh", "--vary", "seed=1", "--out", path("out")},
         .environment = {"TENSIX_VP_ROOT=" + folder().string()}});
  };
  const std::string kept = "1 of 1 runs are kept";
  test::expect(sweep(), "first", 0, {});
  for (const std::string& header : kHeaders) {
    test::expect(sweep(), "unchanged", 0, {kept});
    write(header, "// another\n");
    EXPECT_EQ(sweep().output.find(kept), std::string::npos) << header;
  }
}

// Sends the signal to the sweep only, as `kill` does. The sweep ends its runs.
TEST_F(Sweep, CtrlCEndsTheRunsAndKeepsWhatIsThere) {
  // Orphaned processes become children of this process.
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  foundation::Process sweep({.command = {test::kProgram, "sweep", "noc_exchange", "--vary",
                                         "rounds=2,1000000,999999,999998", "--max-time", "100s",
                                         "--jobs", "2", "--out", path("out")}});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  // The first run is over, and two runs that take minutes are active.
  const auto has_run = [&](unsigned rounds) {
    const std::string name = "noc_exchange.rounds=" + std::to_string(rounds) + ".json.";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path("out/points"), error))
      if (entry.path().filename().string().starts_with(name)) return true;
    return false;
  };
  const auto under_way = [&] { return has_run(1000000) && has_run(999999); };
  while (!under_way() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  kill(sweep.id(), SIGINT);
  sweep.finish();
  EXPECT_EQ(sweep.exit_code(), 130) << sweep.said();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // ECHILD
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path("out"))) {
    files.push_back(entry.path().filename());
  }
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{"failed", "failed.csv", "noc_exchange.rounds=2.json",
                                             "points", "sweep.csv", "sweep.html", "sweep.json",
                                             "sweep.parquet", "sweep.sqlite"}));
  const auto json = result();
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_EQ(json["runs"][0]["status"], "passed");
  EXPECT_EQ(json["runs"][1]["status"], "interrupted");
  EXPECT_EQ(json["runs"][3]["status"], "not run");
  EXPECT_TRUE(json["runs"][3]["exit_code"].is_null());
  expect("noc_exchange --vary rounds=2,3 --max-time 100s", 0, {"1 of 2 runs are kept"});
}

}  // namespace
}  // namespace tvp
