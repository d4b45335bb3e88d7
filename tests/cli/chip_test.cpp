// Chips other than Wormhole.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

using test::Outcome;
using test::vp;

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class ChipTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("tvp_chip_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  /// The report of a run that passes.
  Json report(const std::string& arguments) const {
    const std::string file = path("report.json");
    const Outcome o = vp("run " + arguments + " --quiet --report " + file);
    EXPECT_EQ(o.exit_code, 0) << arguments << "\n" << o.output;
    return Json::parse(read(file), nullptr, false);
  }
  /// The message of a refused run, without the path of the test folder.
  std::string refused(const std::string& arguments) const {
    const Outcome o = vp("run " + arguments);
    EXPECT_EQ(o.exit_code, 2) << arguments << "\n" << o.output;
    std::string text = o.output;
    for (std::size_t at; (at = text.find(folder_.string() + "/")) != std::string::npos;) {
      text.erase(at, folder_.string().size() + 1);
    }
    return text;
  }
  fs::path folder_;
};

struct SmallRun {
  const char* arguments;
};
class SmallRing : public ChipTest, public ::testing::WithParamInterface<SmallRun> {};

TEST_P(SmallRing, RunsWhatRunsOnWormhole) {
  const std::string arguments = std::string(GetParam().arguments) + " --system small_ring";
  const Json plain = report(arguments);
  const Json lockstep = report(arguments + " --lockstep");
  EXPECT_EQ(plain["simulated_ps"], lockstep["simulated_ps"]);
  EXPECT_EQ(plain["state_digest"], lockstep["state_digest"]);
}

INSTANTIATE_TEST_SUITE_P(
    Workloads, SmallRing,
    ::testing::Values(SmallRun{"sdpa"}, SmallRun{"matmul"}, SmallRun{"dram_loopback"},
                      SmallRun{"noc_exchange"}, SmallRun{"noc_exchange --set noc.torus=detailed"},
                      SmallRun{"noc_pattern --set bytes=512"},
                      SmallRun{"sdpa --seed 4 --set launch.start_spread=700"},
                      SmallRun{"noc_pattern --seed 2 --set pattern=all_from_all,bytes=1024,"
                               "launch.start_spread=300"},
                      SmallRun{"noc_latency --set fast_dispatch=true"},
                      SmallRun{"noc_multicast --set fast_dispatch=true"},
                      SmallRun{"noc_pattern --set fast_dispatch=true,columns=1,bytes=512"},
                      SmallRun{"dram_bandwidth --set blocks=2"},
                      SmallRun{"dram_crowd --set bytes=16384"}, SmallRun{"fabric_latency"},
                      SmallRun{"fabric_bandwidth --set packets=16"}, SmallRun{"ethernet_latency"}));

// Firmware has the instructions and configuration words of its chip.
TEST_F(ChipTest, RunsOnBlackhole) {
  for (const std::string arguments : {"matmul --system bh_single", "sdpa --system bh_ring"}) {
    const Json plain = report(arguments);
    const Json lockstep = report(arguments + " --lockstep");
    EXPECT_EQ(plain["simulated_ps"], lockstep["simulated_ps"]) << arguments;
    EXPECT_EQ(plain["state_digest"], lockstep["state_digest"]) << arguments;
  }
}

TEST_F(ChipTest, TheSeedSaysWhenCoresStart) {
  const std::string arguments =
      "noc_pattern --system small_ring --set pattern=all_from_all,bytes=1024,"
      "launch.start_spread=700";
  const Json first = report(arguments + " --seed 4");
  EXPECT_EQ(report(arguments + " --seed 4")["simulated_ps"], first["simulated_ps"]);
  EXPECT_NE(report(arguments + " --seed 5")["simulated_ps"], first["simulated_ps"]);
  EXPECT_EQ(report(arguments + ",launch.seed=4 --seed 5")["simulated_ps"], first["simulated_ps"]);
}

TEST_F(ChipTest, WavesAndPagesShowTheChipThatIsThere) {
  const std::string wave = path("small.vcd");
  const Json found =
      report("noc_exchange --system small_ring --wave " + wave + " --page " + path("small.html"));
  const std::string text = read(wave);
  EXPECT_NE(text.find("tensix_5_5"), std::string::npos);
  EXPECT_EQ(text.find("tensix_6_"), std::string::npos);
  EXPECT_EQ(text.find("router_6_"), std::string::npos);
  ASSERT_FALSE(found["heatmaps"].empty());
  EXPECT_EQ(found["heatmaps"][0]["rows"].size(), 6u);
  EXPECT_EQ(found["heatmaps"][0]["columns"].size(), 6u);
  EXPECT_GT(fs::file_size(path("small.html")), 1000u);
}

TEST_F(ChipTest, NumbersOfAPatternAreAxesOfASweep) {
  const Outcome o =
      vp("sweep sdpa --system small_ring --vary chip.columns=6,8 --out " + path("sweep"));
  EXPECT_EQ(o.exit_code, 0) << o.output;
  const Json sweep = Json::parse(read(path("sweep/sweep.json")), nullptr, false);
  ASSERT_EQ(sweep["runs"].size(), 2u) << sweep;
  const Outcome bad =
      vp("sweep sdpa --system small_ring --vary chip.columns=6,3 --out " + path("bad"));
  EXPECT_EQ(bad.exit_code, 2) << bad.output;
  EXPECT_NE(bad.output.find("pattern.dram_columns: 3 is outside of the grid, expected 0..2"),
            std::string::npos)
      << bad.output;
}

TEST_F(ChipTest, AChipMayHaveASettingOfItsOwn) {
  const std::string system = write("slow.toml",
                                   "schema = 1\nname = \"slow\"\n"
                                   "[[chip]]\nid = 0\npci_device = 0\n[chip.noc]\n"
                                   "hop_cycles = 27\n[[chip]]\nid = 1\npci_device = 1\n");
  const Json slow = report("noc_exchange --system " + system);
  const Json usual =
      report("noc_exchange --system " + write("usual.toml",
                                              "schema = 1\nname = \"usual\"\n"
                                              "[[chip]]\nid = 0\npci_device = 0\n"
                                              "[[chip]]\nid = 1\npci_device = 1\n[chip.noc]\n"
                                              "hop_cycles = 27\n"));
  EXPECT_GT(slow["simulated_ps"], usual["simulated_ps"]) << "the workload runs on chip 0";
  EXPECT_EQ(slow["settings"]["chip0.noc.hop_cycles"]["value"], "27");
  EXPECT_FALSE(slow["settings"].contains("chip1.noc.hop_cycles"));
  EXPECT_EQ(slow["settings"]["noc.hop_cycles"]["value"], "9");
}

TEST_F(ChipTest, KeysThatAChipLacksAreRefused) {
  const std::string head = "schema = 1\nname = \"bad\"\n[[chip]]\n";
  EXPECT_NE(refused("noc_exchange --system " +
                    write("bad.toml", head + "id = 0\npci_device = 0\n[chip.mesh]\nwidth = 4\n"))
                .find("bad.toml:7: 'mesh.width' of chip 0, a chip of kind wormhole_b0: a chip has "
                      "no such key, expected one of the groups chip, "),
            std::string::npos);
  EXPECT_NE(refused("noc_exchange --system " +
                    write("bad.toml", head + "id = 0\npci_device = 0\nrows = 4\n"))
                .find("bad.toml:6: chip.rows: "),
            std::string::npos);
  EXPECT_NE(
      refused("noc_exchange --system " + write("bad.toml", head + "id = 0\npci_device = 0\n"
                                                                  "[chip.noc]\nhop_cycle = 4\n"))
          .find("bad.toml:7: "),
      std::string::npos);
  EXPECT_NE(refused("noc_exchange --set chip.columns=8").find("chip.columns=8: chip.columns: "),
            std::string::npos);
}

TEST_F(ChipTest, MemoriesThatTheFirmwareDoesNotFitIntoAreRefused) {
  const std::string chip = write("tiny.toml",
                                 "schema = 1\nname = \"tiny\"\nextends = \"small\"\n[memories]\n"
                                 "tensix_l1_kib = 128\n");
  const std::string system = write("bad.toml",
                                   "schema = 1\nname = \"bad\"\n[[chip]]\nid = 0\n"
                                   "pci_device = 0\ndescription = \"tiny.toml\"\n");
  EXPECT_NE(refused("noc_exchange --system " + system)
                .find("tiny.toml:5: memories.tensix_l1_kib: 131072 bytes, expected "),
            std::string::npos);
  EXPECT_NE(refused("noc_exchange --set chip.l1_kib=128")
                .find("chip.l1_kib=128: memories.tensix_l1_kib: 131072 bytes, expected "),
            std::string::npos);
}

// The system's file is correct. The message names the key that removes the channels of its links.
TEST_F(ChipTest, LinksOfChannelsThatAKeyTookAwayNameTheKey) {
  EXPECT_NE(refused("noc_exchange --system small_ring --set chip.ethernet_channels=2")
                .find("expected an integer 0..1, for as many channels as chip.ethernet_channels=2 "
                      "gives the chip"),
            std::string::npos);
}

// Packers wrap beyond 2 MiB, so results would be wrong.
TEST_F(ChipTest, L1ThatPackersDoNotReachIsRefused) {
  EXPECT_NE(refused("matmul --system small_ring --set chip.l1_kib=2052")
                .find("chip.l1_kib = '2052': expected an integer 0..2048"),
            std::string::npos);
}

}  // namespace
}  // namespace tvp
