#include "models/support/waves/wave_recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
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

TEST_F(Recorder, FstHoldsTheSameChanges) {
  const std::string file = path("w.fst");
  {
    WaveRecorder recorder({.file = file});
    fill(recorder);
    recorder.finish(ps, 10);
  }
  std::ifstream stream(file, std::ios::binary);
  ASSERT_TRUE(stream.good());
  EXPECT_GT(fs::file_size(file), 100u);
  // Read back by GTKWave's own tool where it is installed; the platform does not need it.
  FILE* pipe = popen(("fst2vcd " + file + " 2>/dev/null").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), n);
  }
  if (pclose(pipe) != 0) GTEST_SKIP() << "fst2vcd is not installed";
  for (const char* part : {"$timescale\n\t1ps", "phase $end", "state $end", "count", "#2000",
                           "b1100", "sbusy", "#9000", "sidle", "sround\\0401"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " not in\n" << text;
  }
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
