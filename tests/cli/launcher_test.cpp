// The launcher ./vp calls ninja exactly if something may have to be built.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.h"

namespace tvp::launcher_test {
namespace {

namespace fs = std::filesystem;

/// A tree whose ninja and program are scripts.
class Launcher : public test::FolderTest {
 protected:
  Launcher() {
    for (const char* folder : {"cmake", "foundation", "models", "firmware", "platform", "sw", "bin",
                               "build/release/platform"})
      fs::create_directories(path(folder));
    fs::copy_file(fs::path(TVP_SYSTEMS) / "../../vp", path("vp"));
    for (const char* file :
         {"CMakeLists.txt", "CMakePresets.json", "packages.txt", "models/a.cpp", "models/b.cpp",
          "build/release/build.ninja", "build/release/CMakeCache.txt", kLibrary})
      write(file, "");
    script("bin/ninja",
           "echo \"$@\" >>" + path("asked") + "; test ! -f " + path("broken") + " || exit 1\n");
    script("build/release/platform/tensix-vp", "echo run \"$@\"\n");
  }
  void script(const std::string& name, const std::string& text) const {
    fs::permissions(write(name, "#!/bin/sh\n" + text), fs::perms::owner_all);
  }
  test::Outcome start() const {
    return test::execute({.command = {path("vp"), "list", "x y"},
                          .environment = {"PATH=" + path("bin") + ":/usr/bin:/bin", "TVP_PRESET"}});
  }
  /// Starts the program and returns whether ninja was called.
  bool asks() const {
    fs::remove(path("asked"));
    const auto ended = start();
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
    EXPECT_NE(ended.output.find("run list x y\n"), std::string::npos) << ended.output;
    return fs::exists(path("asked"));
  }
  static constexpr const char* kLibrary = "build/release/platform/libtensix_vp.so";
};

TEST_F(Launcher, AsksNinjaOnlyAfterAChange) {
  EXPECT_TRUE(asks());
  EXPECT_FALSE(asks());
  const std::pair<const char*, std::function<void()>> kChanges[] = {
      {"an edit", [&] { write("models/a.cpp", "int a;"); }},
      {"a new file", [&] { write("sw/c.cpp", ""); }},
      {"a file that is gone", [&] { fs::remove(path("models/b.cpp")); }},
      {"a file of another name", [&] { fs::rename(path("sw/c.cpp"), path("sw/d.cpp")); }},
      {"the build's settings", [&] { write("build/release/CMakeCache.txt", "TVP_X=1"); }},
      {"no library", [&] { fs::remove(path(kLibrary)); }}};
  for (const auto& [what, change] : kChanges) {
    change();
    EXPECT_TRUE(asks()) << what;
    write(kLibrary, "");
    EXPECT_FALSE(asks()) << what;
  }
}

TEST_F(Launcher, AFailedBuildIsTriedAgain) {
  EXPECT_TRUE(asks());
  write("models/a.cpp", "int");
  write("broken", "");
  EXPECT_EQ(start().exit_code, 2);
  EXPECT_EQ(start().exit_code, 2);
  fs::remove(path("broken"));
  EXPECT_TRUE(asks());
  EXPECT_FALSE(asks());
}

/// A counter of Verilator.
std::string point(const std::string& page, const std::string& object, unsigned count) {
  return "C '\001f\002a.sv\001l\0027\001page\002" + page + "\001o\002" + object +
         "\001h\002top.a' " + std::to_string(count) + "\n";
}

TEST_F(Launcher, CoverageAddsUpItsFiles) {
  fs::copy_file(fs::path(TVP_SYSTEMS) / "../../cmake/coverage.sh", path("cmake/coverage.sh"));
  const std::string head = "# SystemC::Coverage-3\n";
  const std::string one =
      write("one.dat", head + point("v_toggle/a", "x:0->1", 3) + point("v_toggle/a", "x:1->0", 0) +
                           point("v_line/a", "block", 1));
  const std::string two =
      write("two.dat", head + point("v_toggle/a", "x:0->1", 0) + point("v_toggle/a", "x:1->0", 0) +
                           point("v_branch/b", "else", 0) + point("v_line/b", "block", 2));
  const auto coverage = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {path("vp"), "coverage"});
    return test::execute({.command = arguments,
                          .environment = {"PATH=" + path("bin") + ":/usr/bin:/bin", "TVP_PRESET"}});
  };
  const auto table = coverage({one, two});
  EXPECT_EQ(table.exit_code, 0) << table.output;
  EXPECT_NE(table.output.find("a                 100.0 %   50.0 %\n"
                              "b                  50.0 %  100.0 %\n"),
            std::string::npos)
      << table.output;
  EXPECT_EQ(coverage({"--at-least", "50", one, two}).exit_code, 0);
  const auto below = coverage({"--at-least", "51", one, two});
  EXPECT_EQ(below.exit_code, 1);
  EXPECT_NE(below.output.find("below 51 %:"), std::string::npos) << below.output;
  const std::pair<std::vector<std::string>, const char*> kWrong[] = {
      {{"--at-least", "many"}, "'many': expected a number from 0 to 100"},
      {{"--at-least", "101"}, "101: expected a number from 0 to 100"},
      {{path("vp")}, "vp: expected a coverage file of Verilator"},
      {{path("none.dat")}, "none.dat: expected a coverage file of Verilator"}};
  for (const auto& [arguments, text] : kWrong) {
    const auto refused = coverage(arguments);
    EXPECT_EQ(refused.exit_code, 2) << text;
    EXPECT_NE(refused.output.find(text), std::string::npos) << refused.output;
  }
}

}  // namespace
}  // namespace tvp::launcher_test
