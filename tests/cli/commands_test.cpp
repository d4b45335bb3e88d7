// Commands other than `run`, and Ctrl-C.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using test::expect;

class Commands : public test::FolderTest {};

TEST_F(Commands, ComparesTwoReports) {
  expect("run noc_exchange --quiet --report " + path("a.json"), 0, {});
  expect("run noc_exchange --quiet --set noc.hop_cycles=18 --report " + path("b.json"), 0, {});
  expect("compare " + path("a.json") + " " + path("b.json"), 0,
         {"A: noc_exchange on ", "simulated_ns", "state_digest", " %", "noc.hop_cycles", "18"});
  expect("compare " + path("a.json") + " /nowhere.json", 2, {"/nowhere.json", "cannot be read"});
  expect("compare " + path("a.json") + " " + write("c.json", "{"), 2, {"c.json", "not JSON"});
  expect("compare " + path("a.json") + " " + write("d.json", "{\"schema\": 1}"), 2,
         {"d.json", "no key 'workload'"});
  expect("compare " + path("a.json"), 2, {"b is required"});
}

/// Waits until `process` handles SIGINT. An earlier signal would end it without a report.
void await_handler(pid_t process) {
  const std::string status_file = "/proc/" + std::to_string(process) + "/status";
  const auto caught = [&] {
    std::ifstream file(status_file);
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("SigCgt:", 0) == 0) {
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
      }
    }
    return false;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!caught() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  ASSERT_TRUE(caught());
}

/// Waits until a process has used 2 s of CPU time, more than its start-up takes.
void await_work(pid_t process) {
  const std::string status_file = "/proc/" + std::to_string(process) + "/stat";
  const auto ticks = [&] {
    std::ifstream file(status_file);
    std::string word;
    for (int i = 0; i < 13; ++i) file >> word;
    long used = 0;
    file >> used;
    return used;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (ticks() < 2 * sysconf(_SC_CLK_TCK) && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
}

TEST_F(Commands, CtrlCEndsTheRunWithAReport) {
  const std::string report = path("r.json");
  foundation::Process run(
      {.command = {test::kProgram, "run", "noc_exchange", "--set", "rounds=1000000", "--max-time",
                   "100s", "--report", report}});
  // The run takes minutes; it is interrupted once it is under way.
  await_handler(run.id());
  kill(run.id(), SIGINT);
  run.finish();
  EXPECT_EQ(run.exit_code(), 130) << run.said();
  EXPECT_EQ(test::read_json(report)["status"], "interrupted");
}

// 4096 routers need minutes for work that 64 do at once.
TEST_F(Commands, CtrlCEndsALargeMeshSoon) {
  foundation::Process run({.command = {test::kProgram, "run", "mesh", "--quiet", "--set",
                                       "mesh.width=64,mesh.height=64,traffic.load=0.4"}});
  await_handler(run.id());
  await_work(run.id());
  kill(run.id(), SIGINT);
  const auto sent = std::chrono::steady_clock::now();
  run.finish();
  EXPECT_EQ(run.exit_code(), 130) << run.said();
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(60));
}

// Sends SIGINT as a terminal does: to the benchmark and all processes that it has started.
TEST_F(Commands, CtrlCEndsABenchmarkAndItsKernelCache) {
  foundation::Process bench({.command = {test::kProgram, "bench", "sdpa"},
                             .environment = {"TMPDIR=" + folder().string()}});
  await_handler(bench.id());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto kernels = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
      if (entry.path().filename() == "cache") return true;
    return false;
  };
  while (!kernels() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_FALSE(fs::is_empty(folder()));
  kill(-bench.id(), SIGINT);
  bench.finish();
  EXPECT_EQ(bench.exit_code(), 130) << bench.said();
  EXPECT_TRUE(fs::is_empty(folder()));
}

TEST_F(Commands, BenchWritesItsFiguresBesideTheBars) {
  const std::string file = path("bench.json");
  expect("bench riscv --short --json " + file, 0,
         {"load of this machine", "riscv", "1 core", "80 cores", "MIPS", "met"});
  const auto rows = test::read_json(file);
  // Five programs and their mean, two hard ones, loops of one and of 80 cores, and the cost of idle
  // cores.
  ASSERT_EQ(rows.size(), 12u);
  for (const auto& row : rows) {
    EXPECT_EQ(row["bench"], "riscv");
    EXPECT_GT(row["value"].get<double>(), 0);
    EXPECT_EQ(row.size(), 6u);
  }
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(rows[i]["unit"], "MIPS");
    EXPECT_EQ(rows[i]["better"], "higher");
    EXPECT_EQ(rows[i]["bar"].is_null(), i < 5 || i == 6 || i == 7);
  }
  EXPECT_EQ(rows[5]["metric"], "5 programs");
  EXPECT_EQ(rows[5]["bar"], 300);
  EXPECT_EQ(rows[6]["metric"], "records");
  EXPECT_EQ(rows[7]["metric"], "states");
  EXPECT_EQ(rows[8]["metric"], "1 core");
  EXPECT_EQ(rows[8]["bar"], 300);
  EXPECT_EQ(rows[9]["metric"], "80 cores");
  EXPECT_EQ(rows[9]["bar"], 200);
  for (const std::size_t i : {10, 11})
    EXPECT_NE(rows[i]["metric"].get<std::string>().find("heartbeats"), std::string::npos);
}

TEST_F(Commands, MetricsWithoutABarSaySo) {
  const std::string file = path("bench.json");
  expect("bench coprocessor --short --json " + file, 0, {"MOPs instruction", "ns"});
  const auto rows = test::read_json(file);
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    EXPECT_EQ(row["better"], "lower");
    EXPECT_TRUE(row["bar"].is_null());
  }
}

TEST_F(Commands, AnUnknownBenchNamesTheKnownOnes) {
  expect("bench risc", 2, {"'risc'", "riscv", "noc", "mesh", "dram", "coprocessor", "sdpa"});
  expect("bench riscv --short --json /nowhere/f.json", 2, {"/nowhere/f.json", "cannot be written"});
}

TEST_F(Commands, ListShowsWorkloadsSystemsAndKeys) {
  expect("list", 0,
         {"sdpa", "dram_loopback", "quad_ring", "noc.hop_cycles", "sdpa.head_dim", "Source:"});
}

TEST_F(Commands, ExecHandsTheLibraryOver) {
  expect("exec --system pair --set noc.hop_cycles=11 -- /usr/bin/env", 0,
         {"TENSIX_VP_CONFIGURE=system=pair", "noc.hop_cycles=11", "TENSIX_VP_LIBRARY="});
  expect("exec -- /nowhere/program", 2, {"/nowhere/program"});
}

// Programs name a system, as the examples do. The user's --system takes precedence.
TEST_F(Commands, ExecGoesBeforeWhatTheProgramSets) {
  const std::string file = path("inner.json");
  expect("exec --system n150 --set noc.hop_cycles=11 -- " + test::kProgram +
             " run noc_exchange --quiet --set noc.hop_cycles=12,noc.l1_read_cycles=2 --report " +
             file,
         0, {"system=single_chip of the program gives way", "noc.hop_cycles=12 of the program"});
  const auto report = test::read_json(file);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("system"), "n150");
  EXPECT_EQ(report.at("settings").at("noc.hop_cycles").at("value"), "11");
  EXPECT_EQ(report.at("settings").at("noc.l1_read_cycles").at("value"), "2");
}

TEST_F(Commands, ExecWritesReportPageWavesAndTraceOfAProgram) {
  const std::string program = " -- " + test::kProgram + " run noc_exchange --quiet";
  const std::string report_file = path("r.json");
  expect("exec --report " + report_file + " --page " + path("p.html") + " --wave " + path("w.vcd") +
             " --wave-from 1us --trace " + path("t.json") + program,
         0, {});
  const auto report = test::read_json(report_file);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("status"), "passed");
  EXPECT_EQ(report.at("workload"), "tensix-vp");
  EXPECT_EQ(report.at("system"), "single_chip");
  EXPECT_GT(report.at("executed_instructions"), 0);
  EXPECT_GT(report.at("cpu_s"), 0);
  EXPECT_NE(report.at("command").get<std::string>().find("exec --report " + report_file),
            std::string::npos);
  EXPECT_EQ(report.at("date").get<std::string>().size(), std::size("2026-11-30 17:20:05") - 1);
  for (const char* own : {"error", "seed"}) EXPECT_FALSE(report.contains(own)) << own;
  EXPECT_FALSE(report.at("settings").contains("record.report"));
  EXPECT_NE(test::read_file(path("p.html")).find("exec --report"), std::string::npos);
  EXPECT_NE(test::read_file(path("w.vcd")).find("$timescale"), std::string::npos);
  EXPECT_FALSE(test::read_json(path("t.json")).is_discarded());
}

TEST_F(Commands, ExecReportsHowAProgramEnded) {
  const std::string file = path("r.json");
  const auto ends = [&](const std::string& options, int exit_code, const char* status) {
    expect(
        "exec --report " + file + options + " -- " + test::kProgram + " run noc_exchange --quiet",
        exit_code, {});
    const auto report = test::read_json(file);
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report.at("status"), status);
  };
  ends(" --max-time 1us", 5, "time limit reached");
  ends(" --set noc.hop_cycles=11", 0, "passed");
}

TEST_F(Commands, ExecRefusesOutputsThatCannotBe) {
  const std::string file = path("r.json");
  expect("exec --report " + file + " --page " + file + " -- /bin/true", 2, {"--page", "--report"});
  expect("exec --report /nowhere/r.json -- /bin/true", 2, {"/nowhere/r.json"});
  expect("exec --wave-from 1us -- /bin/true", 2, {"--wave-from", "expected --wave or --trace"});
  expect("exec --report " + file + " -- /bin/true", 2,
         {"ended with exit code 0 before it used the platform, so there is no report"});
  expect("exec --report " + file + " -- /bin/sh -c 'kill -9 $$'", 137, {"ended by signal KILL"});
  expect("exec --report " + file + " -- /nowhere/program", 71, {"/nowhere/program"});
}

}  // namespace
}  // namespace tvp
