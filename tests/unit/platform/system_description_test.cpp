#include "platform/system/system_description.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::platform::system_description_test {
namespace {

const char* const kSystems = "platform/systems";

class Description : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("tvp_description_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::string file = (folder_ / name).string();
    std::ofstream(file) << text;
    return file;
  }
  /// The error text without the folder.
  std::string error_of(const std::string& text) {
    const std::string file = write("bad.toml", text);
    try {
      SystemDescription::load(file, kSystems);
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      std::string what = fault.what();
      const std::size_t at = what.find(folder_.string());
      if (at != std::string::npos) what.erase(at, folder_.string().size() + 1);
      return what;
    }
    return "no error";
  }
  std::filesystem::path folder_;
};

TEST_F(Description, EverySystemOfTheTreeLoads) {
  const auto names = SystemDescription::list(kSystems);
  EXPECT_GE(names.size(), 4u);
  for (const std::string& name : names) {
    EXPECT_EQ(SystemDescription::load(name, kSystems).name, name);
  }
}

TEST_F(Description, QuadRingIsTheT3000sHostAttachedHalf) {
  const auto system = SystemDescription::load("quad_ring", kSystems);
  EXPECT_EQ(system.devices, (std::vector<unsigned>{0, 1, 3, 2}));
  EXPECT_EQ(system.links.size(), 8u);
  const ChipDescription& chip0 = *system.find_chip(0);
  // 544 has bits 5 and 9: the sixth and the last one in the order of fuses.
  EXPECT_EQ(chip0.spec->harvested(chip0.harvest_mask).rows, 1u << 3 | 1u << 5);
}

TEST_F(Description, ExtendsTakesOverAndOverrides) {
  write(
      "base.toml",
      "schema = 1\nname = \"base\"\n[[chip]]\nid = 3\n[noc]\nhop_cycles = 9\nrouter = \"fast\"\n");
  const std::string file =
      write("top.toml", "schema = 1\nname = \"top\"\nextends = \"base\"\n[noc]\nhop_cycles = 11\n");
  const auto system = SystemDescription::load(file, kSystems);
  EXPECT_EQ(system.chips.size(), 1u);
  EXPECT_EQ(system.settings.at("noc.hop_cycles").value, "11");
  EXPECT_EQ(system.settings.at("noc.hop_cycles").where, file + ":5");
  EXPECT_EQ(system.settings.at("noc.router").value, "fast");
  EXPECT_EQ(system.devices, (std::vector<unsigned>{3}));
}

TEST_F(Description, ErrorsNameFileLineKeyAndExpectation) {
  const std::string head = "schema = 1\nname = \"x\"\n";
  EXPECT_EQ(error_of("name = \"x\"\n"), "bad.toml: missing schema: expected schema = 1");
  EXPECT_EQ(error_of("schema = 2\nname = \"x\"\n"),
            "bad.toml:1: schema: expected 1, the only version");
  EXPECT_EQ(error_of(head),
            "bad.toml: a system of kind wormhole needs a [topology] or at least one [[chip]]");
  EXPECT_EQ(error_of(head + "kind = 3\n"),
            "bad.toml:3: kind: expected the name of a kind of system");
  EXPECT_EQ(error_of(head + "kind = \"dram\"\n[[chip]]\nid = 1\n"),
            "bad.toml: [topology] and [[chip]] describe systems of kind wormhole, this one is of "
            "kind dram");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = -1\n"), "bad.toml:4: id: expected an integer 0..255");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = \"a\"\n"),
            "bad.toml:4: id: expected an integer 0..255");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\nrow = 3\n"),
            "bad.toml:5: unknown key 'row' of chip: expected one of id, description, pci_device, "
            "host_chip, harvested_rows, harvested_columns, columns, rows, dram_channels, "
            "ethernet_channels, l1_kib or "
            "a table of settings");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\nharvested_rows = 1024\n"),
            "bad.toml:5: harvested_rows: expected an integer 0..1023");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\ndescription = \"small\"\n[[link]]\n"
                            "a = { chip = 1, channel = 4 }\nb = { chip = 1, channel = 0 }\n")
                .find("bad.toml:7: channel: expected an integer 0..3, for as many channels as "),
            0u);
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\ndescription = \"smal\"\n")
                .find("bad.toml:5: description: chip 'smal': no such description, expected one of "
                      "blackhole_a0, small, wormhole_b0"),
            0u);
  EXPECT_EQ(error_of(head + "[chip]\ncolumns = 8\n"), "bad.toml:3: chip: expected [[chip]] tables");
  EXPECT_NE(error_of(head + "[[chip]]\nid = 1\ncolumns = 8\n").find("bad.toml:5: chip.columns: "),
            std::string::npos);
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\n[[chip]]\nid = 1\n"),
            "bad.toml:5: chip id 1 stands twice");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\n[[link]]\na = { chip = 1, channel = 16 }\n"
                            "b = { chip = 1, channel = 1 }\n"),
            "bad.toml:6: channel: expected an integer 0..15");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\n[[link]]\na = { chip = 2, channel = 1 }\n"
                            "b = { chip = 1, channel = 1 }\n"),
            "bad.toml:6: link to chip 2, which the system does not have");
  EXPECT_EQ(error_of(head + "[[chip]]\nid = 1\n[[link]]\na = { chip = 1, channel = 1 }\n"
                            "b = { chip = 1, channel = 1 }\n"),
            "bad.toml:5: channel 1 of chip 1 already has a link");
  EXPECT_EQ(error_of(head + "devices = [1]\n[[chip]]\nid = 0\n"),
            "bad.toml:3: devices: expected ids of chips of this system");
  EXPECT_EQ(error_of(head + "color = 3\n[[chip]]\nid = 0\n"),
            "bad.toml:3: unknown key 'color': expected schema, name, kind, extends, devices, "
            "[topology], [[chip]], [[link]] or a [group] of settings");
  const std::string no_such =
      ": no such system: expected the name of one in platform/systems, or of a .toml file beside "
      "this one, without its ending";
  EXPECT_EQ(error_of("schema = 1\nname = \"x\"\nextends = \"nothing\"\n"),
            "bad.toml:3: extends 'nothing'" + no_such);
  EXPECT_EQ(error_of("schema = 1\nname = \"x\"\nextends = \"bad\"\n"),
            "bad.toml:3: extends: more than 8 levels, or a cycle");
  EXPECT_EQ(error_of("schema = 1\nname = \"x\"\nextends = \"" + std::string(5000, 'n') + "\"\n"),
            "bad.toml:3: extends '" + std::string(5000, 'n') + "'" + no_such);
  const std::string two = "[[chip]]\nid = 0\n[[chip]]\nid = 1\n";
  EXPECT_EQ(error_of(head + "devices = [1,\n 0,\n 1]\n" + two),
            "bad.toml:5: devices: chip 1 stands twice");
  EXPECT_EQ(error_of(head + "devices = []\n" + two),
            "bad.toml:3: devices: expected a list of chip ids");
  EXPECT_NE(error_of("schema = = 1\n").find("bad.toml:1: "), std::string::npos);
}

TEST_F(Description, UnknownSystemNamesTheKnownOnes) {
  EXPECT_TRUE(tvp::test::faults([&] { SystemDescription::load("quadring", kSystems); }, {},
                                {"system 'quadring': no such system; ", "quad_ring"}));
}

}  // namespace
}  // namespace tvp::platform::system_description_test
