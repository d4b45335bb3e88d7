#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "foundation/chip/chip_reader.h"
#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::foundation::chip_errors_test {
namespace {

const char* const kChips = "platform/chips";

/// The error of Wormhole's chip description with `text` inserted at line 4.
std::string error_of(const std::string& text, const ChipOverrides& overrides = {},
                     const std::string& base = "wormhole_b0") {
  const auto file = std::filesystem::temp_directory_path() /
                    (std::string("tvp_chip_") +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml");
  std::ofstream(file) << "schema = 1\nname = \"bad\"\nextends = \"" << base << "\"\n" << text;
  std::string what = "no error";
  try {
    load_chip(file.string(), kChips, overrides);
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.kind(), FaultKind::kDescription);
    what = fault.what();
    const std::size_t at = what.find(file.string());
    if (at != std::string::npos) what.replace(at, file.string().size(), "bad.toml");
  }
  std::filesystem::remove(file);
  return what;
}

TEST(ChipErrors, NodesHaveAPlaceOfTheirOwnInsideOfTheGrid) {
  EXPECT_EQ(error_of(""), "no error");
  EXPECT_EQ(error_of("[arc]\nnode = [0, 3]\n"),
            "bad.toml:5: arc.node: the ARC tile is at [0, 3], where the PCIe tile is, expected a "
            "place of its own");
  EXPECT_EQ(error_of("[ethernet]\nnodes = [[9, 0], [9, 0]]\n"),
            "bad.toml:5: ethernet.nodes: ethernet channel 1 is at [9, 0], where ethernet channel 0 "
            "is, expected a place of its own");
  EXPECT_EQ(error_of("[pcie]\nnode = [10, 3]\n"),
            "bad.toml:5: pcie.node: [10, 3] is outside of the grid, expected columns 0..9 and rows "
            "0..11");
  EXPECT_EQ(error_of("[tensix]\ncolumns = [1, 10]\n"),
            "bad.toml:5: tensix.columns: 10 is outside of the grid, expected 0..9");
  EXPECT_EQ(error_of("[grid]\ncolumns = 17\n"), "bad.toml:5: grid.columns: expected 2..16");
}

// Deep tables would exhaust the stack, since they are freed recursively.
TEST(ChipErrors, KeysOfManyPartsAreRefused) {
  std::string key = "a";
  for (unsigned i = 0; i < 200'000; ++i) key += ".a";
  EXPECT_EQ(error_of("[grid]\n" + key + " = 1\n"), "bad.toml:5: a key of more than 256 parts");
  EXPECT_EQ(error_of("[" + key + "]\n"), "bad.toml:4: a key of more than 256 parts");
  // Points in texts, comments and numbers do not count.
  const std::string points(300, '.');
  EXPECT_EQ(error_of("# " + points + "\n[arc]\nnode = \"\\\"" + points + "\"\n").substr(0, 11),
            "bad.toml:6:");
  EXPECT_EQ(error_of("[arc]\nnode = \"\"\"\n\"" + points + "\"\"\"\n").substr(0, 20),
            "bad.toml:5: arc.node");
}

TEST(ChipErrors, HarvestBitsNameTensixRows) {
  EXPECT_EQ(error_of("[tensix]\nharvest_rows = [11, 6]\n"),
            "bad.toml:5: tensix.harvest_rows: 6 is no row of tensix.rows, expected one that can be "
            "turned off");
  EXPECT_EQ(error_of("[tensix]\nharvest_rows = [11, 1, 11]\n"),
            "bad.toml:5: tensix.harvest_rows: 11 stands twice");
}

TEST(ChipErrors, BanksLieBehindEndpoints) {
  EXPECT_EQ(error_of("[[dram]]\nendpoints = [[0, 0], [0, 1]]\n"
                     "banks = [{ node = [0, 2], offset = 0, mib = 64 }]\n"),
            "bad.toml:6: dram.banks.node: [0, 2] is no DRAM node of this channel, expected one of "
            "[0, 0], [0, 1]");
  EXPECT_EQ(error_of("[[dram]]\nendpoints = [[0, 0]]\n"
                     "banks = [{ node = [0, 0], offset = 64, mib = 64 }]\n"),
            "bad.toml:6: dram[0].banks: offset: expected banks one behind the other, bank 0 at 0");
  EXPECT_EQ(error_of("[[dram]]\nendpoints = [[0, 0], [0, 1]]\nniu_order = [[0, 1], [0, 1]]\n"
                     "banks = [{ node = [0, 0], offset = 0, mib = 64 }]\n"),
            "bad.toml:6: dram[0].niu_order: expected each of the channel's endpoints once");
}

TEST(ChipErrors, ChannelsAreTables) {
  for (const char* none : {"3", "\"all\"", "[1, 2]", "[[1], [2]]", "[{ endpoints = [[0, 0]] }, 1]"})
    EXPECT_EQ(error_of(std::string("dram = ") + none + "\n"),
              "bad.toml:4: dram: expected [[dram]] tables")
        << none;
}

TEST(ChipErrors, MemoriesHaveSizes) {
  EXPECT_EQ(error_of("[memories]\ntensix_l1_kib = 3\n"),
            "bad.toml:5: memories.tensix_l1_kib: 3072 bytes, expected a multiple of 4096 up to "
            "2097152");
}

TEST(ChipErrors, TensixTilesHaveNoMoreL1ThanPackersReach) {
  EXPECT_EQ(error_of("[memories]\ntensix_l1_kib = 2048\n"), "no error");
  EXPECT_EQ(error_of("[memories]\ntensix_l1_kib = 2052\n"),
            "bad.toml:5: memories.tensix_l1_kib: 2101248 bytes, expected a multiple of 4096 up to "
            "2097152");
  // There are no further packers.
  EXPECT_EQ(error_of("[memories]\nethernet_l1_kib = 2052\n"), "no error");
}

TEST(ChipErrors, UnknownKeysNameTheKnownOnes) {
  EXPECT_EQ(error_of("[grid]\nlayers = 2\n"),
            "bad.toml:5: unknown key 'layers' of grid: expected one of columns, rows");
  EXPECT_NE(error_of("[cache]\nkib = 2\n").find("bad.toml:4: unknown table [cache]: expected"),
            std::string::npos);
  EXPECT_EQ(error_of("[grid]\nrows = \"twelve\"\n"),
            "bad.toml:5: grid.rows: expected an integer 0..4294967295");
}

TEST(ChipErrors, ImpossiblePatterns) {
  EXPECT_EQ(
      error_of("[pattern]\ncolumns = 3\n", {}, "small"),
      "platform/chips/small.toml:10: pattern.dram_columns: 3 is outside of the grid, expected "
      "0..2");
  EXPECT_EQ(error_of("[pattern]\nrows = 1\n", {}, "small"),
            "bad.toml:5: pattern.rows: 1, expected 2..16");
  EXPECT_EQ(error_of("[pattern]\ndram_columns = [0, 6]\n", {}, "small"),
            "bad.toml:5: pattern.dram_columns: 6 is outside of the grid, expected 0..5");
  EXPECT_EQ(error_of("[pattern]\nethernet_channels = 9\n", {}, "small"),
            "bad.toml:5: pattern.ethernet_channels: 9, but there is room for 8: 2 ethernet rows of "
            "4 columns");
  EXPECT_EQ(error_of("[pattern]\ndram_channels = 6\n", {}, "small"),
            "bad.toml:5: pattern.dram_channels: 6 channels of 2 endpoints do not fit into 2 DRAM "
            "columns of 6 rows, of which the first holds the ARC and PCIe tiles, too");
}

TEST(ChipErrors, KeysThatAChipLacks) {
  EXPECT_EQ(error_of("", {{"rows", {7, "--set"}}}, "small"), "no error");
  EXPECT_EQ(error_of("", {{"rows", {17, "x.toml:7"}}}, "small"),
            "x.toml:7: pattern.rows: 17, expected 2..16");
  EXPECT_EQ(error_of("", {{"rows", {7, "x.toml:7"}}}),
            "x.toml:7: chip.rows: bad.toml gives the chip's nodes one by one, expected a chip with "
            "a [pattern], which alone has this key");
}

// A whole description without one key: the error must name a key without default.
TEST(ChipErrors, KeysThatADescriptionCannotLeaveOut) {
  const std::string whole = chip_text(load_chip("wormhole_b0", kChips));
  EXPECT_NO_THROW(parse_chip(whole));
  std::string table;
  unsigned left_out = 0;
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = whole.find('\n', begin) + 1;
    const std::string line = whole.substr(begin, end - begin);
    if (line[0] == '[') table = line.substr(1, line.find(']') - 1);
    for (const char* complete : {"pcie", "arc", "memories", "clocks"}) {
      if (line[0] == '[' || table != complete) continue;
      const std::string key = table + "." + line.substr(0, line.find(' '));
      SCOPED_TRACE(key);
      ++left_out;
      EXPECT_EQ(
          tvp::test::fault_of([&] { parse_chip(std::string(whole).erase(begin, end - begin)); }),
          "chip description: missing " + key + ": expected it here or in what this extends");
    }
    begin = end;
  }
  EXPECT_EQ(left_out, 21U);
}

TEST(ChipErrors, UnknownDescriptionsNameThoseThatAre) {
  EXPECT_EQ(tvp::test::fault_of([&] { load_chip("smal", kChips); }),
            "chip 'smal': no such description, expected one of blackhole_a0, small, wormhole_b0 "
            "(platform/chips) or a path");
}

}  // namespace
}  // namespace tvp::foundation::chip_errors_test
