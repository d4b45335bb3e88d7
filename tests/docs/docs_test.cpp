// What the pages say, held to what is there.
#include <gtest/gtest.h>

#include "tests/docs/document.h"

namespace tvp::docs {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kPages{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"};

TEST(Docs, OutputsInThePagesAreWhatTheProgramPrints) {
  unsigned blocks = 0;
  for (const std::string& page : kPages) {
    for (const OutputBlock& block : Document(page).outputs()) {
      ++blocks;
      const std::string now = output_of(TVP_PROGRAM, block.arguments);
      EXPECT_EQ(comparable(block.text), comparable(shortened(now, block.text)))
          << page << " is stale: build/…/tests/docs/refresh_outputs writes it anew";
    }
  }
  EXPECT_GE(blocks, 1u);
}

TEST(Docs, FilesThatThePagesNameExist) {
  for (const std::string& page : kPages) {
    for (const std::string& file : Document(page).named_files()) {
      if (file.find('/') == std::string::npos) continue;  // a file of the reader's
      EXPECT_TRUE(fs::exists(file)) << page << " names " << file;
    }
  }
}

TEST(Docs, EveryFolderOfTheTreeSaysWhatItIs) {
  for (const char* top : {"foundation", "models", "firmware", "sw", "platform", "tests", "waves"}) {
    EXPECT_TRUE(fs::exists(fs::path(top) / "README.md")) << top;
    for (const auto& entry : fs::directory_iterator(top)) {
      if (!entry.is_directory()) continue;
      EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
    }
  }
}

TEST(Docs, ABlockMayShowTheFirstLinesOnly) {
  EXPECT_EQ(shortened("a\nb\nc\n", "x\ny\n  …\n"), "a\nb\n  …\n");
  EXPECT_EQ(shortened("a\nb\n", "x\n"), "a\nb\n");
}

TEST(Docs, AStaleBlockIsSeen) {
  EXPECT_NE(comparable("sdpa: passed\n  simulated time  1 ns\n"),
            comparable("sdpa: passed\n  simulated time  2 ns\n"));
  EXPECT_EQ(comparable("a\n  wall time  1 s\n  speed  3\n"), comparable("a\n  wall time  2 s\n"));
}

}  // namespace
}  // namespace tvp::docs
