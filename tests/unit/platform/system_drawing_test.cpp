#include "platform/system/system_drawing.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/test_folder.h"

namespace tvp::platform::system_drawing_test {
namespace {

const char* const kSystems = "platform/systems";

std::string drawing_of(const std::string& name) {
  return SystemDrawing(SystemDescription::load(name, kSystems)).text();
}

std::string drawing_of_text(const std::string& text) {
  const test::TestFolder folder("drawing");
  const std::string file = folder.file("system.toml");
  std::ofstream(file) << "schema = 1\nname = \"x\"\n" << text;
  return drawing_of(file);
}

/// The picture between the headline and the table.
std::string picture_in(const std::string& text) {
  const std::size_t begin = text.find("\n\n") + 2;
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

TEST(SystemDrawing, AMeshShowsChipsDevicesLinksAndTheirNumber) {
  const std::string text = drawing_of("t3000");
  EXPECT_TRUE(text.starts_with("t3000: mesh of 2 x 4, board n300, 8 chips, 20 links\n")) << text;
  EXPECT_EQ(picture_in(text),
            "    [D0 4] --2-- [D1 0] --2-- [D2 2] --2-- [D3 6]\n"
            "      |            |            |            |\n"
            "      2            2            2            2\n"
            "      |            |            |            |\n"
            "    [D4 5] --2-- [D5 1] --2-- [D6 3] --2-- [D7 7]\n");
  EXPECT_NE(text.find("     0  D1        0  wormhole_b0                 64  rows 3 5      "
                      "14-15 to 1's 14-15, 6-7 to 2's 6-7, 8-9 to 4's 0-1\n"),
            std::string::npos)
      << text;
}

TEST(SystemDrawing, LinkedDevicesThatAreListedMakeARing) {
  EXPECT_EQ(picture_in(drawing_of("quad_ring")),
            "~2~ [D0 0] --2-- [D1 1] --2-- [D2 3] --2-- [D3 2] ~2~\n");
  EXPECT_EQ(picture_in(drawing_of("pair")), "    [D0 0] --2-- [D1 1]\n");
}

TEST(SystemDrawing, ATorusWrapsAtItsRim) {
  EXPECT_EQ(picture_in(drawing_of_text("[topology]\nkind = \"torus\"\nshape = [3, 3]\n")),
            "     ~1~          ~1~          ~1~\n"
            "~1~ [D0 0] --1-- [D1 1] --1-- [D2 2] ~1~\n"
            "      |            |            |\n"
            "      1            1            1\n"
            "      |            |            |\n"
            "~1~ [D3 3] --1-- [D4 4] --1-- [D5 5] ~1~\n"
            "      |            |            |\n"
            "      1            1            1\n"
            "      |            |            |\n"
            "~1~ [D6 6] --1-- [D7 7] --1-- [D8 8] ~1~\n"
            "     ~1~          ~1~          ~1~\n");
}

TEST(SystemDrawing, AStarHasItsCenterOnce) {
  EXPECT_EQ(picture_in(drawing_of_text("[topology]\nkind = \"star\"\nshape = [4]\nlinks = 3\n")),
            "    [D0 0] --3-- [D1 1]\n"
            "      +    --3-- [D2 2]\n"
            "      +    --3-- [D3 3]\n");
}

TEST(SystemDrawing, PlanesOfACubeStandOneAfterTheOther) {
  const std::string text = drawing_of_text("[topology]\nkind = \"mesh\"\nshape = [2, 2, 2]\n");
  EXPECT_NE(text.find("plane 0\n    [D0 0] --1-- [D1 1]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n\nplane 1\n    [D4 4] --1-- [D5 5]\n"), std::string::npos) << text;
}

TEST(SystemDrawing, WhatIsNoRegularGraphHasATableOnly) {
  const std::string text = drawing_of_text(
      "devices = [0, 1]\n[[chip]]\nid = 0\n[[chip]]\nid = 1\n[[chip]]\nid = 2\n"
      "[[link]]\na = { chip = 0, channel = 3 }\nb = { chip = 2, channel = 4 }\n[noc]\nhop_cycles = "
      "11\n");
  EXPECT_TRUE(text.starts_with("x: 3 chips, 1 link\n\n  chip  device")) << text;
  EXPECT_NE(text.find("     2  -         -  "), std::string::npos) << text;
  EXPECT_NE(text.find("3 to 2's 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nSettings\n  noc.hop_cycles = 11\n"), std::string::npos) << text;
}

TEST(SystemDrawing, SystemsOfOtherKindsShowTheirSettings) {
  EXPECT_EQ(drawing_of("mesh_8x8"),
            "mesh_8x8: a system of kind mesh\n\nSettings\n  mesh.height = 8\n  mesh.width = 8\n");
}

}  // namespace
}  // namespace tvp::platform::system_drawing_test
