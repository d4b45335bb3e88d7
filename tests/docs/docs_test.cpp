// Tests the pages against the tree.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

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

/// Arguments of the `./vp run` commands in the blocks of a page, without what they write; none that
/// names a file of the reader's.
std::vector<std::string> runs_of(const fs::path& page) {
  std::vector<std::string> runs;
  bool block = false;
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) block = !block;
    if (!block || !line.starts_with("./vp run ") || line.find("…") != std::string::npos) continue;
    std::istringstream words(line.substr(5, line.find(" #") - 5));
    std::string run;
    bool of_reader = false;
    for (std::string word; words >> word;) {
      if (word == "--report" || word == "--page" || word == "--wave") {
        words >> word;
        continue;
      }
      const std::string value = word.substr(word.rfind('=') + 1);
      of_reader |= !fs::path(value).extension().empty() && fs::path(value).extension() != ".toml" &&
                   !fs::exists(value) && std::isalpha(static_cast<unsigned char>(value[0])) != 0;
      run += word + " ";
    }
    if (!of_reader) runs.push_back(run);
  }
  return runs;
}

// Each is begun, and ends at once: keys, values and systems are what the program knows.
TEST(Docs, CommandsOfWorkloadsPagesAreTaken) {
  unsigned runs = 0;
  for (const auto& entry : fs::directory_iterator("sw/workloads")) {
    for (const std::string& run : runs_of(entry.path() / "README.md")) {
      const std::string command =
          std::string(TVP_PROGRAM " ") + run + "--quiet --max-time 1us > /dev/null 2>&1";
      const int status = std::system(command.c_str());
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      EXPECT_TRUE(code == 0 || code == 5) << entry.path() << ": vp " << run << "ends with " << code;
      ++runs;
    }
  }
  EXPECT_GE(runs, 5u);
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
