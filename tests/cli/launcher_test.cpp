// The launcher ./vp calls ninja exactly if something may have to be built.

#include <filesystem>

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

}  // namespace
}  // namespace tvp::launcher_test
