#include <gtest/gtest.h>

#include "foundation/chip/chip_reader.h"
#include "foundation/chip/coordinates.h"
#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::foundation::blackhole_test {
namespace {

ChipSpec blackhole() { return load_chip("blackhole_a0", "platform/chips"); }

// Nodes, masks and coordinates of tt-umd (blackhole_implementation.hpp,
// blackhole_coordinate_manager.cpp).
TEST(BlackholeA0, HasItsTilesAtTheNodesOfTheSocDescriptor) {
  const ChipSpec spec = blackhole();
  std::string drawing;
  for (unsigned y = 0; y < 3; ++y) {
    for (unsigned x = 0; x < spec.columns; ++x)
      drawing += ".TEDPA"[static_cast<unsigned>(spec.kind_at({x, y}))];
    drawing += '\n';
  }
  EXPECT_EQ(drawing,
            "D.P.....AD.......\n"
            "DEEEE.EE.DEEEE.EE\n"
            "DTTTTTTT.DTTTTTTT\n");
  EXPECT_EQ(spec.workers(), 140u);
  EXPECT_EQ(spec.dram_banks(), 8u);
  EXPECT_EQ(spec.mirrored({1, 2}), (ChipNode{15, 9}));
}

TEST(BlackholeA0, DramHasTheCoordinatesOfARunOnSilicon) {
  const ChipSpec spec = blackhole();
  const Coordinates coordinates(spec, {});
  // Worker endpoints of NoC 0 of mesham/tt-sim card-sessions/2026-08-17-bh-dramwrite, by column.
  const ChipNode expected[] = {{17, 14}, {17, 15}, {17, 18}, {17, 21},
                               {18, 14}, {18, 17}, {18, 20}, {18, 23}};
  for (unsigned bank = 0; bank < 8; ++bank) {
    EXPECT_EQ(coordinates.of_dram(spec.dram_bank(bank).node, 0), expected[bank]) << bank;
  }
  EXPECT_EQ(coordinates.of_dram(spec.dram_bank(0, 1).node, 1), (ChipNode{17, 13}));
  EXPECT_EQ(coordinates.translated(spec.pcie), (ChipNode{19, 24}));
  EXPECT_EQ(coordinates.translated(spec.ethernet[3]), (ChipNode{23, 25}));
  EXPECT_EQ(coordinates.translated(spec.arc), spec.arc);
}

// A mask turns off columns x = 7 and x = 10, the seventh and eighth.
TEST(BlackholeA0, HarvestedColumnsComeLastInTheOrderOfTheDie) {
  const ChipSpec spec = blackhole();
  const Harvested off = spec.harvested(192);
  EXPECT_EQ(off, (Harvested{1u << 7 | 1u << 10, 0}));
  const Coordinates coordinates(spec, off);
  EXPECT_EQ(coordinates.translated({1, 2}), (ChipNode{1, 2}));
  EXPECT_EQ(coordinates.translated({11, 2}), (ChipNode{7, 2})) << "the seventh working column";
  EXPECT_EQ(coordinates.translated({16, 11}), (ChipNode{14, 11}));
  EXPECT_EQ(coordinates.translated({7, 5}), (ChipNode{16, 5}));
  EXPECT_EQ(coordinates.translated({10, 5}), (ChipNode{15, 5}));
  // Both NoCs have the same names for a tile.
  EXPECT_EQ(coordinates.columns(1)[7], 16u - 11u);
  EXPECT_EQ(coordinates.rows(1)[2], 11u - 2u);
  EXPECT_EQ(spec.worker_columns(192).size(), 12u);
}

TEST(BlackholeA0, RefusesWhatItsTablesCannotName) {
  const auto error_of = [](const std::string& more) {
    const std::string text = chip_text(blackhole());
    return tvp::test::fault_of([&] { parse_chip(text + more); });
  };
  ChipSpec spec = blackhole();
  spec.first_translated = 16;
  EXPECT_NE(tvp::test::fault_of([&] {
              check_coordinates(spec);
            }).find("coordinates.first_translated: expected 0: a Blackhole chip translates all"),
            std::string::npos);
  spec = blackhole();
  spec.ethernet.push_back({14, 1});
  EXPECT_NE(tvp::test::fault_of([&] {
              check_coordinates(spec);
            }).find("ethernet.nodes: expected at most 12"),
            std::string::npos);
  EXPECT_NE(error_of("[other]\n").find("unknown table [other]"), std::string::npos);
}

}  // namespace
}  // namespace tvp::foundation::blackhole_test
