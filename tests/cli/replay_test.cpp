// Recordings of our runs and of other programs, and handwritten ones.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/support/port.h"
#include "tests/support/program.h"

namespace tvp {
namespace {

using test::expect;

class Replay : public test::FolderTest {
 protected:
  static std::string recording(const std::string& name) {
    return std::string(TVP_RECORDINGS) + "/" + name + ".txt";
  }
  /// The changes in a wave file, without names, date and states of cores. A poll appears in the
  /// waves once it is recognized, which depends on how long the host lets the cores run at a time.
  static std::string changes(const std::string& file) {
    std::istringstream lines(test::read_file(file));
    std::string line;
    while (std::getline(lines, line) && !line.starts_with("$enddefinitions")) {
    }
    std::string text;
    std::string time;
    while (std::getline(lines, line)) {
      if (line.starts_with("#")) {
        time = line + "\n";
      } else if (!line.starts_with("s")) {
        text += std::exchange(time, "") + line + "\n";
      }
    }
    return text;
  }
  /// Messages without the names of files that the replay does not get.
  static std::string messages(const std::string& file) {
    std::istringstream lines(test::read_file(file));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("# symbols ")) text += line + "\n";
    }
    return text;
  }
};

/// A run: its arguments, and the options that its replay needs again.
struct Recorded {
  const char* run;
  const char* options;
};
class RecordedRun : public Replay, public ::testing::WithParamInterface<Recorded> {};

// Checks results and times. A recording of the replay must equal the recording, with the reply to
// every read, every time step, and the final time and state.
TEST_P(RecordedRun, PlaysAsItRan) {
  const std::string first = path("first.txt");
  const std::string second = path("second.txt");
  const auto& [run, options] = GetParam();
  expect("run " + std::string(run) + " " + options + " --quiet --record " + first + " --report " +
             path("run.json"),
         0, {});
  expect("replay " + first + " " + options + " --quiet --record " + second + " --report " +
             path("replay.json"),
         0, {});
  const std::string recorded = messages(first);
  EXPECT_EQ(recorded, messages(second));
  EXPECT_NE(recorded.find("\nCLOCK "), std::string::npos);
  EXPECT_NE(recorded.find(" reply="), std::string::npos);
  EXPECT_NE(recorded.find("\n# ended at "), std::string::npos);
  EXPECT_TRUE(recorded.ends_with("\nEXIT\n"));
  const nlohmann::json ran = test::read_json(path("run.json"));
  const nlohmann::json played = test::read_json(path("replay.json"));
  EXPECT_EQ(ran["state_digest"], played["state_digest"]);
  EXPECT_EQ(ran["executed_instructions"], played["executed_instructions"]);
  EXPECT_GT(played["metrics"]["replies_compared"]["value"].get<double>(), 0);
  EXPECT_EQ(played["metrics"]["replies_different"]["value"].get<double>(), 0);
  EXPECT_EQ(played["metrics"]["poll_cycles"]["value"].get<double>(), 0);
}

constexpr Recorded kRuns[] = {
    {"noc_exchange", "--system single_chip"},
    {"noc_exchange --seed 2", "--system single_chip"},
    {"noc_exchange", "--system single_chip --set noc.torus=detailed"},
    {"noc_exchange", "--system single_chip --lockstep"},
    {"noc_exchange", "--system n150"},
    {"noc_exchange", "--system single_chip --set chip.aiclk_mhz=800"},
    {"dram_loopback", "--system single_chip"},
    {"dram_loopback --seed 7", "--system n150"},
    {"dram_loopback", "--system single_chip --lockstep"},
    {"matmul", "--system single_chip"},
    {"matmul --seed 3", "--system n150"},
    {"noc_latency", "--system single_chip"},
    {"noc_bandwidth", "--system single_chip"},
    {"dram_latency", "--system single_chip"},
    {"ethernet_latency", "--system pair"},
    {"ethernet_bandwidth", "--system pair"},
    {"fabric_latency", "--system quad_ring"},
    {"fabric_bandwidth", "--system quad_ring"},
    {"noc_multicast", "--system single_chip"},
    {"sdpa", "--system quad_ring"},
};
INSTANTIATE_TEST_SUITE_P(Ours, RecordedRun, ::testing::ValuesIn(kRuns), [](const auto& test) {
  const std::string run = test.param.run;
  return run.substr(0, run.find(' ')) + std::to_string(test.index);
});

TEST_F(Replay, PollsLetTimePass) {
  expect("replay " + recording("counter") + " --report " + path("r.json"), 0, {"passed"});
  const nlohmann::json report = test::read_json(path("r.json"));
  EXPECT_EQ(report["metrics"]["polls"]["value"].get<double>(), 1);
  EXPECT_GT(report["metrics"]["poll_cycles"]["value"].get<double>(), 1000);
  EXPECT_EQ(report["metrics"]["replies_compared"]["value"].get<double>(), 3);
}

TEST_F(Replay, ReadsWhatOthersWriteAndOtherChips) {
  expect("replay " + recording("stages") + " --system pair", 0, {"passed"});
  expect("replay " + recording("stages"), 2,
         {"stages.txt:2", "chip: expected a PCI device of the system (0), not 1"});
}

TEST_F(Replay, PlaysOnTheSystemThatARecordingOfOursNames) {
  expect("run ethernet_latency --quiet --record " + path("r.txt"), 0, {});
  expect("replay " + path("r.txt") + " --report " + path("r.json"), 0, {"passed"});
  EXPECT_EQ(test::read_json(path("r.json"))["system"], "pair");
}

// A recording from another user must not open other files.
TEST_F(Replay, TakesNoPathFromARecording) {
  const std::string text = test::read_file(recording("counter"));
  for (const char* system : {"/etc/passwd", "../pair.toml", "-", ""}) {
    expect("replay " + write("s.txt", std::string("# to play it again: vp replay FILE --system ") +
                                          system + "\n" + text),
           0, {"passed"});
  }
  expect("replay " + write("s.txt", "# to play it again: vp replay FILE --system nowhere\n" + text),
         2, {"nowhere"});
}

TEST_F(Replay, TellsWhichSystemAChipIsOf) {
  expect("run ethernet_latency --quiet --record " + path("r.txt"), 0, {});
  expect("replay " + path("r.txt") + " --system n150", 2,
         {"r.txt:",
          "chip: expected a PCI device of the system (0), not 1 (recorded with --system pair"});
}

TEST_F(Replay, ReportsAHang) {
  expect("replay " + recording("never"), 4,
         {"never.txt:7", "nothing moves any more",
          "READ core=1,1 addr=0x108 size=4 gives 00000000, not 34120000"});
}

// A library with only the public ABI does not say whether anything moves.
TEST_F(Replay, ReportsAHangOfAForeignLibrary) {
  expect("replay " + recording("never") +
             " --quiet --device " TVP_PUBLIC_ABI_LIBRARY " --set replay.hang_cycles=20000",
         4,
         {"never.txt:7: no reply has come in 20000 cycles (replay.hang_cycles), and",
          "READ core=1,1 addr=0x108 size=4 gives 00000000, not 34120000"});
}

// The chips get the translated coordinates of worker (1, 2), which the recording does not hold.
TEST_F(Replay, TranslatesArgumentsInNoc0Coordinates) {
  const std::string words = "WRITE core=1,1 addr=0x100 size=16 data=";
  const std::string file =
      write("noc0.txt", words + "07000000010000000200000009000000\n" +
                            "READ core=1,1 addr=0x104 size=8 data=- reply=1200000013000000\n" +
                            "READ core=1,1 addr=0x10c size=4 data=- reply=09000000\nEXIT\n");
  expect("replay " + file + " --set replay.noc0_arguments=1-1:0x104", 0, {"passed"});
  expect("replay " + file, 4, {"gives 0100000002000000, not 1200000013000000"});
  expect("replay " + file + " --set replay.noc0_arguments=1-1:0x104+0:1-1:0x200", 2,
         {"replay.noc0_arguments 0:1-1:0x200", "expected a WRITE of the recording"});
  expect("replay " + file + " --set replay.noc0_arguments=1,1:0x104", 2, {"noc0_arguments"});
  expect("replay " + file + " --set replay.noc0_arguments=1-1", 2,
         {"replay.noc0_arguments 1-1", "expected [CHIP:]X-Y:0xADDR"});
}

TEST_F(Replay, ReportsWhatDiffers) {
  std::string text = test::read_file(recording("counter"));
  text.insert(text.find("EXIT"),
              "READ core=1,1 addr=0x100 size=8 data=- reply=3512000000000000\n"
              "READ core=1,1 addr=0xfc size=8 data=- reply=0000000034120001\n");
  expect("replay " + write("wrong.txt", text), 1,
         {"2 of 5 replies differ",
          "wrong.txt:9: READ core=1,1 addr=0x100 size=8: 1 of 8 bytes differ, at 0x100 expected "
          "3512000000000000, not 3412000000000000",
          "wrong.txt:10", "at 0x103 expected 01, not 00"});
}

// Chips may be faster than the recorded ones. A recorded poll that still expects the old value must
// not delay them.
TEST_F(Replay, ChipsMayBeFaster) {
  std::string text = test::read_file(recording("counter"));
  const std::string old = "READ core=1,1 addr=0x100 size=4 data=- reply=00000000\n";
  text.insert(text.find(old), "CLOCK 100000\n" + old);
  expect("replay " + write("late.txt", text), 0, {"passed"});
  text.erase(text.find("READ core=1,1 addr=0x100 size=4 data=- reply=34"), old.size());
  expect("replay " + write("never.txt", text), 1, {"expected 00000000, not 34120000"});
}

/// A recording with a measured time and another value, each changed in one digit.
class RecordedTimes : public Replay {
 protected:
  const std::string foreign_ = " --quiet --device " TVP_PUBLIC_ABI_LIBRARY;

  RecordedTimes() {
    expect("run noc_latency --quiet --record " + path("r.txt"), 0, {});
    text_ = test::read_file(path("r.txt"));
  }
  /// Changes a digit of the last reply after `mark` that holds data.
  std::string with_other(const std::string& mark, std::size_t digit) {
    std::size_t at = std::string::npos;
    for (std::size_t marked = at; at == std::string::npos;) {
      marked = text_.rfind("\n# tensix-vp: times " + mark, marked);
      if (marked == std::string::npos) throw std::runtime_error("nothing holds times " + mark);
      const std::size_t reply = text_.find(" reply=", marked) + 7;
      if (text_.compare(reply, 16, std::string(16, '0')) != 0) at = reply + digit;
      --marked;
    }
    std::string text = text_;
    text.at(at) = text.at(at) == '5' ? '6' : '5';
    return write("other.txt", text);
  }
  std::string text_;
};

constexpr const char* kAllTimes = "in bytes 0-0 of every 1 ";
constexpr const char* kMarkers = "in bytes 4-7 of every 8 ";

TEST_F(RecordedTimes, AreComparedOnTheMachineThatTookThem) {
  expect("replay " + path("r.txt") + " --quiet", 0, {});
  const std::string other = with_other(kAllTimes, 0);
  expect("replay " + other, 1,
         {"1 of ", ". Times that firmware has measured are the only difference in 1 of them",
          "--set replay.times=skipped", "(recorded with --system single_chip)"});
  expect("replay " + other + " --set times=skipped --report " + path("r.json"), 0,
         {"passed", "times that firmware has measured were not compared in"});
  const nlohmann::json skipped = test::read_json(path("r.json"))["metrics"];
  EXPECT_GT(skipped["replies_with_times_skipped"]["value"].get<double>(), 2);
  EXPECT_GT(skipped["replies_compared"]["value"].get<double>(), 10);
}

TEST_F(RecordedTimes, AreNotComparedWhereNothingHasATime) {
  expect("replay " + with_other(kAllTimes, 0) + foreign_, 0, {});
  expect("replay " + with_other(kMarkers, 8) + foreign_, 0, {});
  expect("replay " + with_other(kMarkers, 8) + foreign_ + " --set times=compared", 1,
         {"are the only difference in 1 of them"});
}

TEST_F(RecordedTimes, LeaveAllElseToBeCompared) {
  expect("replay " + with_other(kMarkers, 0) + foreign_, 1, {"1 of ", " replies differ; "});
  expect("replay " + with_other(kMarkers, 0) + " --quiet --set times=skipped", 1,
         {" replies differ; "});
}

/// Workloads whose firmware measures times, by system.
class TimesOfWorkloads : public Replay, public ::testing::WithParamInterface<Recorded> {};

// On a machine with other times, all values without a time mark must be equal.
TEST_P(TimesOfWorkloads, AreMarkedToTheLast) {
  const auto& [run, system] = GetParam();
  expect("run " + std::string(run) + " " + system + " --quiet --record " + path("r.txt"), 0, {});
  const std::string replay = "replay " + path("r.txt") + " " + system +
                             " --quiet --set chip.aiclk_mhz=800,noc.torus=detailed --set ";
  expect(replay + "times=skipped", 0, {});
  expect(replay + "times=compared", 1, {"are the only difference in"});
}

INSTANTIATE_TEST_SUITE_P(Ours, TimesOfWorkloads,
                         ::testing::Values(Recorded{"dram_relay", "--system single_chip"},
                                           Recorded{"dram_remote", "--system single_chip"},
                                           Recorded{"prefetcher --set prefetcher.rival_kib=64",
                                                    "--system single_chip"},
                                           Recorded{"fabric_bandwidth", "--system quad_ring"}),
                         [](const auto& test) {
                           const std::string run = test.param.run;
                           return run.substr(0, run.find(' ')) + std::to_string(test.index);
                         });

TEST_F(Replay, PlaysOnTheChipsThatALibraryHas) {
  const std::string foreign = TVP_PUBLIC_ABI_LIBRARY;
  expect("replay " + recording("stages") + " --quiet --device " + foreign + " --system pair", 2,
         {"stages.txt:2", "chip: expected a PCI device of " + foreign + " (0), not 1"});
  for (const char* system : {"pair", "quad_ring", "t3000"}) {
    expect(test::execute({.command = {test::kProgram, "replay", recording("stages"), "--quiet",
                                      "--device", foreign, "--system", system},
                          .environment = {"TENSIX_VP_CONFIGURE=system=pair"}}),
           system, 0, {});
  }
}

// Waves, trace and gdb must not change the recording of a replay.
TEST_F(Replay, IsWatchedAndRecordedAtOnce) {
  // A replay does not know the kernels: all rows except "line" and "kernel".
  const std::string scope = "*[!n][!l]";
  const std::string run = "noc_exchange --quiet --wave " + path("w.vcd") + " --wave-scope '" +
                          scope + "' --trace " + path("t.json") + " --record " + path("first.txt");
  expect("run " + run, 0, {});
  const std::string number = std::to_string(test::Port().number());
  foundation::Process replay(
      {.command = {test::kProgram, "replay", path("first.txt"), "--quiet", "--gdb", number,
                   "--wave", path("again.vcd"), "--wave-scope", scope, "--trace",
                   path("again.json"), "--record", path("second.txt")}});
  expect(test::execute(
             {.command = {"gdb-multiarch", "-nx", "-batch", "-ex", "set architecture riscv:rv32",
                          "-ex", "target remote :" + number, "-ex", "continue"}}),
         "gdb", 0, {"exited normally"});
  replay.finish();
  EXPECT_EQ(replay.exit_code(), 0) << replay.said();
  EXPECT_EQ(messages(path("first.txt")), messages(path("second.txt")));
  const std::string waves = changes(path("w.vcd"));
  EXPECT_GT(std::count(waves.begin(), waves.end(), '\n'), 300);
  EXPECT_EQ(waves, changes(path("again.vcd")));
}

TEST_F(Replay, RefusesCoresThatAnotherSystemLacks) {
  expect("run matmul --quiet --record " + path("r.txt"), 0, {});
  expect("replay " + path("r.txt") + " --system small_ring", 2,
         {"r.txt:", "core, addr, size: expected memory or registers that are there"});
  expect("replay " + path("r.txt") + " --system pim_rank", 2, {"no chips with a PCI device"});
}

TEST_F(Replay, EndsAsARunDoes) {
  expect("replay " + recording("counter") + " --quiet --page " + path("p.html") + " --wave " +
             path("w.vcd") + " --wave-scope '*BRISC*'",
         0, {});
  EXPECT_GT(test::read_file(path("p.html")).size(), 1000u);
  EXPECT_NE(test::read_file(path("w.vcd")).find("$enddefinitions"), std::string::npos);
  expect("replay " + recording("counter") + " --max-time 1us", 5,
         {"counter.txt:7: the time limit came", "addr=0x100 size=4 gives 00000000, not 34120000"});
}

TEST_F(Replay, BadInputIsNamed) {
  expect("replay", 2, {"file"});
  expect("replay " + path("nowhere.txt"), 2, {"nowhere.txt", "cannot be read"});
  expect("replay " + path(""), 2, {"not a folder"});
  expect("replay " + write("a.txt", "CLOCK 5\nWRITE core=1,1\n"), 2, {"a.txt:2", "addr=0xHEX"});
  expect("replay " + write("b.txt", "\nREAD core=0,2 addr=0x0 size=4 data=-\n"), 2,
         {"b.txt:2: ", "nothing is there"});
  expect("replay " + write("c.txt", "# a\n\n"), 2, {"c.txt", "it has no message"});
  expect("replay /dev/null", 2, {"/dev/null", "it has no message"});
  expect("replay " + write("d.txt", "WRITE core=12,1 addr=0x0 size=1 data=00\n"), 2,
         {"d.txt:1: core, addr, size: expected memory or registers that are there", "tile(12,1)"});
  expect("replay " + write("e.txt", "RESET_ASSERT core=0,0\n"), 2,
         {"e.txt:1: core: expected a tile with RISC-V cores"});
  expect("replay " + write("f.txt", "READ bar=2 addr=0xffffffffffffffff size=1 data=-\n"), 2,
         {"f.txt:1: bar, addr, size: expected"});
  expect("replay " + write("g.txt", "# tensix-vp: times 5\n"), 2,
         {"g.txt:1: # tensix-vp: times …: expected \"in bytes A-B of every C of the next reply"});
  expect("replay " + recording("counter") + " --set replay.times=never", 2,
         {"replay.times", "auto, compared, skipped"});
  expect("replay /dev/zero", 2, {"/dev/zero:1: expected a line of at most"});
  expect("replay " + recording("counter") + " --elf brisc", 2, {"--elf brisc", "PROCESSOR=FILE"});
  expect("replay " + recording("counter") + " --elf brisc=/nowhere.elf", 2, {"/nowhere.elf"});
  expect("replay " + recording("counter") + " --elf 0,0:brisc=" + recording("counter"), 2,
         {"expected a core of the system"});
  expect("replay " + recording("counter") + " --record /nowhere/r.txt", 2,
         {"cannot write the recording to /nowhere/r.txt"});
  expect("run pim_allreduce --quiet --record " + path("pim.txt"), 2,
         {"'record.file' has no effect", "kind wormhole"});
  expect("run noc_exchange --quiet --record /dev/full", 71, {"/dev/full", "No space left"});
}

TEST_F(Replay, ReadsAPipe) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  foundation::Process writer(
      {.command = {"tee", pipe}, .input = recording("counter"), .output = "/dev/null"});
  expect("replay " + pipe, 0, {"passed"});
  writer.finish();
  EXPECT_EQ(writer.exit_code(), 0) << writer.said();
}

#ifdef TVP_HOST_PROGRAM
// The program does not know about recording. Its windows appear as cores, and its host memory as
// HOST lines.
TEST_F(Replay, RecordsProgramsOfOthers) {
  const std::string file = path("exec.txt");
  expect("exec --record " + file + " -- " + TVP_HOST_PROGRAM, 0, {"PASSED"});
  const std::string text = test::read_file(file);
  EXPECT_NE(text.find("\nWRITE bar=2 addr=0x1208 "), std::string::npos);
  EXPECT_NE(text.find("\nHOST addr="), std::string::npos);
  expect("replay " + file + " --quiet --record " + path("again.txt"), 0, {});
  // That program does not end the library, but a replay does.
  EXPECT_TRUE(test::read_file(path("again.txt")).starts_with(text));
}
#endif

}  // namespace
}  // namespace tvp
