// Systems whose chips and links come from [topology].
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "foundation/fault.h"
#include "platform/system/system_description.h"
#include "tests/support/test_folder.h"

namespace tvp::platform::system_topology_test {
namespace {

const char* const kSystems = "platform/systems";

/// Links as text, "chip.channel-chip.channel", the lower chip first.
std::set<std::string> links_of(const SystemDescription& system) {
  std::set<std::string> texts;
  for (LinkDescription link : system.links) {
    if (link.b.chip < link.a.chip) std::swap(link.a, link.b);
    texts.insert(std::to_string(link.a.chip) + "." + std::to_string(link.a.channel) + "-" +
                 std::to_string(link.b.chip) + "." + std::to_string(link.b.channel));
  }
  return texts;
}

/// `count` links between two chips, from these channels on.
void add_links(std::set<std::string>& links, unsigned a, unsigned a_channel, unsigned b,
               unsigned b_channel, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    links.insert(std::to_string(a) + "." + std::to_string(a_channel + i) + "-" + std::to_string(b) +
                 "." + std::to_string(b_channel + i));
  }
}

void expect_channels_used_once(const SystemDescription& system) {
  std::set<std::pair<unsigned, unsigned>> used;
  for (const LinkDescription& link : system.links) {
    for (const LinkEnd& end : {link.a, link.b}) {
      EXPECT_TRUE(used.emplace(end.chip, end.channel).second) << end.chip << "." << end.channel;
      EXPECT_LT(end.channel, system.find_chip(end.chip)->spec->ethernet.size());
    }
  }
}

class SystemTopology : public ::testing::Test {
 protected:
  SystemDescription load(const std::string& text) {
    const std::string file = folder_.file("system.toml");
    std::ofstream(file) << "schema = 1\nname = \"x\"\n" << text;
    return SystemDescription::load(file, kSystems);
  }
  /// The error of a system, without its file.
  std::string error_of(const std::string& text) {
    try {
      load(text);
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      const std::string file = folder_.file("system.toml");
      const std::string what = fault.what();
      EXPECT_TRUE(what.starts_with(file + ":")) << what;
      return what.substr(file.size() + 1);
    }
    return "no error";
  }
  test::TestFolder folder_{"topology"};
};

TEST_F(SystemTopology, AT3000IsWiredAsItsPublicDescriptionSays) {
  const auto system = SystemDescription::load("t3000", kSystems);
  std::set<std::string> expected;
  add_links(expected, 0, 6, 2, 6, 2);
  add_links(expected, 1, 0, 3, 0, 2);
  for (const unsigned left : {0U, 1U, 2U, 3U}) add_links(expected, left, 8, left + 4, 0, 2);
  add_links(expected, 0, 14, 1, 14, 2);
  add_links(expected, 2, 14, 3, 14, 2);
  add_links(expected, 4, 6, 5, 6, 2);
  add_links(expected, 6, 6, 7, 6, 2);
  EXPECT_EQ(links_of(system), expected);
  EXPECT_EQ(system.devices, (std::vector<unsigned>{4, 0, 2, 6, 5, 1, 3, 7}));
  const std::uint32_t masks[] = {544, 513, 640, 513, 576, 513, 513, 528};
  for (unsigned id = 0; id < 8; ++id) {
    EXPECT_EQ(system.chips.at(id).id, id);
    EXPECT_EQ(system.chips.at(id).pci_device, id);
    EXPECT_EQ(system.chips.at(id).harvest_mask, masks[id]);
  }
}

TEST_F(SystemTopology, TheQuadRingIsAPartOfTheT3000) {
  const auto whole = links_of(SystemDescription::load("t3000", kSystems));
  for (const std::string& link : links_of(SystemDescription::load("quad_ring", kSystems))) {
    EXPECT_TRUE(whole.contains(link)) << link;
  }
}

TEST_F(SystemTopology, AGalaxyIsWiredAsItsPublicDescriptionSays) {
  const auto system = SystemDescription::load("galaxy", kSystems);
  std::set<std::string> expected;
  for (unsigned row = 0; row < 4; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      const unsigned chip = 8 * row + column;
      if (column < 3) add_links(expected, chip, 8, chip + 1, 4, 4);
      if (column == 3) add_links(expected, chip, 8, chip + 1, 8, 4);
      if (column > 3 && column < 7) add_links(expected, chip, 4, chip + 1, 8, 4);
      if (row == 0) add_links(expected, chip, 12, chip + 8, 0, 4);
      if (row == 1) add_links(expected, chip, 12, chip + 8, 12, 4);
      if (row == 2) add_links(expected, chip, 0, chip + 8, 12, 4);
    }
  }
  EXPECT_EQ(system.links.size(), 4U * 52);
  EXPECT_EQ(links_of(system), expected);
  EXPECT_EQ(system.chips.size(), 32U);
  EXPECT_EQ(system.devices.size(), 32U);
}

TEST_F(SystemTopology, AGalaxysTorusWrapsByTheChannelsOfTheRim) {
  const auto torus = load("[topology]\nkind = \"torus\"\nshape = [4, 8]\nboard = \"galaxy\"\n");
  expect_channels_used_once(torus);
  auto expected = links_of(SystemDescription::load("galaxy", kSystems));
  for (unsigned row = 0; row < 4; ++row) add_links(expected, 8 * row, 4, 8 * row + 7, 4, 4);
  for (unsigned column = 0; column < 8; ++column) add_links(expected, column, 0, 24 + column, 0, 4);
  EXPECT_EQ(links_of(torus), expected);
}

TEST_F(SystemTopology, BoardsOfFewerChipsAreWiredAlike) {
  const auto card = load("[topology]\nkind = \"line\"\nshape = [2]\nboard = \"n300\"\n");
  EXPECT_EQ(links_of(card), (std::set<std::string>{"0.8-1.0", "0.9-1.1"}));
  EXPECT_EQ(card.chips[0].harvest_mask, 0x201U);
  const auto two = load("[topology]\nkind = \"mesh\"\nshape = [2, 2]\nboard = \"n300\"\n");
  EXPECT_EQ(links_of(two), (std::set<std::string>{"0.8-2.0", "0.9-2.1", "1.8-3.0", "1.9-3.1",
                                                  "0.14-1.14", "0.15-1.15", "2.6-3.6", "2.7-3.7"}));
}

TEST_F(SystemTopology, FreeChipsTakeTheLowestChannels) {
  const auto star = load("[topology]\nkind = \"star\"\nshape = [4]\nlinks = 2\n");
  EXPECT_EQ(links_of(star), (std::set<std::string>{"0.0-1.0", "0.1-1.1", "0.2-2.0", "0.3-2.1",
                                                   "0.4-3.0", "0.5-3.1"}));
  EXPECT_EQ(star.chips[2].harvest_mask, 0U);
  const auto ring = load("[topology]\nkind = \"ring\"\nshape = [4]\nharvested_rows = 1\n");
  EXPECT_EQ(links_of(ring), (std::set<std::string>{"0.0-1.0", "1.1-2.0", "2.1-3.0", "0.1-3.1"}));
  EXPECT_EQ(ring.chips[2].harvest_mask, 1U);
  expect_channels_used_once(load("[topology]\nkind = \"torus\"\nshape = [3, 3, 3]\nlinks = 2\n"));
}

TEST_F(SystemTopology, ChipsMayBeOfAnotherKind) {
  const auto ring = load(
      "[topology]\nkind = \"ring\"\nshape = [4]\nlinks = 2\ndescription = \"small\"\n"
      "[[chip]]\nid = 3\ndescription = \"wormhole_b0\"\n[chip.noc]\nhop_cycles = 11\n");
  expect_channels_used_once(ring);
  EXPECT_EQ(ring.links.size(), 8U);
  EXPECT_EQ(ring.chips[0].spec->name, "small");
  EXPECT_EQ(ring.chips[3].spec->name, "wormhole_b0");
  EXPECT_EQ(ring.chips[3].settings.at("noc.hop_cycles").value, "11");
}

TEST_F(SystemTopology, WhatIsListedChangesAndAdds) {
  const auto system = load(
      "devices = [3, 2, 1, 0]\n"
      "[topology]\nkind = \"line\"\nshape = [4]\n"
      "[[chip]]\nid = 2\nharvested_rows = 5\n"
      "[[link]]\na = { chip = 0, channel = 15 }\nb = { chip = 3, channel = 15 }\n");
  EXPECT_EQ(system.chips[2].harvest_mask, 5U);
  EXPECT_EQ(system.chips[2].pci_device, 2U);
  EXPECT_EQ(system.chips[1].harvest_mask, 0U);
  EXPECT_TRUE(links_of(system).contains("0.15-3.15"));
  EXPECT_EQ(system.links.size(), 4U);
  EXPECT_EQ(system.devices, (std::vector<unsigned>{3, 2, 1, 0}));
}

TEST_F(SystemTopology, ExtendingChangesSingleChipsOrTheWhole) {
  const auto changed = load("extends = \"t3000\"\n[[chip]]\nid = 1\nharvested_rows = 3\n");
  EXPECT_EQ(changed.chips[0].harvest_mask, 544U);  // still
  EXPECT_EQ(changed.chips[1].harvest_mask, 3U);
  const auto smaller = load("extends = \"t3000\"\n[topology]\nkind = \"ring\"\nshape = [3]\n");
  EXPECT_EQ(smaller.chips.size(), 3U);
  EXPECT_EQ(smaller.chips[0].harvest_mask, 0U);
  EXPECT_EQ(smaller.devices, (std::vector<unsigned>{0, 1, 2}));
}

TEST_F(SystemTopology, ErrorsNameLineKeyAndExpectation) {
  const std::string mesh = "[topology]\nkind = \"mesh\"\nshape = [2, 4]\n";
  EXPECT_EQ(error_of("topology = 3\n"), "3: topology: expected a table [topology]");
  EXPECT_EQ(error_of("[topology]\nshape = [4]\n"),
            "3: missing kind: expected one of line, ring, mesh, torus, star");
  EXPECT_EQ(error_of("[topology]\nkind = \"cube\"\nshape = [4]\n"),
            "4: kind: expected one of line, ring, mesh, torus, star");
  EXPECT_EQ(error_of("[topology]\nkind = \"mesh\"\n"),
            "3: missing shape: expected a list of numbers, e.g. [4] or [4, 8]");
  EXPECT_EQ(error_of("[topology]\nkind = \"mesh\"\nshape = 4\n"),
            "5: shape: expected a list of numbers, e.g. [4] or [4, 8]");
  EXPECT_EQ(error_of("[topology]\nkind = \"mesh\"\nshape = [4, 0]\n"),
            "5: shape: expected integers 1..32");
  EXPECT_EQ(error_of("[topology]\nkind = \"line\"\nshape = [2, 4]\n"),
            "5: shape: expected one number, how many chips there are");
  EXPECT_EQ(error_of("[topology]\nkind = \"mesh\"\nshape = [7, 5]\n"),
            "5: shape: 35 chips: expected at most 32, as many as the host's bus has devices");
  EXPECT_EQ(error_of(mesh + "links = 0\n"), "6: links: expected an integer 1..16");
  EXPECT_EQ(error_of(mesh + "boards = 2\n"),
            "6: unknown key 'boards' of topology: expected one of kind, shape, links, board, "
            "description, harvested_rows, harvested_columns");
  EXPECT_EQ(error_of(mesh + "board = \"n150\"\n"), "6: board: expected one of free, n300, galaxy");
  EXPECT_EQ(
      error_of("[topology]\nkind = \"ring\"\nshape = [4]\nboard = \"n300\"\n"),
      "5: shape: expected a line of 2 or 4 chips, or a mesh of 1 or 2 rows and 2 or 4 columns "
      "of n300 boards");
  EXPECT_EQ(error_of("[topology]\nkind = \"star\"\nshape = [4]\nboard = \"galaxy\"\n"),
            "5: shape: expected a line, a ring, or a mesh or torus of one or two axes");
}

TEST_F(SystemTopology, ChannelsThatRunOutAreNamed) {
  EXPECT_EQ(error_of("[topology]\nkind = \"star\"\nshape = [6]\nlinks = 4\n"),
            "6: links: channels of chip 0 run out at its edge to chip 5, where board free has 16: "
            "expected fewer than 4 links an edge, or fewer edges");
  EXPECT_EQ(error_of("[topology]\nkind = \"mesh\"\nshape = [2, 4]\nlinks = 3\nboard = \"n300\"\n"),
            "6: links: channels of chip 4 run out at its edge to chip 5, where board n300 has 2: "
            "expected fewer than 3 links an edge, or fewer edges");
}

TEST_F(SystemTopology, AChipMayHaveFewerChannelsThanItsBoard) {
  const std::string small = "board = \"galaxy\"\ndescription = \"small\"\nlinks = 1\n";
  EXPECT_EQ(error_of("[topology]\nkind = \"line\"\nshape = [2]\n" + small),
            "8: links: channels of chip 0 run out at its edge to chip 1, where board galaxy has 0: "
            "expected fewer than 1 links an edge, or fewer edges");
  EXPECT_EQ(error_of("[topology]\nkind = \"line\"\nshape = [2]\ndescription = \"smal\"\n")
                .find("6: description: chip 'smal': no such description"),
            0U);
}

TEST_F(SystemTopology, WhatIsListedMustFitTheTopology) {
  const std::string line = "[topology]\nkind = \"line\"\nshape = [3]\n";
  EXPECT_EQ(error_of(line + "[[chip]]\nid = 3\n"), "6: id: expected a chip of the topology, 0..2");
  EXPECT_EQ(error_of(line + "[[chip]]\nid = 1\npci_device = 2\n"),
            "6: pci_device 2 is already chip 2's");
  for (const char* host : {"1", "5"})
    EXPECT_EQ(error_of(line + "[[chip]]\nid = 1\nhost_chip = " + host + "\n"),
              std::string("8: host_chip = ") + host +
                  " of chip 1: expected another chip that has a pci_device and no host_chip");
  EXPECT_EQ(error_of(line + "[[chip]]\nid = 1\nhost_chip = 0\n[[chip]]\nid = 2\nhost_chip = 1\n"),
            "11: host_chip = 1 of chip 2: expected another chip that has a pci_device and no "
            "host_chip");
  EXPECT_EQ(error_of(line + "[[link]]\na = { chip = 0, channel = 0 }\n"
                            "b = { chip = 2, channel = 5 }\n"),
            "6: channel 0 of chip 0 already has a link");
  EXPECT_EQ(error_of("devices = [0, 3]\n" + line),
            "3: devices: expected ids of chips of this system");
}

}  // namespace
}  // namespace tvp::platform::system_topology_test
