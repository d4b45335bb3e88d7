// Signals at any moment of a run, and machines with too few resources.

#include <fcntl.h>
#include <fstapi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/program.h"

namespace tvp::limits_test {
namespace {

namespace fs = std::filesystem;
using test::expect;

class Limits : public test::FolderTest {
 protected:
  static bool catches_sigterm(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("SigCgt:"))
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
    return false;
  }
  /// CPU time that the process has used.
  static std::uint64_t cpu_us(pid_t process) {
    std::uint64_t ns = 0;
    std::ifstream("/proc/" + std::to_string(process) + "/schedstat") >> ns;
    return ns / 1000;
  }
  /// True if a viewer opens the file.
  static bool is_readable(const std::string& wave) {
    if (wave.ends_with(".vcd"))
      return test::read_file(wave).find("$enddefinitions") != std::string::npos;
    void* const reader = fstReaderOpen(wave.c_str());
    if (reader != nullptr) fstReaderClose(reader);
    return reader != nullptr;
  }
  /// Expects an error that names the missing resource, or success.
  static void expect_host_failure(const std::string& limit, const std::string& arguments) {
    // Files that the caller of the tests left open would count.
    const auto ended = test::execute(
        {.command = {"sh", "-c",
                     "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec prlimit " + limit + " " +
                         std::string(test::kProgram) + " " + arguments}});
    EXPECT_TRUE(ended.exit_code == 0 || ended.exit_code == 71)
        << limit << " " << arguments << ": " << ended.exit_code << "\n"
        << ended.output;
    EXPECT_EQ(ended.output.find("defect"), std::string::npos) << limit << "\n" << ended.output;
    if (ended.exit_code == 71) {
      EXPECT_NE(ended.output.find("ulimit"), std::string::npos) << limit << "\n" << ended.output;
    }
  }
};

// The test blocks SIGTERM across exec, so that the signal waits for the program's first moment:
// before the program knows its options.
TEST_F(Limits, ASignalBeforeMainIsReported) {
  const std::string report = path("r.json");
  const std::string wave = path("w.fst");
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
  const auto start = [](const std::vector<std::string>& words) {
    foundation::ProcessStart process{.command = {test::kProgram}};
    process.command.insert(process.command.end(), words.begin(), words.end());
    return foundation::Process(process);
  };
  foundation::Process run = start({"run", "noc_exchange", "--set", "rounds=1000000", "--max-time",
                                   "100s", "--report", report, "--wave", wave});
  kill(run.id(), SIGTERM);
  // The command `list` has no report.
  foundation::Process list = start({"list", "--json"});
  kill(list.id(), SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_TRUE(run.finish(30));
  EXPECT_EQ(run.exit_code(), 130);
  const nlohmann::json json = test::read_json(report);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_EQ(json["reason"], "SIGTERM");
  EXPECT_TRUE(!fs::exists(wave) || is_readable(wave));
  EXPECT_TRUE(list.finish(30));
  EXPECT_EQ(list.exit_code(), 130);
  EXPECT_EQ(list.said(), "./vp: interrupted\n");
}

// Sends signals at moments spread over start-up, from the installation of handlers to the first
// cycles.
TEST_F(Limits, AnEarlySignalLeavesAReportAndReadableWaves) {
  const std::string report = path("r.json");
  unsigned waves = 0;
  for (const std::uint64_t after_us :
       {0, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000}) {
    const std::string wave = path(after_us % 1000 == 0 ? "w.fst" : "w.vcd");
    fs::remove(report);
    fs::remove(wave);
    foundation::Process child(
        {.command = {test::kProgram, "run", "noc_exchange", "--quiet", "--set", "rounds=1000000",
                     "--max-time", "100s", "--report", report, "--wave", wave},
         .output = "/dev/null",
         .errors = "/dev/null"});
    while (!catches_sigterm(child.id())) std::this_thread::yield();
    const std::uint64_t begin_us = cpu_us(child.id());
    while (cpu_us(child.id()) < begin_us + after_us) std::this_thread::yield();
    kill(child.id(), SIGTERM);
    child.finish();
    EXPECT_EQ(child.exit_code(), 130) << after_us;
    const nlohmann::json json = test::read_json(report);
    ASSERT_TRUE(json.is_object()) << after_us;
    EXPECT_EQ(json["status"], "interrupted") << after_us;
    if (fs::exists(wave)) {
      ++waves;
      EXPECT_TRUE(is_readable(wave)) << wave << " after " << after_us;
    }
  }
  EXPECT_GE(waves, 2U);
}

// The program is reading its first file, a pipe that the test holds open.
TEST_F(Limits, ASignalBeforeARunEndsItByItsExitCode) {
  const std::string pipe = path("pipe.toml");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", pipe}, {"compare", pipe, pipe}}) {
    std::vector<std::string> command{test::kProgram};
    command.insert(command.end(), words.begin(), words.end());
    foundation::Process child({.command = command});
    int writer = -1;
    while ((writer = open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
      std::this_thread::yield();
    kill(child.id(), SIGTERM);
    child.finish();
    close(writer);
    EXPECT_EQ(child.exit_code(), 130) << words[0];
    EXPECT_EQ(child.said(), "./vp: interrupted\n");
  }
}

TEST_F(Limits, FewDescriptorsAreTheMachinesFault) {
  const std::string wave = " --wave " + path("w.fst") + " --report " + path("r.json");
  for (unsigned files = 5; files <= 24; ++files) {
    const std::string limit = "--nofile=" + std::to_string(files);
    expect_host_failure(limit, "run noc_exchange --quiet" + wave);
    if (files % 4 != 0) continue;
    expect_host_failure(limit, "list --json");
    expect_host_failure(limit, "replay " + write("r.txt", "CLOCK 1\n"));
    expect_host_failure(limit, "sweep mesh --vary seed=1 --jobs 1 --quiet --out " +
                                   path("o" + std::to_string(files)));
  }
}

TEST_F(Limits, SmallStacksAreRaisedOrNamed) {
  for (const unsigned kib : {64, 128, 256, 1024}) {
    const std::string bytes = std::to_string(kib * 1024);
    expect_host_failure("--stack=" + bytes + ":" + bytes, "run noc_exchange --quiet");
    expect("list --json", 0, {});
    const auto raised = test::execute("prlimit --stack=" + bytes + ":unlimited " + test::kProgram +
                                      " run sdpa --quiet --set threads=8");
    expect(raised, "stack of " + bytes, 0, {});
  }
}

// Only root can mount, and only where the host permits namespaces.
TEST_F(Limits, AReadOnlySweepFolderIsTheMachinesFault) {
  const std::string folder = path("ro");
  fs::create_directory(folder);
  const auto beside_the_mount = [&](const std::vector<std::string>& words) {
    foundation::ProcessStart start{
        .command = {"unshare", "--mount", "sh", "-c",
                    "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"",
                    folder}};
    start.command.insert(start.command.end(), words.begin(), words.end());
    return test::execute(start);
  };
  const auto mounted = beside_the_mount({"true"});
  if (mounted.exit_code != 0) GTEST_SKIP() << "nothing can be mounted here: " << mounted.output;
  for (const std::string& out : {folder, folder + "/new"}) {
    const auto ended = beside_the_mount(
        {test::kProgram, "sweep", "mesh", "--quiet", "--vary", "seed=1,2", "--out", out});
    expect(ended, out, 71, {out, "Read-only file system (choose a place that can be written)"});
  }
}

// The disk is full after some runs. With more space, the same command continues the sweep.
TEST_F(Limits, ADiskThatIsFullInTheMiddleOfASweepIsNamed) {
  const std::string folder = path("small");
  fs::create_directory(folder);
  const std::string sweep = std::string(test::kProgram) +
                            " sweep noc_exchange --quiet --vary rounds=1:8:1 --jobs 1 --out " +
                            folder + "/out";
  const auto mounted = [&](const std::string& script) {
    return test::execute(
        {.command = {"unshare", "--mount", "sh", "-c",
                     "mount -t tmpfs -o size=128k none \"$0\" && " + script, folder}});
  };
  const auto possible = mounted("true");
  if (possible.exit_code != 0) GTEST_SKIP() << "nothing can be mounted here: " << possible.output;
  const auto ended = mounted(sweep + "; code=$?; ls " + folder +
                             "/out/points; mount -o remount,size=64m none \"$0\" && " + sweep +
                             " && ls " + folder + "/out/points | grep -c json && exit $code");
  expect(ended, "full disk", 71, {"No space left", "noc_exchange.rounds=1.json", "\n8\n"});
}

TEST_F(Limits, LittleMemoryIsTheMachinesFault) {
  for (const unsigned mib : {64, 128, 256, 512})
    expect_host_failure("--as=" + std::to_string(mib << 20),
                        "run noc_exchange --quiet --system galaxy");
}

}  // namespace
}  // namespace tvp::limits_test
