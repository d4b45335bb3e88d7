// The rules for prose, each on text that follows and text that breaks it, and on the whole tree.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/prose/declaration.h"
#include "tests/prose/tree.h"

namespace tvp::prose {
namespace {

namespace fs = std::filesystem;

class ProseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tvp-prose-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::vector<Passage> passages(const std::string& name, const std::string& text) {
    return read_source(write(name, text)).passages;
  }
  /// "LINE RULE" of each finding in a file of this text.
  std::vector<std::string> findings(const std::string& name, const std::string& text) {
    const std::string file = write(name, text);
    KnownNames names;
    names.add_text("known_name another int tell toml");
    names.add_file("models/noc/niu.h");
    const ProseCheck check(WordList::read(write("words.txt", "tell | has no business -> warn\n")),
                           {"of", "what", "as of", "!of course"}, names);
    std::vector<std::string> found;
    for (const Finding& finding : check.check(file, read_source(file), {"models"}))
      found.push_back(std::to_string(finding.line) + " " + finding.rule);
    return found;
  }

  fs::path folder_;
};

using Strings = std::vector<std::string>;

std::string words(unsigned count) {
  std::string text = "The core";
  for (unsigned i = 2; i < count; ++i) text += " waits";
  return text + ".";
}

TEST_F(ProseTest, CommentBlocksAreJoinedAndCodeIsNot) {
  const auto found = passages("a.cpp",
                              "// One block\n// of two lines.\n\nint a;  ///< trailing\n"
                              "        ///< goes on\n// * item\n//\n//     code\nint b = '\"';\n"
                              "/* A block\n * of two. */\nint c = 1'000;  // last\n");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].text, "One block\nof two lines.");
  EXPECT_EQ(found[1].text, "trailing\ngoes on");
  EXPECT_EQ(found[1].line, 4u);
  EXPECT_EQ(found[2].text, "* item");
  EXPECT_EQ(found[3].text, "A block\nof two.");
  EXPECT_EQ(found[4].text, "last");
}

TEST_F(ProseTest, LiteralsOfAMessageAreJoined) {
  const auto found = passages("a.cpp",
                              "f(\"the core \" + name + \" waits for a page\\n\"\n"
                              "  \"of its buffer\");\ng(\"short one\");\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "the core @ waits for a page\x01of its buffer");
}

TEST_F(ProseTest, PagesAreParagraphsItemsAndCells) {
  const auto found =
      passages("a.md",
               "# Title\n\nA line\nand another.\n* item\n\n| a | b `|` c |\n|---|---|\n"
               "```\ncode here\n```\n<!-- a\n remark -->\n");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[1].text, "A line\nand another.");
  EXPECT_EQ(found[4].text, "b `|` c");
}

TEST_F(ProseTest, SentencesHaveThirtyWordsAtMost) {
  EXPECT_EQ(findings("a.md", words(30) + " " + words(30)), Strings{});
  EXPECT_EQ(findings("a.md", "\n" + words(31)), Strings{"2 long"});
  EXPECT_EQ(findings("a.md", "See e.g. " + words(29)), Strings{"1 long"});
  EXPECT_EQ(findings("a.md", "`a b c d e` " + words(29)), Strings{});
}

TEST_F(ProseTest, SentencesBeginWithTheirSubject) {
  EXPECT_EQ(findings("a.cpp", "// Of the cores one waits.\n"), Strings{"1 opening"});
  EXPECT_EQ(findings("a.cpp", "// It waits.\n// As of here it runs.\n"), Strings{"2 opening"});
  EXPECT_EQ(findings("a.cpp", "// Called by the router.\n"), Strings{"1 opening"});
  EXPECT_EQ(
      findings("a.cpp",
               "// Shared memory of the tile.\n// Of course it waits.\n// What does it hold?\n"),
      Strings{});
}

TEST_F(ProseTest, PhrasesHaveAReplacement) {
  EXPECT_EQ(findings("a.sh", "say 'it will Tell you'\n# It has no\n# business here.\n"),
            (Strings{"1 word", "2 word"}));
  EXPECT_EQ(findings("a.md", "It is `tell`.\n"), Strings{});
}

TEST_F(ProseTest, NamesAndPathsExist) {
  EXPECT_EQ(
      findings("a.md", "The `known_name::another(int)` of `models/noc` and `FILE.toml`, `a b`."),
      Strings{});
  EXPECT_EQ(findings("a.md", "The\n`unknown_name`, see `models/nok/`."),
            (Strings{"2 name", "2 path"}));
}

TEST_F(ProseTest, AWordListNamesFileAndLineOfAnError) {
  const std::string file = write("bad.txt", "# words\ntell, told\n");
  try {
    WordList::read(file);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), file + ":2: expected PHRASE -> REPLACEMENT");
  }
}

TEST(Declaration, AParameterOfALaterDeclarationIsMisplaced) {
  const std::string code =
      "template <bool kFp32>\nconstexpr int steps = kFp32;\n"
      "template <int kOfZero>\nvoid record() { use(kOfZero); }\nint depth;\nvoid grow(int "
      "depth);\n";
  const DeclarationCheck check(code);
  EXPECT_TRUE(check.is_misplaced("kOfZero", 0));
  EXPECT_FALSE(check.is_misplaced("kFp32", 0));
  EXPECT_FALSE(check.is_misplaced("depth", 0));
  EXPECT_FALSE(check.is_misplaced("kOfZero", code.find("template <int")));
}

TEST(Tree, HasNoFinding) {
  const Tree tree;
  for (const Finding& finding : tree.check(tree.clean())) {
    ADD_FAILURE() << finding.file << ":" << finding.line << ": " << finding.rule << ": "
                  << finding.text;
  }
  EXPECT_THROW(tree.check({"no/such/folder"}), std::runtime_error);
}

}  // namespace
}  // namespace tvp::prose
