#include "sw/runtime/compiler/dependency_file.h"

#include <gtest/gtest.h>

namespace tvp::runtime {
namespace {

using Files = std::optional<std::vector<std::string>>;

Files files(const std::string& rest) { return dependencies_of("image:" + rest, "image"); }

TEST(DependencyFile, ReadsWordsAsMakeDoes) {
  EXPECT_EQ(files(" a.cpp b.h\n"), Files({"a.cpp", "b.h"}));
  EXPECT_EQ(files(" a.cpp \\\n  b.h \\\n c.h\n"), Files({"a.cpp", "b.h", "c.h"}));
  EXPECT_EQ(files(" a.cpp\\\n b.h\n"), Files({"a.cpp", "b.h"}));
  EXPECT_EQ(files(" my\\ kernel.cpp b.h\n"), Files({"my kernel.cpp", "b.h"}));
  EXPECT_EQ(files(" a\\#b.cpp $$HOME/c.h x\\:y\n"), Files({"a#b.cpp", "$HOME/c.h", "x:y"}));
  EXPECT_EQ(files(" $$$$x y$$ a$b\n"), Files({"$$x", "y$", "a$b"}));
  EXPECT_EQ(files(" q\"q s'q c:d ünï\n"), Files({"q\"q", "s'q", "c:d", "ünï"}));
}

// The names that gcc 12 writes for the folders "back\ b" and "end\".
TEST(DependencyFile, CountsBackslashesAsMakeDoes) {
  EXPECT_EQ(files(" back\\\\\\ b/k.cpp\n"), Files({"back\\ b/k.cpp"}));
  EXPECT_EQ(files(" end\\\\ b\n"), Files({"end\\", "b"}));
  EXPECT_EQ(files(" a\\b\n"), Files({"a\\b"}));
}

TEST(DependencyFile, RefusesWhatIsNotOneWholeRule) {
  for (const char* text : {"", " \n", " a.cpp", " a.cpp \\\n", " a.cpp b", "\n"}) {
    EXPECT_EQ(files(text), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(files(" a.cpp\nb.h\n"), std::nullopt);
  EXPECT_EQ(dependencies_of("other: a.cpp\n", "image"), std::nullopt);
  EXPECT_EQ(dependencies_of("", "image"), std::nullopt);
}

}  // namespace
}  // namespace tvp::runtime
