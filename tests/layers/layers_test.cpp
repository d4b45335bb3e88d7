#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <stdexcept>

#include "tests/layers/layer_check.h"

namespace tvp::layers {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFolders{"foundation", "models",   "firmware",
                                        "sw",         "platform", "tests"};
/// Include folders of firmware besides the root (sw/runtime/compiler/kernel_compiler.cpp).
const std::vector<std::string> kSearch{"firmware", "firmware/api"};

std::string sentences(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Layers, EveryIncludeFollowsAnArrowOfTheTable) {
  const ArrowTable table = ArrowTable::read("tests/layers/arrows.txt");
  const LayerCheck check = check_layers(table, IncludeGraph(".", kFolders, kSearch));
  EXPECT_TRUE(check.forbidden.empty()) << sentences(check.forbidden);
  EXPECT_TRUE(check.unused.empty()) << "arrows that nobody needs:" << sentences(check.unused);
}

TEST(Layers, NoBlocksAndNoHeadersGoInACircle) {
  EXPECT_EQ(sentences(ArrowTable::read("tests/layers/arrows.txt").circle()), "");
  EXPECT_EQ(sentences(IncludeGraph(".", kFolders, kSearch).circle()), "");
}

TEST(Layers, TheDrawingInTheArchitecturePageIsMadeFromTheTable) {
  EXPECT_NE(read("ARCHITECTURE.md").find(ArrowTable::read("tests/layers/arrows.txt").drawing()),
            std::string::npos)
      << "build/…/tests/layers/draw_layers writes it into ARCHITECTURE.md";
}

/// The recipe names the files that a new generation of chips changes. All other code asks their
/// policies and never which generation it is.
TEST(Generations, OnlyFilesOfTheRecipeAskWhichOneItIs) {
  const std::regex question(
      R"([=!]= *(tvp::)?Generation::k|\bkThisGeneration\b|\bARCH_(BLACKHOLE|WORMHOLE)\b)");
  const std::string page = read("CONTRIBUTING.md");
  const std::size_t begin = page.find("\n## A generation\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string recipe = page.substr(begin + 1, page.find("\n## ", begin + 1) - begin);
  unsigned files = 0;
  for (const std::string& folder : kFolders) {
    if (folder == "tests") continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".def") continue;
      if (!std::regex_search(read(entry.path()), question)) continue;
      ++files;
      EXPECT_NE(recipe.find("`" + entry.path().string() + "`"), std::string::npos)
          << entry.path()
          << " asks for the generation; CONTRIBUTING.md, \"A generation\", does not "
          << "name it";
    }
  }
  EXPECT_NE(recipe.find("Touches " + std::to_string(files) + " existing files"), std::string::npos)
      << files << " files ask for the generation";
}

/// A small source tree for one test.
class LayersOf : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("tvp_layers_" + std::to_string(getpid()));
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  fs::path write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
    return root_ / name;
  }
  fs::path root_;
};

TEST_F(LayersOf, AForbiddenIncludeIsNamedWithItsFileAndLine) {
  write("low/a.h", "#pragma once\n");
  write("low/b.cpp", "#include \"low/a.h\"\n\n#  include \"high/c.h\"\n");
  write("high/c.h", "#include \"low/a.h\"\n#include <systemc>\n");
  const ArrowTable table = ArrowTable::read(write("arrows", "low ->\nhigh -> low\n"));
  const LayerCheck check = check_layers(table, IncludeGraph(root_, {"low", "high"}, {}));
  EXPECT_EQ(sentences(check.forbidden),
            "\n  high/c.h:2: includes systemc, but there is no arrow high -> <systemc>"
            "\n  low/b.cpp:3: includes high/c.h, but there is no arrow low -> high");
  EXPECT_EQ(sentences(check.unused), "");
}

TEST_F(LayersOf, ArrowsThatNobodyNeedsAndFilesOutsideOfBlocksAreNamed) {
  write("low/a.h", "");
  write("other/b.h", "");
  const ArrowTable table = ArrowTable::read(write("arrows", "low ->\nhigh -> low\n"));
  const LayerCheck check = check_layers(table, IncludeGraph(root_, {"low", "other"}, {}));
  EXPECT_EQ(sentences(check.forbidden), "\n  other/b.h: is in no block of the table of arrows");
  EXPECT_EQ(sentences(check.unused), "\n  high -> low");
}

TEST_F(LayersOf, CirclesAreFoundAmongBlocksAndAmongHeaders) {
  write("low/a.h", "#include \"b.h\"\n");
  write("low/b.h", "#include \"api/c.h\"\n");
  write("low/inc/api/c.h", "#include \"low/a.h\"\n");
  const IncludeGraph graph(root_, {"low"}, {"low/inc"});
  EXPECT_EQ(sentences(graph.circle()), "\n  low/a.h\n  low/b.h\n  low/inc/api/c.h\n  low/a.h");
  const ArrowTable table = ArrowTable::read(write("arrows", "a -> b\nb -> c\nc -> a\n"));
  EXPECT_EQ(sentences(table.circle()), "\n  a\n  b\n  c\n  a");
}

TEST_F(LayersOf, TheLongestNameIsTheBlockOfAFile) {
  const ArrowTable table = ArrowTable::read(write("arrows", "m ->\nm/n ->\nm/n/port.h ->\n"));
  EXPECT_EQ(table.block_of("m/x.h"), "m");
  EXPECT_EQ(table.block_of("m/n/x.h"), "m/n");
  EXPECT_EQ(table.block_of("m/n/port.h"), "m/n/port.h");
  EXPECT_EQ(table.block_of("m/nn/x.h"), "m");
  EXPECT_EQ(table.block_of("mm/x.h"), "");
}

TEST_F(LayersOf, ABadTableSaysWhere) {
  const auto error = [&](const std::string& text) -> std::string {
    try {
      ArrowTable::read(write("arrows", text));
    } catch (const std::runtime_error& e) {
      return std::string(e.what()).substr((root_ / "arrows").string().size());
    }
    return "none";
  };
  EXPECT_EQ(error("a ->\na b\n"), ":2: expected BLOCK -> BLOCKS");
  EXPECT_EQ(error("a ->\n# text\na ->\n"), ":3: block a stands twice");
  EXPECT_EQ(error("a -> b\n"), ":1: arrow to b, which has no line of its own");
}

TEST_F(LayersOf, AStarIsEverything) {
  write("low/a.h", "#include <systemc>\n");
  write("tests/b.cpp", "#include \"low/a.h\"\n#include <systemc>\n");
  const ArrowTable table = ArrowTable::read(write("arrows", "low -> <systemc>\ntests -> *\n"));
  const LayerCheck check = check_layers(table, IncludeGraph(root_, {"low", "tests"}, {}));
  EXPECT_EQ(sentences(check.forbidden), "");
  EXPECT_EQ(sentences(check.unused), "");
  EXPECT_EQ(table.drawing(), " 1   tests\n 0   low\n");
}

TEST_F(LayersOf, EachBlockStandsAboveWhatItIncludes) {
  const ArrowTable table =
      ArrowTable::read(write("arrows", "top -> low mid\nmid -> low\nlow -> <systemc>\n"));
  EXPECT_EQ(table.drawing(), " 2   top\n 1   mid\n 0   low\n");
}

}  // namespace
}  // namespace tvp::layers
