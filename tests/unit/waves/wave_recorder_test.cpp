#include "models/support/waves/wave_recorder.h"

#include <fstapi.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/support/fault.h"
#include "models/support/waves/signal_path.h"

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

const char* state_name(std::uint64_t value) {
  return value == 0 ? "idle" : value == 1 ? "busy" : "?";
}

/// Signals and changes that every test of a format writes: out of order on purpose.
void fill(WaveRecorder& recorder) {
  Signal state, count, line;
  recorder.watch(count, "chip0.b.count", 4, nullptr, 0);
  recorder.watch(state, "chip0.a.state", 0, state_name, 0);
  recorder.watch(line, "chip1.line", 1, nullptr, 1);
  count.set(7, 5);
  state.set(3, 1);
  count.set(2, 12);
  state.set(9, 0);
  line.set(4, 0);
  line.set(4, 1);  // the last change of a cycle counts: nothing to be seen
  recorder.stretch("chip0.a.phase", "round 1", 2, 6);
  recorder.stretch("chip0.a.phase", "round 2", 6, 8);
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

TEST_F(Recorder, AWindowBeginsWithTheValuesOfThen) {
  const std::string file = path("w.vcd");
  {
    WaveRecorder recorder({.file = file, .scope = "chip0.a.*", .from_ps = 5000, .to_ps = 6500});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  const std::string text = read(file);
  EXPECT_EQ(text.substr(text.find("#")), "#5000\nsround_1 !\nsbusy \"\n#6000\nsround_2 !\n#6500\n");
  EXPECT_EQ(text.find("count"), std::string::npos);
}

TEST_F(Recorder, SignalsOutsideTheScopeStayOff) {
  WaveRecorder recorder({.file = path("w.vcd"), .scope = "chip1.*"});
  Signal in, out;
  recorder.watch(in, "chip1.line", 1, nullptr, 0);
  recorder.watch(out, "chip0.line", 1, nullptr, 0);
  EXPECT_TRUE(in.on());
  EXPECT_FALSE(out.on());
  out.set(5, 1);  // must not reach anything
  recorder.finish(ps, 10);
}

/// What an FST file holds, read back by the format's own reader: "time path-number value".
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

TEST_F(Recorder, FstHoldsTheSameChanges) {
  const std::string file = path("w.fst");
  {
    WaveRecorder recorder({.file = file});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  FstContents contents(file);
  EXPECT_EQ(contents.names, (std::vector<std::string>{"phase", "state", "count", "line"}));
  // The reader hands out the changes of one time in an order of its own.
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
    try {
      WaveRecorder recorder({.file = bad});
      FAIL() << bad;
    } catch (const Fault& fault) {
      EXPECT_EQ(fault.kind(), FaultKind::kDescription);
      EXPECT_NE(std::string(fault.what()).find(bad), std::string::npos);
    }
  }
}

TEST(SignalPath, SplitsAtDots) {
  EXPECT_EQ(scopes_of("a.b.c"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(name_of("a.b.c"), "c");
  EXPECT_TRUE(scopes_of("c").empty());
  EXPECT_EQ(common_prefix({"a", "b"}, {"a", "c"}), 1u);
}

}  // namespace
}  // namespace tvp::support
