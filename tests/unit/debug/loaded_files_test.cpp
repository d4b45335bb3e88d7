// The files of a core that the debugger is notified of.
#include "platform/debug/loaded_files.h"

#include <gtest/gtest.h>

#include "tests/unit/foundation/elf_program.h"

namespace tvp::debug {
namespace {

class LoadedFilesTest : public ElfProgram {
 protected:
  static std::string at(const std::string& address) {
    compile("-nostdlib -nostartfiles -Wl,--no-warn-rwx-segments -Wl,-Ttext=" + address,
            address + ".elf");
    return path(address + ".elf");
  }
  std::vector<std::string> libraries(unsigned core,
                                     const LoadedFiles::Tile& tile = {0, 1, 1}) const {
    std::vector<std::string> paths;
    for (const Target::Library& library : files_.libraries(tile, core)) {
      EXPECT_GT(library.sections, 0U);
      paths.push_back(library.file);
    }
    return paths;
  }

  LoadedFiles files_;
};

using Paths = std::vector<std::string>;

TEST_F(LoadedFilesTest, AreGoneWhereCodeOfTheTileWasLoadedLater) {
  const std::string firmware = at("0x1000"), kernel = at("0x3000"), other = at("0x5000"),
                    over_kernel = at("0x3010");
  for (const unsigned core : {0U, 1U}) files_.add({0, 1, 1}, core, firmware);
  EXPECT_TRUE(libraries(0).empty());
  files_.add({0, 1, 1}, 0, kernel);
  files_.add({0, 1, 1}, 1, kernel);  // both execute it
  EXPECT_EQ(libraries(0), Paths{kernel});
  files_.add({0, 1, 1}, 0, other);
  EXPECT_EQ(libraries(0), (Paths{kernel, other}));
  files_.add({0, 2, 1}, 1, over_kernel);  // memory of another tile
  EXPECT_EQ(libraries(0), (Paths{kernel, other}));
  files_.add({0, 1, 1}, 1, over_kernel);
  EXPECT_EQ(libraries(0), Paths{other});
  EXPECT_EQ(libraries(1), Paths{over_kernel});
  files_.add({0, 1, 1}, 0, kernel);  // once more
  EXPECT_EQ(libraries(0), (Paths{other, kernel}));
  EXPECT_TRUE(libraries(1).empty());
  EXPECT_EQ(files_.of({0, 1, 1}, 0), (Paths{firmware, other, kernel}));
}

TEST_F(LoadedFilesTest, TheExecutableStaysTheFirst) {
  const std::string firmware = at("0x1000"), kernel = at("0x3000");
  files_.add({0, 1, 1}, 5, firmware);
  files_.add({0, 1, 1}, 5, kernel);
  files_.add({0, 1, 1}, 5, firmware);  // started again
  EXPECT_EQ(files_.of({0, 1, 1}, 5), (Paths{firmware, kernel}));
  EXPECT_EQ(libraries(5), Paths{kernel});
  files_.add({0, 1, 1}, 5, "/no/such/file.elf");
  EXPECT_EQ(libraries(5), Paths{kernel});
  EXPECT_TRUE(files_.of({1, 1, 1}, 5).empty());
  EXPECT_TRUE(libraries(5, {1, 1, 1}).empty());
}

}  // namespace
}  // namespace tvp::debug
