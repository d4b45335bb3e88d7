#include "foundation/chip/chip_spec.h"

#include <gtest/gtest.h>

#include <string>

#include "foundation/chip/chip_reader.h"
#include "foundation/fault.h"

namespace tvp::foundation::chip_spec_test {
namespace {

const char* const kChips = "platform/chips";

char letter(TileKind kind) {
  static constexpr char kLetters[] = ".TEDPA";
  return kLetters[static_cast<unsigned>(kind)];
}

std::string drawing(const ChipSpec& spec) {
  std::string text;
  for (unsigned y = 0; y < spec.rows; ++y) {
    for (unsigned x = 0; x < spec.columns; ++x) text += letter(spec.kind_at({x, y}));
    text += "\n";
  }
  return text;
}

// The nodes of tt-umd's soc descriptor wormhole_b0_80_arch.yaml.
TEST(WormholeB0, HasTheNodesOfTheSocDescriptor) {
  const ChipSpec spec = load_chip("wormhole_b0", kChips);
  EXPECT_EQ(drawing(spec),
            "DEEEEDEEEE\n"
            "DTTTTDTTTT\n"
            ".TTTTDTTTT\n"
            "PTTTTDTTTT\n"
            ".TTTTDTTTT\n"
            "DTTTTDTTTT\n"
            "DEEEEDEEEE\n"
            "DTTTTDTTTT\n"
            ".TTTTDTTTT\n"
            ".TTTTDTTTT\n"
            "ATTTTDTTTT\n"
            "DTTTTDTTTT\n");
  EXPECT_EQ(spec.workers(), 80u);
  const ChipNode ethernet[] = {{9, 0}, {1, 0}, {8, 0}, {2, 0}, {7, 0}, {3, 0}, {6, 0}, {4, 0},
                               {9, 6}, {1, 6}, {8, 6}, {2, 6}, {7, 6}, {3, 6}, {6, 6}, {4, 6}};
  ASSERT_EQ(spec.ethernet.size(), std::size(ethernet));
  for (unsigned i = 0; i < std::size(ethernet); ++i) EXPECT_EQ(spec.ethernet[i], ethernet[i]) << i;
  const ChipNode dram[6][3] = {
      {{0, 0}, {0, 1}, {0, 11}}, {{0, 5}, {0, 6}, {0, 7}}, {{5, 0}, {5, 1}, {5, 11}},
      {{5, 2}, {5, 9}, {5, 10}}, {{5, 3}, {5, 4}, {5, 8}}, {{5, 5}, {5, 6}, {5, 7}},
  };
  ASSERT_EQ(spec.dram.size(), 6u);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(spec.dram[i].endpoints, std::vector<ChipNode>(dram[i], dram[i] + 3)) << i;
    EXPECT_EQ(spec.dram[i].niu_order.size(), 3u) << i;
  }
  EXPECT_EQ(spec.mirrored({0, 10}), (ChipNode{9, 1}));  // the ARC in NoC 1 coordinates
}

TEST(WormholeB0, HasTheMemoriesAndWindowsOfThePublicDocumentation) {
  const ChipSpec spec = load_chip("wormhole_b0", kChips);
  EXPECT_EQ(spec.memories.tensix_l1_bytes, 1499136u);
  EXPECT_EQ(spec.memories.ethernet_l1_bytes, 262144u);
  EXPECT_EQ(spec.memories.data_local_bytes, 4096u);
  EXPECT_EQ(spec.memories.compute_local_bytes, 2048u);
  EXPECT_EQ(spec.memories.instruction_bytes, 16384u);
  EXPECT_EQ(spec.bars.device << 16 | spec.bars.vendor, 0x401E1E52u);
  EXPECT_EQ(spec.bars.window_count(), 186u);
  EXPECT_EQ(spec.bars.host_window, 0x8'0000'0000u);
  EXPECT_EQ(spec.bars.host_window_bytes, 0xFFFE'0000u);
  EXPECT_EQ(spec.dram_banks(), 12u);
  EXPECT_EQ(spec.dram_bank(7).node, (ChipNode{5, 9}));
  EXPECT_EQ(spec.dram_bank(7).offset, 0x4000'0000u);
  EXPECT_EQ(spec.dram_bank(7).bytes, 0x4000'0000u);
  EXPECT_THROW(spec.dram_bank(12), Fault);
}

TEST(WormholeB0, TurnsRowsOffInTheOrderOfTheFuses) {
  const ChipSpec spec = load_chip("wormhole_b0", kChips);
  EXPECT_EQ(spec.harvest_rows, (std::vector<unsigned>{11, 1, 10, 2, 9, 3, 8, 4, 7, 5}));
  EXPECT_EQ(spec.harvested(544), (Harvested{0, 1u << 3 | 1u << 5}));  // bits 5 and 9
  EXPECT_EQ(spec.worker_rows(544), (std::vector<unsigned>{1, 2, 4, 7, 8, 9, 10, 11}));
  EXPECT_EQ(spec.worker_columns(544), spec.tensix_columns);
}

TEST(Small, IsAPatternOfSixBySixNodes) {
  const ChipSpec spec = load_chip("small", kChips);
  EXPECT_EQ(drawing(spec),
            "DE.D.E\n"
            "DTTDTT\n"
            ".TT.TT\n"
            ".E...E\n"
            "ATT.TT\n"
            "PTT.TT\n");
  EXPECT_EQ(spec.workers(), 16u);
  EXPECT_EQ(spec.dram_banks(), 4u);
  EXPECT_EQ(spec.dram_bank(3).node, (ChipNode{3, 1}));
  EXPECT_EQ(spec.memories.tensix_l1_bytes, 1024u * 1024);
  EXPECT_EQ(spec.memories.ethernet_l1_bytes, 262144u) << "what it does not say is its base's";
}

TEST(Small, TakesOtherNumbers) {
  const ChipSpec spec = load_chip("small", kChips,
                                  {{"columns", {8, "a"}},
                                   {"rows", {7, "a"}},
                                   {"dram_channels", {4, "a"}},
                                   {"ethernet_channels", {12, "a"}},
                                   {"l1_kib", {512, "a"}}});
  EXPECT_EQ(drawing(spec),
            "DEEDEEEE\n"
            "DTTDTTTT\n"
            "DTTDTTTT\n"
            "DEEDEEEE\n"
            ".TT.TTTT\n"
            "ATT.TTTT\n"
            "PTT.TTTT\n");
  EXPECT_EQ(spec.ethernet[0], (ChipNode{7, 0}));
  EXPECT_EQ(spec.ethernet[1], (ChipNode{1, 0}));
  EXPECT_EQ(spec.memories.tensix_l1_bytes, 512u * 1024);
}

TEST(Text, SaysEverything) {
  for (const std::string& name : list_chips(kChips)) {
    const ChipSpec spec = load_chip(name, kChips);
    EXPECT_EQ(parse_chip(chip_text(spec)), spec) << name;
  }
}

}  // namespace
}  // namespace tvp::foundation::chip_spec_test
