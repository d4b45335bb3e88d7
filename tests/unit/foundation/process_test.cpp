#include "foundation/process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <system_error>

#include "foundation/read_file.h"
#include "tests/support/test_folder.h"
#include "tests/support/words.h"

namespace tvp::foundation::process_test {
namespace {

TEST(Process, WordsReachTheProgramAsTheyAre) {
  const auto said = Process::run({.command = {"printf", "%s|", "a b", "$HOME; `x`", "", "'\"\\"}});
  EXPECT_EQ(said.exit_code(), 0);
  EXPECT_EQ(said.said(), "a b|$HOME; `x`||'\"\\|");
}

TEST(Process, EachStreamGoesWhereItIsTold) {
  const test::TestFolder folder("streams");
  const std::vector<std::string> both{"ls", "/", "/nowhere"};  // at least one line on each stream
  const auto read = Process::run({.command = both});
  EXPECT_NE(read.said().find("/nowhere"), std::string::npos);
  EXPECT_NE(read.said().find("proc"), std::string::npos);
  EXPECT_EQ(read.exit_code(), 2);
  const auto split = Process::run({.command = both, .output = folder.file("out")});
  EXPECT_NE(split.said().find("/nowhere"), std::string::npos);
  EXPECT_EQ(split.said().find("proc"), std::string::npos);
  EXPECT_NE(read_file(folder.file("out")).find("proc"), std::string::npos);
  const auto input = Process::run({.command = {"cat"}, .input = folder.file("out")});
  EXPECT_EQ(input.said(), read_file(folder.file("out")));
  const auto in_folder = Process::run({.command = {"ls"}, .folder = folder.path()});
  EXPECT_EQ(in_folder.said(), "out\n");
}

TEST(Process, ToolsAreFoundWithoutAPath) {
  const std::string path = getenv("PATH");
  unsetenv("PATH");
  const auto found = Process::run({.command = {"env"}});
  const auto none = Process::run({.command = {"/usr/bin/env"}, .environment = {"PATH"}});
  const auto own = Process::run({.command = {"/usr/bin/env"}, .environment = {"PATH=/x"}});
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(("\n" + found.said()).find("\nPATH=/usr/local/bin:/usr/bin:/bin\n"), std::string::npos);
  EXPECT_EQ(none.said().find("/usr/local/bin"), std::string::npos) << "as asked for";
  EXPECT_NE(own.said().find("PATH=/x"), std::string::npos);
}

TEST(Process, TheEnvironmentIsThisOneWithChanges) {
  setenv("TVP_KEPT", "1", 1);
  setenv("TVP_GONE", "2", 1);
  setenv("TVP_OTHER", "3", 1);
  const auto env = Process::run({.command = {"env"}, .environment = {"TVP_GONE", "TVP_OTHER=4"}});
  EXPECT_NE(env.said().find("TVP_KEPT=1\n"), std::string::npos);
  EXPECT_EQ(env.said().find("TVP_GONE"), std::string::npos);
  EXPECT_EQ(env.said().find("TVP_OTHER=3"), std::string::npos);
  EXPECT_NE(env.said().find("TVP_OTHER=4\n"), std::string::npos);
}

TEST(Process, EndsWithItsOwnerOrWhenItsTimeIsOver) {
  pid_t id = 0;
  {
    const Process endless({.command = {"tail", "-f", "/dev/null"}});
    id = endless.id();
    EXPECT_EQ(kill(id, 0), 0);
  }
  EXPECT_EQ(kill(id, 0), -1);
  Process slow({.command = {"tail", "-f", "/dev/null"}});
  EXPECT_FALSE(slow.finish(1));
  EXPECT_EQ(slow.signal(), SIGKILL);
  EXPECT_EQ(slow.exit_code(), 128 + SIGKILL);
  EXPECT_EQ(slow.id(), -1);
  Process moved({.command = {"cat", "/dev/null"}});
  Process to(std::move(moved));
  EXPECT_TRUE(to.finish(60));
  EXPECT_EQ(to.exit_code(), 0);
}

TEST(Process, WhatCannotBeStartedIsNamed) {
  try {
    Process::run({.command = {"/no such program"}});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    EXPECT_NE(std::string(error.what()).find("/no such program"), std::string::npos);
  }
}

TEST(Words, AreSeparatedByBlanksOutsideOfQuotes) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(test::words_of("run  mesh --set 'a b=\"c\"' \"\""),
            (Words{"run", "mesh", "--set", "a b=\"c\"", ""}));
  EXPECT_EQ(test::words_of("--set x='y z'$1"), (Words{"--set", "x=y z$1"}));
  EXPECT_EQ(test::words_of("  "), Words{});
  EXPECT_THROW(test::words_of("a 'b"), std::invalid_argument);
}

}  // namespace
}  // namespace tvp::foundation::process_test
