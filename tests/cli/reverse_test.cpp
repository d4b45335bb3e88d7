// Reverse execution under gdb: the way back shows what the way there has shown, and the run ends as
// without it.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/gdb_runs.h"

namespace tvp {
namespace {

using test::DebuggedProgram;
using test::free_port;
using test::Outcome;
using test::RawDebugger;

constexpr const char* kOneTile = " --set gdb.cores=chip0.tensix(1?1).*";
constexpr const char* kWaits = "waiting for gdb-multiarch";

/// Counts with xorshift32 and stores each value; it never ends.
constexpr const char* kLoop =
    "li t0, 1\nla a1, tohost\naddi a1, a1, 16\n"
    "1: slli t1, t0, 13\nxor t0, t0, t1\nsrli t1, t0, 17\nxor t0, t0, t1\n"
    "slli t1, t0, 5\nxor t0, t0, t1\nsw t0, 0(a1)\nj 1b\n";

std::vector<std::string> lines_with(const std::string& text, const std::string& begin) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(begin)) found.push_back(line);
  return found;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string text;
    if (!std::getline(file, text)) continue;
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    char state = 0;
    pid_t its_parent = 0;
    fields >> state >> its_parent;
    if (its_parent == parent) found.push_back(std::stoi(entry.path().filename().string()));
  }
  return found;
}

bool lives(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return false;
  return text.at(text.rfind(')') + 2) != 'Z';
}

class Reverse : public test::GdbTest {
 protected:
  /// A debugger without gdb's own logic.
  struct Raw {
    std::unique_ptr<DebuggedProgram> run;
    std::unique_ptr<RawDebugger> client;
    std::string said;  ///< console output of the server

    std::string stop() {
      while (true) {
        const std::string packet = client->hear();
        if (!packet.starts_with("O") || packet == "OK") return packet;
        said += debug::from_hex(packet.substr(1)).value_or("");
      }
    }
    std::string ask(const std::string& packet) {
      client->say(packet);
      return stop();
    }
    std::string monitor(const std::string& command) {
      return debug::from_hex(ask("qRcmd," + debug::to_hex(command))).value_or("");
    }
    /// The program counter of a stop, as the packet has it.
    static std::string pc(const std::string& packet) {
      const std::size_t at = packet.find("20:");
      return at == std::string::npos ? packet : packet.substr(at + 3, 8);
    }
  };
  Raw connect(const std::string& arguments) const {
    const std::uint16_t port = free_port();
    Raw raw;
    raw.run = std::make_unique<DebuggedProgram>(arguments + " --gdb " + std::to_string(port));
    EXPECT_TRUE(raw.run->read_to(kWaits));
    raw.client = std::make_unique<RawDebugger>(port);
    EXPECT_EQ(raw.ask("?").substr(0, 3), "T05");
    return raw;
  }
};

TEST_F(Reverse, StepsBackShowWhatStepsForwardHaveShown) {
  std::vector<std::string> commands{
      "define place",
      "printf \"place %x %x %x %x %x %x %x %x %x\\n\", $pc, $sp, $ra, $a0, $a1, $a4, $a5, $t0, "
      "*(int*)$sp",
      "end",
      "tbreak chlkc_math::math_main",
      "continue",
      "place"};
  for (int i = 0; i < 5; ++i) commands.insert(commands.end(), {"stepi", "place"});
  for (int i = 0; i < 5; ++i) commands.insert(commands.end(), {"reverse-stepi", "place"});
  commands.insert(commands.end(), {"reverse-stepi", "backtrace 1", "reverse-continue", "continue"});
  const Session s = debug("sdpa" + std::string(kOneTile), commands);
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  const auto places = lines_with(s.gdb.output, "place ");
  ASSERT_EQ(places.size(), 11U) << s.gdb.output;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NE(places[i], places[i + 1]);
    EXPECT_EQ(places[i], places[10 - i]) << i;
  }
  expect_in_order(s.gdb.output, {places[0], places[10], "kernel_entry",
                                 "No more reverse-execution history", "exited normally"});
  EXPECT_NE(s.run.output.find("24018 ns"), std::string::npos) << s.run.output;
  expect_same("sdpa");
}

TEST_F(Reverse, UnitsOfPimSystemsStepBack) {
  const std::string workload = "pim_allreduce --set pim_allreduce.bytes=4096";
  std::vector<std::string> commands{"tbreak main", "continue"};
  const std::string place = "printf \"place %x %x %x %x\\n\", $pc, $sp, $a0, $a5";
  for (const char* way : {"stepi", "reverse-stepi"})
    for (int i = 0; i < 4; ++i) commands.insert(commands.end(), {place, way});
  commands.insert(commands.end(), {place, "continue"});
  const Session s = debug(workload + ",gdb.cores=unit5", commands);
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  const auto places = lines_with(s.gdb.output, "place ");
  ASSERT_EQ(places.size(), 9U) << s.gdb.output;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(places[i], places[8 - i]) << i;
  EXPECT_NE(places[0], places[4]);
  expect_same(workload);
}

TEST_F(Reverse, AWatchpointFindsTheWriterOfAValue) {
  const Session s = debug(
      "matmul" + std::string(kOneTile),
      {"tbreak chlkc_math::math_main", "continue", "monitor goto 30us", "continue",
       "print *(int*)0x28000", "watch *(int*)0x28000", "reverse-continue", "print *(int*)0x28000",
       "reverse-continue", "print *(int*)0x28000", "continue", "delete", "continue"});
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output,
                  {"`continue` goes to cycle 30000", "SIGTRAP", "$1 = 1007337201",
                   "written by NIU 0 or the host: chip0.tensix(1,1).NCRISC has read it",
                   "matmul/reader.cpp:23", "Old value = 1007337201", "New value = -1086668997",
                   "$2 = -1086668997", "matmul/reader.cpp:23", "New value = 0", "$3 = 0",
                   "New value = -1086668997", "exited normally"});
  expect_same("matmul");
}

TEST_F(Reverse, ATimeIsReachedFromBothSides) {
  std::vector<std::string> commands{"tbreak chlkc_math::math_main", "continue"};
  for (const char* time : {"13000ns", "15us", "9000cycles", "13us", "15000ns", "0ns"})
    commands.insert(commands.end(), {std::string("monitor goto ") + time, "continue",
                                     "printf \"place %x %x %x %x %x\\n\", $pc, $sp, $ra, $a0, $a1",
                                     "monitor cores", "monitor time"});
  commands.push_back("monitor goto 1000us");
  commands.push_back("continue");
  const Session s = debug("matmul" + std::string(kOneTile), commands);
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  const auto places = lines_with(s.gdb.output, "place ");
  const auto times = lines_with(s.gdb.output, "cycle ");
  const auto cores = lines_with(s.gdb.output, "4    D0 (1,1) TRISC1");
  ASSERT_EQ(places.size(), 6U) << s.gdb.output;
  ASSERT_EQ(times.size(), 6U) << s.gdb.output;
  ASSERT_EQ(cores.size(), 6U) << s.gdb.output;
  for (const auto& [there, back] : {std::pair(0, 3), std::pair(1, 4)}) {
    EXPECT_EQ(places[there], places[back]);
    EXPECT_EQ(times[there], times[back]);
    EXPECT_EQ(cores[there], cores[back]);
  }
  EXPECT_TRUE(times[0].starts_with("cycle 13000,")) << times[0];
  EXPECT_TRUE(times[2].starts_with("cycle 9000,")) << times[2];
  EXPECT_TRUE(times[5].starts_with("cycle 0,")) << times[5];
  expect_in_order(s.gdb.output, {"exited normally"});
  expect_same("matmul");
}

TEST_F(Reverse, LinesAndCallsGoBack) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const Session s =
      debug(elf(program),
            {"break debugged.c:13", "continue", "continue", "continue", "print sum",
             "reverse-continue", "print sum", "delete", "reverse-next", "backtrace",
             "reverse-finish", "backtrace 1", "print p.x", "next", "print p.x", "continue"});
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output,
                  {"$1 = 14", "Breakpoint 1, sum_of_squares", "$2 = 5", "#0  sum_of_squares",
                   "#0  ", "run ()", "$3 = 3", "$4 = 55", "exited normally"});
  expect_same(elf(program));
}

TEST_F(Reverse, WhatTheDebuggerWritesIsUndone) {
  const std::string program = build(TVP_PROGRAMS "/debugged.c");
  const Session s =
      debug(elf(program), {"break debugged.c:13", "continue", "set var p.y = 77", "stepi", "stepi",
                           "print p.y", "reverse-stepi", "print p.y", "reverse-stepi", "print p.y",
                           "reverse-stepi", "print p.y", "delete", "continue"});
  EXPECT_EQ(s.run.exit_code, 0) << s.run.output;
  expect_in_order(s.gdb.output, {"$1 = 77", "$2 = 77", "$3 = 77", "later writes are undone",
                                 "$4 = 4", "exited normally"});
  expect_same(elf(program));
}

TEST_F(Reverse, FaultsAndHangsGoBack) {
  Raw raw = connect(elf(assemble("li t0, 0x70000000\nnop\nlw a0, 0(t0)\n1: j 1b\n")));
  EXPECT_EQ(Raw::pc(raw.ask("vCont;c")), "08100000");
  EXPECT_EQ(Raw::pc(raw.ask("bs")), "04100000");
  EXPECT_EQ(raw.ask("bs").substr(0, 16), "T05replaylog:beg");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T0b");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "W03");
  raw.client.reset();
  EXPECT_EQ(raw.run->end().exit_code, 3);

  raw =
      connect(elf(assemble("li t0, 0x4000\nnop\npoll: lw a0, 0(t0)\nbeqz a0, poll\n"
                           "la t1, tohost\nsw a0, 0(t1)\n1: j 1b\n")));
  EXPECT_EQ(Raw::pc(raw.ask("vCont;c")), "08100000");
  EXPECT_EQ(Raw::pc(raw.ask("bs")), "0c100000");
  EXPECT_EQ(Raw::pc(raw.ask("bs")), "08100000");
  EXPECT_EQ(raw.ask("M4000,4:01000000"), "OK");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "W00");
  raw.client.reset();
  EXPECT_EQ(raw.run->end().exit_code, 0);
}

TEST_F(Reverse, NothingIsPrintedTwice) {
  const std::string program =
      assemble("1: addi t0, t0, 1\nandi t0, t0, 1023\nxor t1, t1, t0\nj 1b\n");
  const Outcome compiled =
      test::execute("cc -o " + path("host") + " " TVP_PROGRAMS "/printing_host.c -ldl");
  ASSERT_EQ(compiled.exit_code, 0) << compiled.output;
  const std::uint16_t port = free_port();
  const std::string number = std::to_string(port);
  foundation::Process host({.command = test::words_of(test::kProgram + " exec --gdb " + number +
                                                      " -- /bin/sh -c 'exec " + path("host") +
                                                      " $TENSIX_VP_LIBRARY " + program + "'")});
  while (host.said().find(kWaits) == std::string::npos) ASSERT_TRUE(host.read_more());
  {
    Raw raw;
    raw.client = std::make_unique<RawDebugger>(port);
    EXPECT_EQ(raw.ask("?").substr(0, 3), "T05");
    for (const char* time : {"7500cycles", "2500cycles", "500cycles", "5us"}) {
      EXPECT_NE(raw.monitor(std::string("goto ") + time), "");
      EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
    }
    EXPECT_EQ(raw.ask("D"), "OK");
  }
  host.finish();
  EXPECT_EQ(host.exit_code(), 0) << host.said();
  const auto lines = lines_with(host.said(), "after ");
  ASSERT_EQ(lines.size(), 10U) << host.said();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(lines[i], "after " + std::to_string(1000 * i) + " cycles");
}

TEST_F(Reverse, CheckpointsAreFewAndShortenTheWay) {
  Raw raw = connect(elf(assemble(kLoop)) + ",gdb.checkpoints=3 --max-time 100s");
  EXPECT_NE(raw.monitor("goto 60000000cycles").find("60000000"), std::string::npos);
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  const auto copies = children_of(raw.run->id());
  EXPECT_GE(copies.size(), 3U);  // the run and two checkpoints
  EXPECT_LE(copies.size(), 4U);
  const std::string there = raw.ask("g");
  EXPECT_EQ(raw.ask("bs").substr(0, 3), "T05");
  EXPECT_NE(raw.ask("g"), there);
  raw.monitor("goto 1000cycles");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  EXPECT_TRUE(raw.monitor("time").starts_with("cycle 1000,")) << raw.monitor("time");
  raw.monitor("goto 60000000cycles");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  EXPECT_EQ(raw.ask("g"), there);
  EXPECT_LE(children_of(raw.run->id()).size(), 4U);
  raw.client->say("k");
  EXPECT_EQ(raw.run->end().exit_code, 130);
}

TEST_F(Reverse, CtrlCStopsTheWayBack) {
  Raw raw = connect(elf(assemble(kLoop)) + " --max-time 100s");
  raw.monitor("goto 300000000cycles");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  const std::string there = raw.ask("g");
  // The first instruction: the whole history is searched for it.
  EXPECT_EQ(raw.ask("Z0,1000,4"), "OK");
  raw.client->say("bc");
  raw.client->send_raw("\x03");
  EXPECT_EQ(raw.stop().substr(0, 16), "T05replaylog:beg");
  EXPECT_NE(raw.said.find("interrupted"), std::string::npos) << raw.said;
  EXPECT_EQ(raw.ask("g"), there);
  // A debugger that hangs up on the way back lets the run go on, which a signal then ends.
  raw.client->say("bc");
  raw.client.reset();
  raw.run->interrupt();
  EXPECT_EQ(raw.run->end().exit_code, 130);
}

TEST_F(Reverse, ASignalOnTheWayBackEndsTheRun) {
  Raw raw = connect(elf(assemble(kLoop)) + " --max-time 100s");
  raw.monitor("goto 1000000cycles");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  EXPECT_EQ(raw.ask("Z0,1000,4"), "OK");
  raw.client->say("bc");
  raw.run->interrupt();
  raw.client.reset();
  EXPECT_EQ(raw.run->end().exit_code, 130);
}

TEST_F(Reverse, CopiesEndWithTheProcessThatTheUserHasStarted) {
  Raw raw = connect(elf(assemble(kLoop)) + " --max-time 100s");
  raw.monitor("goto 20000000cycles");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  const auto copies = children_of(raw.run->id());
  EXPECT_GE(copies.size(), 2U);
  ASSERT_EQ(kill(raw.run->id(), SIGKILL), 0);
  EXPECT_EQ(raw.client->hear(), "closed");
  raw.run->end();
  for (const pid_t copy : copies) {
    while (lives(copy)) sched_yield();
  }
}

TEST_F(Reverse, WhatCannotGoBackSaysWhy) {
  const std::string program = assemble(kLoop);
  const auto expect_refusal = [&](const std::string& options, const std::string& why) {
    Raw raw = connect(options);
    raw.monitor("goto 1000cycles");
    EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
    for (const char* packet : {"bs", "bc"}) {
      raw.said.clear();
      EXPECT_EQ(raw.ask(packet).substr(0, 16), "T05replaylog:beg");
      EXPECT_EQ(raw.said, "The run cannot go back: " + why + "\n") << options;
    }
    EXPECT_EQ(raw.monitor("goto 10cycles"), "The run cannot go back: " + why + "\n");
    raw.client->say("k");
    EXPECT_EQ(raw.run->end().exit_code, 130);
  };
  const std::string run = elf(program) + " --max-time 1s";
  expect_refusal(run + " --wave " + path("w.vcd"), "the run writes waves or a trace");
  expect_refusal(run + " --set gdb.checkpoints=0", "gdb.checkpoints is 0");
  expect_refusal("noc_exchange --system pair --set threads=2 --set gdb.cores=chip0.tensix(1?1).B*",
                 "threads is 2, and copies of the run have one thread");
}

TEST_F(Reverse, BadRequestsChangeNothing) {
  Raw raw = connect(elf(assemble(kLoop)) + " --max-time 1s");
  for (const char* time :
       {"-5ns", "5", "", "ns", "5 lightyears", "99999999999999999999ns", "9999999999999us"}) {
    EXPECT_NE(raw.monitor(std::string("goto ") + time).find("expected a time like"),
              std::string::npos)
        << time;
  }
  EXPECT_EQ(raw.ask("b"), "");
  EXPECT_EQ(raw.ask("bx"), "");
  EXPECT_EQ(raw.ask("bss"), "");
  EXPECT_EQ(raw.ask("bs").substr(0, 16), "T05replaylog:beg");
  EXPECT_EQ(raw.ask("bc").substr(0, 16), "T05replaylog:beg");
  // Later than the run ends.
  EXPECT_NE(raw.monitor("goto 1000000us"), "");
  raw.monitor("goto 10us");
  EXPECT_EQ(raw.ask("vCont;c").substr(0, 3), "T05");
  EXPECT_TRUE(raw.monitor("time").starts_with("cycle 10000,")) << raw.monitor("time");
  raw.client->say("k");
  EXPECT_EQ(raw.run->end().exit_code, 130);
}

}  // namespace
}  // namespace tvp
