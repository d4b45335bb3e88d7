// Compares the pages of the tree with the program and with the files that they name.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "foundation/process.h"
#include "tests/docs/built_command.h"
#include "tests/docs/document.h"
#include "tests/support/port.h"
#include "tests/support/release_names.h"
#include "tests/support/test_folder.h"

namespace tvp::docs {
namespace {

namespace fs = std::filesystem;

TEST(Docs, OutputsOfThePagesAreCurrent) {
  unsigned blocks = 0;
  const test::TestFolder scratch("docs");
  for (const std::string& page : checked_pages()) {
    for (const OutputBlock& block : Document(page).outputs()) {
      ++blocks;
      if (!can_run(block.command)) continue;
      const std::string now =
          output_of(block, built_command(block.command), scratch.path(), page_environment());
      EXPECT_EQ(comparable(block.text), comparable(shortened(now, block.text)))
          << page << ":" << block.line
          << ": stale output; build/release/tests/docs/refresh_outputs updates it";
    }
  }
  EXPECT_GE(blocks, 5u);
}

TEST(Docs, SessionsOfGdbPrintWhatThePagesShow) {
  unsigned sessions = 0;
  for (const std::string& page : checked_pages()) {
    for (const GdbSession& session : Document(page).gdb_sessions()) {
      ++sessions;
      const std::string port = std::to_string(test::Port().number());
      std::vector<std::string> observed{TVP_PROGRAM, "run", session.workload, "--gdb", port};
      if (const std::string exec = "exec "; session.workload.starts_with(exec)) {
        std::istringstream words(session.workload.substr(exec.size()));
        observed = {TVP_PROGRAM, "exec", "--gdb", port, "--"};
        for (std::string word; words >> word;) observed.push_back(word);
      }
      if (!can_run(observed)) continue;
      foundation::Process run(
          {.command = built_command(observed), .environment = page_environment()});
      while (run.said().find("waiting for gdb") == std::string::npos)
        ASSERT_TRUE(run.read_more()) << run.said();
      std::vector<std::string> command{"gdb-multiarch", "-q", "-nx", "-batch"};
      for (std::string line : session.commands) {
        if (line.starts_with("target ")) line = "target extended-remote :" + port;
        command.insert(command.end(), {"-ex", line});
      }
      const auto gdb = foundation::Process::run({.command = command});
      ASSERT_FALSE(session.expected.empty()) << page << ":" << session.line << ": no output block";
      for (const std::string& line : session.expected)
        EXPECT_NE(gdb.said().find(line), std::string::npos)
            << page << ":" << session.line << ": gdb did not print '" << line << "'\n"
            << gdb.said();
      EXPECT_TRUE(run.finish(60)) << "the run did not end after " << session.commands.back();
    }
  }
  EXPECT_GE(sessions, 2u);
}

/// Arguments of the `./vp run` commands in the blocks of a page, without options that write files.
/// Commands that name a file of the reader are left out.
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
      if (word == "--report" || word == "--page" || word == "--wave" || word == "--record" ||
          word == "--gdb") {
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

// Each run ends after a microsecond: the test only checks keys, values and systems.
TEST(Docs, CommandsOfPagesAreValid) {
  unsigned runs = 0;
  std::vector<fs::path> pages;
  for (const auto& entry : fs::directory_iterator("sw/workloads"))
    pages.push_back(entry.path() / "README.md");
  for (const auto& entry : fs::directory_iterator("platform/docs/how_to"))
    pages.push_back(entry.path());
  for (const fs::path& page : pages) {
    for (const std::string& run : runs_of(page)) {
      const std::string command =
          std::string(TVP_PROGRAM " ") + run + "--quiet --max-time 1us > /dev/null 2>&1";
      const int status = std::system(command.c_str());
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      EXPECT_TRUE(code == 0 || code == 5) << page << ": vp " << run << "ends with " << code;
      ++runs;
    }
  }
  EXPECT_GE(runs, 15u);
}

TEST(Docs, FilesThatThePagesNameExist) {
  for (const std::string& page : checked_pages()) {
    const fs::path folder = fs::path(page).parent_path();
    for (const std::string& file : Document(page).named_files()) {
      if (file.find('/') == std::string::npos) continue;  // a file of the reader
      EXPECT_TRUE(fs::exists(file) || fs::exists(folder / file)) << page << " names " << file;
    }
  }
}

/// Folders with files of the tree directly below `folder`.
std::set<std::string> folders_in(const fs::path& folder) {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder)) {
    const std::string name = entry.path().filename();
    if (entry.is_directory() && name[0] != '.' && name != "build") folders.insert(name);
  }
  return folders;
}

// Pages that list folders in a table list all of them.
TEST(Docs, TablesOfFoldersAreComplete) {
  unsigned tables = 0;
  for (const auto& entry : fs::recursive_directory_iterator(".")) {
    const std::string path = entry.path().lexically_relative(".");
    if (!path.ends_with("README.md") || path.starts_with("build/")) continue;
    const auto listed = Document(path).listed_folders();
    if (listed.empty()) continue;
    ++tables;
    const fs::path folder = fs::path(path).parent_path();
    for (const std::string& name : listed)
      EXPECT_TRUE(fs::is_directory(folder / name)) << path << " lists the folder " << name;
    std::set<std::string> named;
    for (const std::string& name : listed) named.insert(name.substr(0, name.find('/')));
    for (const std::string& name : folders_in(folder)) {
      if (folder == "platform/docs" && name == "theme") continue;  // holds no pages
      EXPECT_TRUE(named.contains(name)) << path << " does not list the folder " << name;
    }
  }
  EXPECT_GE(tables, 2u);
}

/// "Class name" or "Class name()" for each socket that a public header of a module declares.
std::set<std::string> declared_sockets() {
  static const std::regex comment("//[^\n]*");
  static const std::regex alias(R"(using (\w+) =\s*tlm\w*::\w*socket\w*<)");
  std::set<std::string> sockets;
  for (const auto& entry : fs::directory_iterator("platform/components/tensix_vp/systemc")) {
    const std::string text =
        std::regex_replace(Document(entry.path().string()).text(), comment, "");
    std::string types = "EthernetPort";  // a pair of sockets
    for (auto it = std::sregex_iterator(text.begin(), text.end(), alias);
         it != std::sregex_iterator(); ++it)
      types += "|" + (*it)[1].str();
    const std::regex word(R"(class (\w+)[^;{]*sc_module|(?:tlm\w*::\w*socket\w*<[^;(){}]*>|\b(?:)" +
                          types + R"()\b)\s*&?\s*(\w+)\s*([;(]))");
    std::string module;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), word);
         it != std::sregex_iterator(); ++it) {
      if ((*it)[1].matched) {
        module = (*it)[1];
      } else {
        sockets.insert(module + " " + (*it)[2].str() + ((*it)[3] == "(" ? "()" : ""));
      }
    }
  }
  return sockets;
}

// The table of sockets has a line for each socket of a module, with tests that exist.
TEST(Docs, TheTableOfSocketsIsComplete) {
  std::set<std::string> tests;
  for (const auto& entry : fs::recursive_directory_iterator("tests"))
    tests.insert(entry.path().filename());
  static const std::regex line(R"(\| `(\w+)` \| `(\w+(\(\))?)` \|.*\|([^|]*)\|)");
  static const std::regex name("`([^`]+)`");
  std::set<std::string> listed;
  std::istringstream text(Document("ARCHITECTURE.md").text());
  for (std::string row; std::getline(text, row);) {
    std::smatch cells;
    if (!std::regex_match(row, cells, line)) continue;
    listed.insert(cells[1].str() + " " + cells[2].str());
    const std::string last = cells[4];
    unsigned named = 0;
    for (auto it = std::sregex_iterator(last.begin(), last.end(), name);
         it != std::sregex_iterator(); ++it, ++named)
      EXPECT_TRUE(tests.contains((*it)[1])) << row;
    EXPECT_GE(named, 1u) << row << ": a socket without a test";
  }
  EXPECT_EQ(listed, declared_sockets());
}

// The table of tt-metal's releases counts the names that a test compiles.
TEST(Docs, TheTableOfReleasesIsCurrent) {
  const test::ReleaseNames names("sw/metalium/releases.txt");
  ASSERT_FALSE(names.releases().empty());
  std::string table = "|---|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < names.releases().size(); ++i) {
    const auto& release = names.releases()[i];
    std::ostringstream row;
    row << "| " << release.name << " | " << release.date << " | " << release.commit << " | "
        << release.examples;
    for (const bool host : {true, false})
      for (const bool headers : {true, false}) row << " | " << names.count(i, host, headers);
    table += row.str() + " |\n";
  }
  const std::string page = Document("sw/metalium/README.md").text();
  EXPECT_NE(page.find(table + "\n"), std::string::npos) << "expected:\n" << table;
}

TEST(Docs, TheReadmeFitsOnThreeScreens) {
  const std::string text = Document("README.md").text();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
}

// The changelog begins with the version of the build.
TEST(Docs, TheChangelogHasTheVersionOfTheBuild) {
  const std::string text = Document("CHANGELOG.md").text();
  const auto release = text.find("\n## ");
  ASSERT_NE(release, std::string::npos);
  EXPECT_TRUE(text.substr(release + 4).starts_with(TVP_VERSION " ("))
      << "CMakeLists.txt has version " TVP_VERSION;
}

TEST(Docs, EveryFolderHasAReadme) {
  for (const char* top : {"foundation", "models", "firmware", "sw", "platform", "tests", "waves"}) {
    EXPECT_TRUE(fs::exists(fs::path(top) / "README.md")) << top;
    for (const auto& entry : fs::directory_iterator(top)) {
      if (!entry.is_directory()) continue;
      EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
    }
  }
}

TEST(Docs, ABlockMayEndWithAnEllipsis) {
  EXPECT_EQ(shortened("a\nb\nc\n", "x\ny\n  …\n"), "a\nb\n  …\n");
  EXPECT_EQ(shortened("a\nb\n", "x\n"), "a\nb\n");
}

TEST(Docs, AStaleBlockDiffers) {
  EXPECT_NE(comparable("sdpa: passed\n  simulated time  1 ns\n"),
            comparable("sdpa: passed\n  simulated time  2 ns\n"));
  EXPECT_EQ(comparable("a\n  wall time  1 s\n  speed  3\n"), comparable("a\n  wall time  2 s\n"));
}

}  // namespace
}  // namespace tvp::docs
