// Tests how a run ends after interference by a user, the machine or the shell.

#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using test::expect;

class Robustness : public test::FolderTest {
 protected:
  /// Starts the program without reading its output.
  static foundation::Process start(const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& environment = {}) {
    std::vector<std::string> command{test::kProgram};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return foundation::Process({.command = command,
                                .environment = environment,
                                .output = "/dev/null",
                                .errors = "/dev/null"});
  }
  static int exit_code(foundation::Process process) {
    process.finish();
    return process.exit_code();
  }
  template <typename Condition>
  static bool await(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }
  static bool catches(pid_t process, int signal) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("SigCgt:", 0) == 0) {
        return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
      }
    }
    return false;
  }
  /// True if the process has parsed its arguments and loaded the device library.
  static bool has_library(pid_t process) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(maps, line);)
      if (line.find("/libtensix_vp.so") != std::string::npos) return true;
    return false;
  }
  /// The run that a command has started and that handles signals; 0 if there is none.
  static pid_t run_of(const foundation::Process& command) {
    const std::string id = std::to_string(command.id());
    std::ifstream children("/proc/" + id + "/task/" + id + "/children");
    pid_t run = 0;
    children >> run;
    return run > 0 && catches(run, SIGINT) ? run : 0;
  }
};

TEST_F(Robustness, EachOutputHasAFileOfItsOwn) {
  fs::create_directory_symlink(folder(), path("self"));
  fs::create_symlink("later", path("link"));
  expect("run mesh --report " + path("a") + " --page " + path("./a"), 2,
         {"--page", "is the file of --report"});
  expect("run noc_exchange --wave " + path("a.fst") + " --trace " + path("self/a.fst"), 2,
         {"--trace", "is the file of --wave"});
  expect("run mesh --report " + path("later") + " --page " + path("link"), 2, {"--page"});
  expect("run elf --set elf.file=x --set elf.commitlog=" + path("l") +
             ",elf.signature=" + path("self/l"),
         2, {"elf.signature", "is the file of --set elf.commitlog"});
  EXPECT_FALSE(fs::exists(path("a")));
  expect("run mesh --report /dev/null --page /dev/null", 0, {});
}

// A run must not overwrite its inputs.
TEST_F(Robustness, NoOutputTakesThePlaceOfAnInput) {
  const std::string system =
      write("own.toml", "schema = 1\nname = \"own\"\nextends = \"mesh_8x8\"\n");
  expect("run mesh --system " + system + " --report " + path("./own.toml"), 2,
         {"--report", "is read by --system"});
  const std::string trace = write("t.txt", "0 R 0x40\n");
  expect(
      "run dram --set dram_traffic.pattern=trace,dram_traffic.trace=" + trace + " --page " + trace,
      2, {"--page", "is read by --set dram_traffic.trace"});
  const std::string program = write("p.elf", "an ELF file");
  expect("run elf --set elf.file=" + program + ",elf.commitlog=" + program, 2,
         {"--set elf.commitlog", "is read by --set elf.file"});
  const std::string recording = write("r.txt", "CLOCK 1\n");
  expect("replay " + recording + " --record " + recording, 2, {"--record", "is read by replay"});
  expect("replay " + recording + " --elf brisc=" + program + " --trace " + program, 2,
         {"--trace", "is read by --elf"});
  // Settings of workloads that name the user's files.
  const std::string own = write("own.npy", "an array");
  for (const char* key : {"numerator", "sum", "max"}) {
    expect("run sdpa --set " + std::string(key) + "=" + own + " --page " + own, 2,
           {"--page", "is read by --set sdpa." + std::string(key)});
  }
  const std::string schedule = write("own.json", "{}");
  for (const char* key : {"schedule", "tuning"}) {
    expect("run collective --set " + std::string(key) + "=" + schedule + " --report " + schedule, 2,
           {"--report", "is read by --set collective." + std::string(key)});
  }
  const std::string model = write("model.toml", "[[tensor]]\n");
  expect("run prefetcher --set model=" + model + " --report " + model, 2,
         {"--report", "is read by --set prefetcher.model"});
  EXPECT_EQ(test::read_file(own), "an array");
  EXPECT_EQ(test::read_file(schedule), "{}");
  EXPECT_EQ(test::read_file(model), "[[tensor]]\n");
  EXPECT_EQ(test::read_file(system).substr(0, 6), "schema");
  EXPECT_EQ(test::read_file(trace), "0 R 0x40\n");
  EXPECT_EQ(test::read_file(program), "an ELF file");
  EXPECT_EQ(test::read_file(recording), "CLOCK 1\n");
}

// An unset variable of a script gives an empty argument.
TEST_F(Robustness, EmptyNamesOfFilesAreRefused) {
  for (const char* option : {"--report", "--page", "--wave", "--trace", "--record", "--device"})
    expect("run noc_exchange " + std::string(option) + " ''", 2,
           {std::string(option) + ": is empty: expected a name"});
  expect("exec --record '' -- true", 2, {"--record: is empty"});
  expect("exec --system '' -- true", 2, {"--system: is empty"});
  for (const char* option : {"--json", "--page", "--table", "--only"})
    expect("validate " + std::string(option) + " ''", 2, {std::string(option) + ": is empty"});
  expect("list t3000 --descriptors ''", 2, {"--descriptors: is empty"});
  expect("record ''", 2, {"record FILE: is empty"});
  expect("record " + path("r.json") + " --against ''", 2, {"--against: is empty"});
  expect("replay ''", 2, {"replay FILE: is empty"});
  expect("compare '' " + path("r.json"), 2, {"compare A: is empty"});
  expect("bench --json ''", 2, {"--json: is empty"});
  expect("sweep noc_exchange --vary seed=1 --out ''", 2, {"--out: is empty"});
}

TEST_F(Robustness, TheNextOptionIsNoNameOfAFile) {
  for (const char* option : {"--report", "--page", "--wave", "--trace", "--record", "--device"})
    expect("run noc_exchange " + std::string(option) + " --quiet", 2,
           {std::string(option) + " --quiet: expected a name, not the next option"});
  EXPECT_FALSE(fs::exists("--quiet"));
}

// The program itself might never use the setting.
TEST_F(Robustness, WhatAProgramIsGivenIsCheckedBeforeItStarts) {
  const std::string begun = path("begun");
  const auto refused = [&](const std::string& options, const std::vector<std::string>& texts) {
    expect("exec " + options + " -- touch " + begun, 2, texts);
    EXPECT_FALSE(fs::exists(begun)) << options;
  };
  refused("--system quad_rink", {"quad_rink", "did you mean 'quad_ring'?"});
  refused("--set noc.hop_cycle=9", {"noc.hop_cycle", "did you mean 'noc.hop_cycles'?"});
  refused("--set noc.hop_cycles=nan", {"noc.hop_cycles", "expected an integer"});
  refused("--record /nowhere/r.txt", {"/nowhere/r.txt", "No such file"});
  // The path must stay valid if the program changes its folder.
  write("own.toml", "schema = 1\nname = \"own\"\nextends = \"pair\"\n");
  const auto ended = test::execute(
      {.command = {"sh", "-c",
                   "cd " + folder().string() + " && " + test::kProgram +
                       " exec --system ./own.toml -- sh -c 'cd / && echo $TENSIX_VP_CONFIGURE'"}});
  expect(ended, "exec", 0, {"system=/", "/own.toml"});
}

// A workload for chips must refuse a DIMM and name the reason.
TEST_F(Robustness, SystemsOfAnotherKindAreRefusedByEachWorkload) {
  const nlohmann::json listed = nlohmann::json::parse(test::vp("list --json").output);
  unsigned of_chips = 0;
  for (const nlohmann::json& workload : listed.at("workloads")) {
    const auto name = workload.at("name").get<std::string>();
    const auto system = workload.at("system").get<std::string>();
    const bool on_chips =
        !system.starts_with("pim_") && system != "mesh_8x8" && system != "ddr4_2400";
    if (!on_chips || name == "elf") continue;
    ++of_chips;
    for (const std::string other : {"pim_rank", "mesh_8x8"}) {
      if (name == "collective" && other == "pim_rank") continue;  // runs on both
      expect("run " + name + " --quiet --system " + other, 2,
             {"system " + other + ": has no chips: expected one of kind wormhole"});
    }
  }
  EXPECT_GT(of_chips, 20U);
}

TEST_F(Robustness, NoOutputEndsBeforeItsLastByteWithoutAWord) {
  for (const char* option : {"--report", "--page"}) {
    expect("run mesh --quiet " + std::string(option) + " /dev/full", 71, {"No space left"});
  }
  fs::create_symlink("/dev/full", path("full.fst"));
  fs::create_symlink("/dev/full", path("full.vcd"));
  expect("run noc_exchange --quiet --wave " + path("full.fst"), 71, {"No space left"});
  expect("run noc_exchange --quiet --wave " + path("full.vcd"), 71, {"No space left"});
  expect("run noc_exchange --quiet --trace /dev/full", 71, {"No space left"});
  expect(test::execute({.command = {test::kProgram, "list"}, .output = "/dev/full"}), "list", 71,
         {"standard output cannot be written"});
  expect("list --json", 0, {});
  expect("run mesh --quiet --report /nowhere/r.json", 2, {"/nowhere/r.json"});
  expect("run mesh --quiet --report /sys/r.json", 2, {"/sys/r.json: Permission denied"});
  // The error must come at the start, not after minutes.
  expect("record /nowhere/r.json", 2, {"cannot write the recording to /nowhere/r.json: No such"});
  expect("validate --json /nowhere/r.json", 2, {"cannot write the rows to /nowhere/r.json"});
  expect("validate --page /nowhere/r.html", 2, {"cannot write the page to /nowhere/r.html"});
}

// A truncated report of a run is an error, but not one of the user.
TEST_F(Robustness, ASweepTellsOfAFullDisk) {
  const auto ended =
      test::execute("prlimit --fsize=4096 " + std::string(test::kProgram) +
                    " sweep noc_exchange --quiet --vary noc.hop_cycles=9,10 --out " + path("full"));
  expect(ended, "full disk", 71, {"File too large"});
}

// A limit on file sizes ends the wave file at every possible place.
TEST_F(Robustness, AWaveFileIsWholeOrNamed) {
  const std::string wave = path("w.fst");
  expect("run noc_exchange --quiet --wave " + wave, 0, {});
  const auto whole = fs::file_size(wave);
  for (const auto kilobytes : {std::uintmax_t{0}, std::uintmax_t{1}, (whole - 1) / 1024}) {
    const auto ended = test::execute("prlimit --fsize=" + std::to_string(kilobytes * 1024) + " " +
                                     test::kProgram + " run noc_exchange --quiet --wave " + wave);
    expect(ended, std::to_string(kilobytes), 71, {"w.fst", "File too large"});
  }
}

// Options go to the library as lines of text.
TEST_F(Robustness, LineBreaksInPathsAreNamedByTheirOption) {
  const std::string broken = path("a\nb");
  const auto refused = [&](const std::vector<std::string>& words, const std::string& option) {
    std::vector<std::string> command{test::kProgram};
    command.insert(command.end(), words.begin(), words.end());
    expect(test::execute({.command = command}), option, 2,
           {option + " '", broken + "': expected no line break"});
  };
  for (const char* option : {"--system", "--wave", "--trace", "--record"}) {
    refused({"run", "noc_exchange", option, broken}, option);
  }
  refused({"run", "noc_exchange", "--wave", path("w.vcd"), "--wave-scope", broken}, "--wave-scope");
  refused({"exec", "--system", broken, "--", "true"}, "--system");
  refused({"exec", "--record", broken, "--", "true"}, "--record");
  // Files that the program writes may have any name.
  EXPECT_EQ(
      exit_code(start({"run", "mesh", "--quiet", "--report", broken, "--page", broken + "2"})), 0);
  EXPECT_TRUE(test::read_json(broken).is_object());
}

TEST_F(Robustness, TimesSeedsAndWindowsThatNobodyMeansAreRefused) {
  for (const char* time : {"''", "0", "0.5ns", "999ps", "1e30s", "nan"}) {
    expect("run mesh --max-time " + std::string(time), 2, {"--max-time", "expected a time"});
    expect("sweep mesh --vary seed=1 --out " + path("o") + " --max-time " + time, 2,
           {"--max-time"});
  }
  for (const char* seed : {"99999999999999999999", "-1", "1.5", "''"}) {
    expect("run mesh --seed " + std::string(seed), 2, {"--seed", "expected an integer"});
  }
  expect("run noc_exchange --wave-from 1us", 2, {"--wave-from", "expected --wave or --trace"});
  expect("run noc_exchange --wave-scope x", 2, {"--wave-scope", "expected --wave or --trace"});
  const std::string wave = " --wave " + path("w.fst");
  expect("run noc_exchange --quiet --wave-scope 'nothing*'" + wave, 2,
         {"wave.scope: no signal is called nothing*"});
  expect("run noc_exchange --wave-from 2us --wave-to 1us" + wave, 2, {"2us", "before", "1us"});
  expect("run noc_exchange --wave-from 1us --wave-to 1us" + wave, 2, {"--wave-from"});
  expect("run noc_exchange --set wave.from_ns=9,wave.to_ns=5" + wave, 2, {"wave.from_ns"});
}

TEST_F(Robustness, ALimitThatNobodyAskedForSaysWhoseItIs) {
  expect("run noc_exchange --set rounds=100000 --max-time 50us", 5,
         {"the time limit came before the end of the program on device 0 core (0, 0)\n",
          "chip0.tensix(1,1).BRISC ", " in kernel_main (", "exchange.cpp:"});
  for (const char* asked : {"--max-time 50us", "--set max_time_ns=50000"}) {
    const auto ended = test::vp("run noc_exchange --set rounds=100000 " + std::string(asked));
    EXPECT_EQ(ended.exit_code, 5) << asked;
    EXPECT_EQ(ended.output.find("unless --max-time"), std::string::npos) << ended.output;
  }
}

TEST_F(Robustness, FilesWithoutAnEndAreRefused) {
  expect("run dram --set dram_traffic.pattern=trace,dram_traffic.trace=/dev/zero", 2,
         {"/dev/zero"});
  expect("run elf --set elf.file=/dev/zero", 2, {"/dev/zero"});
  expect("run mesh --system /dev/zero", 2, {"/dev/zero"});
  expect("run sdpa --set numerator=/dev/zero,sum=/dev/zero,max=/dev/zero", 2, {"/dev/zero"});
  expect("record " + path("r.json") + " --against " + path(""), 2, {path("") + ": cannot be read"});
  // Names with the expected ending.
  for (const std::string name : {"z.json", "z.xml", "z.toml", "z.yaml"}) {
    fs::create_symlink("/dev/zero", path(name));
  }
  expect("collectives check " + path("z.json"), 2, {"z.json: cannot be read: it has no end"});
  expect("run collective --set schedule=" + path("z.xml"), 2, {"z.xml", "it has no end"});
  expect("run prefetcher --set model=" + path("z.toml"), 2, {"z.toml", "it has no end"});
  expect("compare " + path("z.json") + " " + path("z.json"), 2, {"it has no end"});
  const std::string chip = write("soc.toml",
                                 "schema = 1\nname = \"own\"\n[[chip]]\nid = 0\n"
                                 "pci_device = 0\ndescription = \"" +
                                     path("z.yaml") + "\"\n");
  expect("list " + chip, 2, {"z.yaml", "it has no end"});
  // The message has the reason that the system gives for ordinary files.
  expect("collectives check " + path("n.json"), 2, {"n.json: cannot be read: No such file"});
  fs::create_directory(path("d.xml"));
  expect("collectives check " + path("d.xml"), 2, {"d.xml: cannot be read: it is a folder"});
  expect("collectives check " + write("e.json", ""), 2, {"e.json:1: is not JSON"});
  const std::string other = write("other.json", "{}");
  expect("record " + path("r.json") + " --against " + other, 2,
         {other + ": expected a recording of the command record: key 'schema' not found"});
}

TEST_F(Robustness, ASystemsOwnTextIsNamedWithItsLine) {
  const std::string dram = write("dram.toml",
                                 "schema = 1\nname = \"own\"\nextends = \"pim_rank\"\n[pim]\n"
                                 "dram = \"x\"\n");
  expect("run pim_allreduce --system " + dram, 2, {dram + ":5: pim.dram: expected one of"});
  const auto chosen = test::vp("run pim_allreduce --set pim.dram=y --system " + dram);
  EXPECT_EQ(chosen.output.find("dram.toml"), std::string::npos) << chosen.output;
  // `vp list` gives the same message.
  const std::string own = "schema = 1\nname = \"own\"\nextends = \"pair\"\n";
  const std::string key = write("key.toml", own + "[noc]\nhop_cycle = 9\n");
  expect("list " + key, 2, {key + ":5: unknown key 'noc.hop_cycle'", "did you mean"});
  const std::string kind = write("kind.toml", "schema = 1\nname = \"own\"\nkind = \"x\"\n");
  expect("list " + kind, 2, {kind + ":3: kind 'x': expected one of"});
  const std::string base = write("base.toml", "schema = 1\nname = \"own\"\nextends = \"b.toml\"\n");
  expect("list " + base, 2, {base + ":3: extends 'b.toml': no such system: expected the name"});
  const std::string file = write("own.toml",
                                 "schema = 1\nname = \"own\"\nextends = \"pim_rank\"\n[pim]\n"
                                 "hierarchy = \"bank=0 chip=8\"\n");
  expect("run pim_allreduce --system " + file, 2,
         {file + ":5: pim.hierarchy: 'bank=0': expected LEVEL=COUNT"});
  expect("run pim_allreduce --set pim.hierarchy=", 2, {"pim.hierarchy: expected at least one"});
}

TEST_F(Robustness, SignalsThatAskForTheEndLeaveAReport) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string report = path("r" + std::to_string(signal) + ".json");
    foundation::Process child = start({"run", "noc_exchange", "--set", "rounds=1000000",
                                       "--max-time", "100s", "--report", report});
    ASSERT_TRUE(await([&] { return has_library(child.id()); }));
    EXPECT_FALSE(fs::exists(report)) << "empty before the run is over";
    kill(child.id(), signal);
    EXPECT_EQ(exit_code(std::move(child)), 130);
    EXPECT_EQ(test::read_json(report)["status"], "interrupted") << signal;
  }
}

// The host is computing the expected results.
TEST_F(Robustness, CtrlCReachesTheHostsOwnWork) {
  foundation::Process child =
      start({"run", "sdpa", "--set", "sequence=65536", "--report", path("r.json")});
  ASSERT_TRUE(await([&] { return has_library(child.id()); }));
  std::this_thread::yield();
  kill(child.id(), SIGINT);
  EXPECT_EQ(exit_code(std::move(child)), 130);
  const auto json = test::read_json(path("r.json"));
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_EQ(json["simulated_ps"], 0);
}

TEST_F(Robustness, ASweepWithAStoppedRunEndsOnCtrlC) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  foundation::Process sweep = start({"sweep", "noc_exchange", "--vary", "rounds=1000000,999999",
                                     "--max-time", "100s", "--jobs", "1", "--out", path("out")});
  pid_t run = 0;
  ASSERT_TRUE(await([&] { return (run = run_of(sweep)) != 0; }));
  kill(run, SIGSTOP);
  kill(sweep.id(), SIGINT);
  EXPECT_EQ(exit_code(std::move(sweep)), 130);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a run is left behind";
  EXPECT_TRUE(test::read_json(path("out/sweep.json"))["interrupted"]);
}

TEST_F(Robustness, ARecordingWithAStoppedRunEndsOnCtrlC) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  foundation::Process record = start({"record", path("r.json"), "--only", "sdpa", "--jobs", "1"});
  pid_t run = 0;
  ASSERT_TRUE(await([&] { return (run = run_of(record)) != 0; }));
  kill(run, SIGSTOP);
  kill(record.id(), SIGINT);
  EXPECT_EQ(exit_code(std::move(record)), 130);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a run is left behind";
  EXPECT_FALSE(fs::exists(path("r.json")));
}

// Sends the signal to the command only, as `kill` does. Its run must end and leave no file.
TEST_F(Robustness, SignalsEndAValidationAndItsRun) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  const std::string table =
      write("long.toml",
            "schema = 2\nfamily = \"long\"\ntolerance = 0.2\nrule = \"one run\"\n"
            "spread = \"assumed\"\n[sources]\nlab = \"measured here\"\n"
            "[mechanisms]\nlink = \"a link\"\n[[run]]\nworkload = \"noc_exchange\"\n"
            "settings = [\"rounds=1000000\", \"max_time_ns=100000000000\"]\nunit = \"cycles\"\n"
            "source = \"lab\"\nmechanism = \"link\"\n"
            "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1}]\n");
  fs::create_directory(path("tmp"));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    foundation::Process validate =
        start({"validate", "--table", table, "--json", path("v.json"), "--page", path("v.html")},
              {"TMPDIR=" + path("tmp")});
    ASSERT_TRUE(await([&] { return run_of(validate) != 0; }));
    kill(validate.id(), signal);
    EXPECT_EQ(exit_code(std::move(validate)), 130);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a run is left behind";
    EXPECT_TRUE(fs::is_empty(path("tmp")));
    EXPECT_FALSE(fs::exists(path("v.json")) || fs::exists(path("v.html")));
  }
}

// Scratch files find no space, so the results of runs are unknown.
TEST_F(Robustness, RunsThatTheMachineFailsAreNoResults) {
  const auto expect_failure = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> command{"prlimit", "--fsize=100", test::kProgram};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto ended = test::execute({.command = command});
    EXPECT_EQ(ended.exit_code, 71) << arguments[0] << "\n" << ended.output;
    EXPECT_NE(ended.output.find("File too large"), std::string::npos) << ended.output;
  };
  expect_failure({"record", path("r.json"), "--only", "noc_exchange"});
  EXPECT_FALSE(fs::exists(path("r.json")));
  expect_failure({"validate", "--only", "hop"});
  expect_failure({"collectives", "findings"});
}

TEST_F(Robustness, WithoutAHomeNothingIsPutWhereOthersCanGuess) {
  const auto ended = test::execute({.command = {test::kProgram, "run", "mesh", "--quiet"},
                                    .environment = {"HOME", "XDG_CACHE_HOME", "TENSIX_VP_CACHE"}});
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  EXPECT_FALSE(fs::exists("/tmp/.cache/tensix-vp"));
}

}  // namespace
}  // namespace tvp
