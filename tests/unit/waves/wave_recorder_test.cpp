#include "models/support/wave_files/wave_recorder.h"

#include <fstapi.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "foundation/fault.h"
#include "models/support/wave_files/signal_path.h"
#include "models/support/wave_files/vcd_writer.h"
#include "tests/support/fault_of.h"
#include "tests/support/perfetto_reader.h"

namespace tvp::support {
namespace {

namespace fs = std::filesystem;

class Recorder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("tvp_waves_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static std::uint64_t ps(Cycle c) { return c * 1000; }
  fs::path folder_;
};

std::string state_name(std::uint64_t value) {
  return value == 0 ? "idle" : value == 1 ? "busy" : "?";
}

/// Signals and changes for the tests of each format, out of order on purpose.
void fill(WaveRecorder& recorder) {
  Signal state, count, line;
  recorder.watch(count, {.path = "chip0.b.count", .width = 4});
  recorder.watch(state, {.path = "chip0.a.state", .text_of = state_name, .rest = "idle"});
  recorder.watch(line, {.path = "chip1.line", .initial = 1});
  count.set(7, 5);
  state.set(3, 1);
  count.set(2, 12);
  state.set(9, 0);
  line.set(4, 0);
  line.set(4, 1);  // the last change of a cycle counts, so nothing changes
  recorder.span("chip0.a.phase", "round 1", 2, 6);
  recorder.span("chip0.a.phase", "round 2", 6, 8);
}

constexpr const char* kChanges =
    "#0\ns !\nsidle \"\nb0000 #\n1$\n"
    "#2000\nb1100 #\nsround_1 !\n"
    "#3000\nsbusy \"\n"
    "#6000\nsround_2 !\n"
    "#7000\nb0101 #\n"
    "#8000\ns !\n"
    "#9000\nsidle \"\n"
    "#10000\n";

TEST_F(Recorder, VcdIsSortedByTimeAndListedByPath) {
  const std::string file = path("w.vcd");
  {
    WaveRecorder recorder({.file = file});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  EXPECT_EQ(read(file),
            std::string("$version tensix-vp $end\n$timescale 1ps $end\n"
                        "$scope module chip0 $end\n$scope module a $end\n"
                        "$var string 1 ! phase $end\n$var string 1 \" state $end\n"
                        "$upscope $end\n$scope module b $end\n$var wire 4 # count $end\n"
                        "$upscope $end\n$upscope $end\n$scope module chip1 $end\n"
                        "$var wire 1 $ line $end\n$upscope $end\n$enddefinitions $end\n") +
                kChanges);
}

// IEEE 1364 18.2.1: identifiers consist of characters from '!' to '~'. They make up most of a file,
// so they must be short.
TEST_F(Recorder, VcdIdentifiersAreOfTheirOwnAndShort) {
  const std::string file = path("w.vcd");
  {
    VcdWriter writer(file);
    for (unsigned i = 0; i < 400; ++i)
      writer.declare({"chip0.s" + std::to_string(i), SignalInfo::Kind::kBits, 1, ""});
    writer.close(0);
  }
  std::istringstream text(read(file));
  std::map<std::string, unsigned> identifiers;
  unsigned declared = 0;
  for (std::string word, kind, width, identifier; text >> word;) {
    if (word != "$var") continue;
    text >> kind >> width >> identifier;
    EXPECT_EQ(identifier.size(), declared < 94 ? 1U : 2U) << declared;
    for (const char c : identifier) EXPECT_TRUE('!' <= c && c <= '~') << declared;
    EXPECT_TRUE(identifiers.emplace(identifier, declared++).second) << identifier;
  }
  EXPECT_EQ(declared, 400U);
}

TEST_F(Recorder, AWindowBeginsWithTheValuesOfThen) {
  const std::string file = path("w.vcd");
  {
    WaveRecorder recorder({.file = file, .scope = "chip0.a.*", .from = 5, .to = 6});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  const std::string text = read(file);
  EXPECT_EQ(text.substr(text.find('#')), "#5000\nsround_1 !\nsbusy \"\n#6000\nsround_2 !\n");
  EXPECT_EQ(text.find("count"), std::string::npos);
}

// A change in the first cycle of a window is the window's initial value.
TEST_F(Recorder, AWindowMayBeginWithAChange) {
  const std::string file = path("w.vcd");
  {
    WaveRecorder recorder({.file = file, .scope = "chip0.a.*", .from = 3, .to = 3});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  const std::string text = read(file);
  EXPECT_EQ(text.substr(text.find('#')), "#3000\nsround_1 !\nsbusy \"\n");
}

TEST_F(Recorder, SignalsOutsideTheScopeStayOff) {
  WaveRecorder recorder({.file = path("w.vcd"), .scope = "chip1.*"});
  Signal in, out;
  recorder.watch(in, {.path = "chip1.line"});
  recorder.watch(out, {.path = "chip0.line"});
  EXPECT_TRUE(in.on());
  EXPECT_FALSE(out.on());
  out.set(5, 1);  // must have no effect
  recorder.finish(ps, 10);
}

TEST_F(Recorder, AScopeThatNoSignalHasIsTold) {
  const auto refusal = [&](const char* scope, bool span) {
    WaveRecorder recorder({.file = path("w.vcd"), .scope = scope});
    Signal signal;
    recorder.watch(signal, {.path = "chip0.line"});
    if (span) recorder.span("chip1.round", "first", 1, 2);
    try {
      recorder.finish(ps, 10);
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("chip1.*", false),
            "wave.scope: no signal is called chip1.*; paths are like chip0.tensix_1_2.BRISC.state");
  EXPECT_EQ(refusal("chip1.*", true), "");
  EXPECT_EQ(refusal("chip0.*", false), "");
  EXPECT_EQ(refusal("", false), "");
}

TEST_F(Recorder, LevelsAddUpInAnyOrder) {
  const std::string file = path("w.vcd");
  {
    WaveRecorder recorder({.file = file, .from = 1});
    LevelSignal depth, busy;
    recorder.watch(depth, {.path = "depth", .width = 3});
    recorder.watch(busy, {.path = "busy"});
    depth.occupy(6, 8);  // later than the next calls
    depth.occupy(2, 7);
    depth.add(0, 2);  // before the window
    busy.occupy(4, 5);
    busy.occupy(5, 9);  // no gap
    busy.occupy(20, 30);
    recorder.finish(ps, 10);
  }
  const std::string text = read(file);
  EXPECT_EQ(text.substr(text.find('#')),
            "#1000\n0!\nb010 \"\n#2000\nb011 \"\n#4000\n1!\n#6000\nb100 \"\n#7000\nb011 \"\n"
            "#8000\nb010 \"\n#9000\n0!\n#10000\n");
}

TEST_F(Recorder, RowsThatNeverChangeAreLeftOutUnlessTheyAreAlwaysThere) {
  const std::string file = path("w.vcd");
  {
    WaveRecorder recorder({.file = file});
    Signal quiet, always, detail;
    recorder.watch(quiet, {.path = "quiet"});
    recorder.watch(always, {.path = "always", .always = true});
    recorder.watch(detail, {.path = "detail", .detail = true});
    EXPECT_FALSE(detail.on());
    recorder.finish(ps, 10);
  }
  const std::string text = read(file);
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  EXPECT_EQ(text.find("detail"), std::string::npos);
  EXPECT_NE(text.find("$var wire 1 ! always $end"), std::string::npos);
  WaveRecorder asked({.file = file, .scope = "d*"});
  EXPECT_TRUE(asked.wants({.path = "detail", .detail = true}));
}

TEST_F(Recorder, TraceEventsAreExactToThePicosecond) {
  const std::string file = path("t.json");
  {
    WaveRecorder recorder({.trace = file});
    fill(recorder);
    recorder.finish([](Cycle c) { return c * 1'000'003; }, 10);
  }
  const auto events = nlohmann::json::parse(read(file));
  std::map<std::pair<int, int>, std::string> threads;
  std::map<int, std::string> processes;
  std::vector<std::string> complete, counters;
  for (const auto& e : events) {
    const int pid = e["pid"];
    const int tid = e["tid"];
    if (e["name"] == "process_name") processes[pid] = e["args"]["name"];
    if (e["name"] == "thread_name") threads[{pid, tid}] = e["args"]["name"];
    if (e["ph"] == "X") {
      complete.push_back(processes.at(pid) + "/" + threads.at({pid, tid}) + " " +
                         e["name"].get<std::string>());
    }
    if (e["ph"] == "C") counters.push_back(e["args"].dump());
  }
  EXPECT_EQ(complete, (std::vector<std::string>{"chip0/a.phase round 1", "chip0/a.phase round 2",
                                                "chip0/a.state busy", "chip1/line line"}));
  EXPECT_EQ(processes, (std::map<int, std::string>{{0, "chip0"}, {1, "chip1"}}));
  EXPECT_EQ(counters,
            (std::vector<std::string>{"{\"value\":0}", "{\"value\":12}", "{\"value\":5}"}));
  // Cycles 6 to 8 of 1.000003 us: as text, since a double would round.
  EXPECT_NE(read(file).find("\"name\":\"round 2\",\"pid\":0,\"tid\":1,\"ts\":6.000018,"
                            "\"dur\":2.000006}"),
            std::string::npos);
}

/// The contents of an FST file from the format's own reader: "time path-number value".
struct FstContents {
  std::vector<std::string> names;
  std::vector<std::string> changes;

  explicit FstContents(const std::string& file) {
    void* reader = fstReaderOpen(file.c_str());
    if (reader == nullptr) return;
    while (const fstHier* h = fstReaderIterateHier(reader)) {
      if (h->htyp == FST_HT_VAR) names.emplace_back(h->u.var.name);
    }
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, on_bits, on_text, this, nullptr);
    fstReaderClose(reader);
  }
  void add(std::uint64_t time, fstHandle signal, const std::string& value) {
    changes.push_back(std::to_string(time) + " " + names[signal - 1] + " " + value);
  }
  static void on_bits(void* self, std::uint64_t time, fstHandle signal,
                      const unsigned char* value) {
    static_cast<FstContents*>(self)->add(time, signal, reinterpret_cast<const char*>(value));
  }
  static void on_text(void* self, std::uint64_t time, fstHandle signal, const unsigned char* value,
                      std::uint32_t length) {
    static_cast<FstContents*>(self)->add(time, signal,
                                         std::string(reinterpret_cast<const char*>(value), length));
  }
};

// A run may end before the first signal exists. No viewer opens such a file.
TEST_F(Recorder, FstWithoutSignalsIsNotLeft) {
  const std::string file = path("none.fst");
  {
    WaveRecorder recorder({.file = file});
    recorder.finish(ps, 10);
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Recorder, FstHoldsTheSameChanges) {
  const std::string file = path("w.fst");
  {
    WaveRecorder recorder({.file = file});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  FstContents contents(file);
  EXPECT_EQ(contents.names, (std::vector<std::string>{"phase", "state", "count", "line"}));
  // The reader returns changes of one time in its own order.
  std::sort(contents.changes.begin(), contents.changes.end());
  std::vector<std::string> expected{"0 phase ",        "0 state idle",       "0 count 0000",
                                    "0 line 1",        "2000 phase round 1", "2000 count 1100",
                                    "3000 state busy", "6000 phase round 2", "7000 count 0101",
                                    "8000 phase ",     "9000 state idle"};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(contents.changes, expected);
}

TEST_F(Recorder, BadFilesAreNamed) {
  for (const std::string& bad :
       {path("w.txt"), std::string("/nowhere/w.vcd"), std::string("/nowhere/w.fst")}) {
    EXPECT_TRUE(tvp::test::faults([&] { WaveRecorder recorder({.file = bad}); },
                                  foundation::FaultKind::kDescription, {bad}))
        << bad;
  }
}

TEST(SignalPath, SplitsAtDots) {
  EXPECT_EQ(scopes_of("a.b.c"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(name_of("a.b.c"), "c");
  EXPECT_TRUE(scopes_of("c").empty());
  EXPECT_EQ(common_prefix({"a", "b"}, {"a", "c"}), 1u);
}

TEST_F(Recorder, PerfettoGetsGroupsSlicesCountersAndArrows) {
  WaveRecorder recorder({.trace = path("t.pftrace")});
  EXPECT_TRUE(recorder.wants_arrows());
  fill(recorder);
  recorder.arrow("chip0.a.sent", "chip1.b.arrived", "write 64 B", 3, 8);
  recorder.arrow("chip0.a.sent", "chip1.b.arrived", "late", 9, 1000);  // after the end
  recorder.finish(ps, 12);
  const test::PerfettoReader trace(read(path("t.pftrace")));
  std::vector<std::string> texts;
  for (const auto& event : trace.events()) {
    texts.push_back(std::to_string(event.ns) + " " + event.group + "/" + event.track + " " +
                    std::to_string(event.type) + " " + event.name + " " +
                    std::to_string(event.value) + " " + std::to_string(event.leaves) + " " +
                    std::to_string(event.ends));
  }
  const auto has = [&](const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  for (const char* text :
       {"3 chip0 a/state 1 busy 0 0 0", "9 chip0 a/state 2  0 0 0", "2 chip0 b/count 4  12 0 0",
        "7 chip0 b/count 4  5 0 0", "2 chip0 a/phase 1 round 1 0 0 0",
        "6 chip0 a/phase 1 round 2 0 0 0", "0 chip1/line 1 line 0 0 0",
        "3 chip0 a/sent 3 write 64 B 0 1 0", "8 chip1 b/arrived 3 write 64 B 0 0 1"})
    EXPECT_TRUE(has(text)) << text;
  EXPECT_EQ(std::count_if(trace.events().begin(), trace.events().end(),
                          [](const auto& event) { return event.leaves != 0; }),
            1);
}

}  // namespace
}  // namespace tvp::support
