#include "tests/mutation/mutation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/mutation/plan.h"
#include "tests/mutation/scratch_build.h"

namespace tvp::mutation {
namespace {

std::vector<std::string> changes(const std::string& source) {
  std::vector<std::string> all;
  for (const Mutation& m : mutations_of("a.cpp", source)) all.push_back(mutated(source, m));
  std::sort(all.begin(), all.end());
  return all;
}
using Sources = std::vector<std::string>;

TEST(Mutations, OfComparisonsLogicSumsAndTruths) {
  EXPECT_EQ(changes("x = a < b;"), Sources{"x = a <= b;"});
  EXPECT_EQ(changes("x = a == b && c;"), (Sources{"x = a != b && c;", "x = a == b || c;"}));
  EXPECT_EQ(changes("x = a + b;"), Sources{"x = a - b;"});
  EXPECT_EQ(changes("  return true;"), Sources{"  return false;"});
  EXPECT_EQ(changes("std::vector<int> v;"), Sources{});
}

TEST(Mutations, OfConstants) {
  EXPECT_EQ(changes("x = 0x1F;"), Sources{"x = 32;"});
  EXPECT_EQ(changes("x = 4U;"), Sources{"x = 5U;"});
  EXPECT_EQ(changes("x4 = y_5;"), Sources{});
  EXPECT_EQ(changes("x = 1'000;"), Sources{});  // not split
  EXPECT_EQ(changes("x = 1.5;"), Sources{});
  EXPECT_EQ(changes("  virtual void f(int a) const = 0;"), Sources{});  // a pure function
  EXPECT_EQ(changes("  if (f(a)) x = 0;"), Sources{"  if (f(a)) x = 1;"});
}

TEST(Mutations, OfCallsThatAreStatements) {
  EXPECT_EQ(changes("  router.free(slot);"), Sources{"  ;"});
  EXPECT_EQ(changes("TTI_STALLWAIT(a, b);"), Sources{";"});
  EXPECT_EQ(changes("say(\"a; b\");"), Sources{";"});
  EXPECT_EQ(changes("int x(y);"), Sources{});
  EXPECT_EQ(changes("return f(x);"), Sources{});
  EXPECT_EQ(changes("if (f(x)) g(x);"), Sources{});
}

TEST(Mutations, NotOfCommentsTextsAndDirectives) {
  EXPECT_EQ(changes("// a < 1\n/* b\n + 2 */\n#define X 3\nstatic_assert(4 == 5);\n\"6 < 7\";"),
            Sources{});
}

TEST(Mutations, TellWhereTheyAre) {
  const auto all = mutations_of("m/a.cpp", "a;\nb = c + d;\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].text(), "m/a.cpp:2:6: sum: ' + ' -> ' - '");
  EXPECT_THROW(mutated("other text that is long", all[0]), std::invalid_argument);
}

// The plan names existing files, targets and texts, and every group has changes to select.
TEST(MutationPlan, FitsTheTree) {
  const std::filesystem::path root = TVP_SOURCE_ROOT;
  const Plan plan(root / "tests/mutation/plan.toml", root);
  std::size_t changes = 0;
  for (const Group& group : plan.groups) {
    const auto drawn = draw(group, root, 1);
    EXPECT_EQ(drawn.size(), group.draws + group.named.size()) << group.name;
    changes += drawn.size();
    const auto again = draw(group, root, 1);
    ASSERT_EQ(again.size(), drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(again[i].text(), drawn[i].text());
  }
  EXPECT_GE(changes, 150U);
  for (const Survivor& survivor : plan.survivors) {
    const std::string text = read_text(root / survivor.file);
    EXPECT_NE(text.find(survivor.line), std::string::npos)
        << survivor.file << ": " << survivor.line;
    EXPECT_NE(survivor.line.find(survivor.from), std::string::npos) << survivor.line;
  }
}

TEST(MutationPlan, LeavesOutWhatOtherTestsAnswerFor) {
  const Group group{.name = "runtime",
                    .files = {"sw/runtime"},
                    .without = {"sw/runtime/vectors"},
                    .targets = {},
                    .tests = "",
                    .draws = 0,
                    .named = {}};
  const auto sources = sources_of(group, TVP_SOURCE_ROOT);
  EXPECT_EQ(std::count(sources.begin(), sources.end(), "sw/runtime/programs/program.cpp"), 1);
  EXPECT_EQ(std::count(sources.begin(), sources.end(), "sw/runtime/vectors/coloring.cpp"), 0);
}

TEST(MutationRunner, EndsWhatTakesTooLong) {
  const Outcome slow = run({"tail", "-f", "/dev/null"}, "/", 1);
  EXPECT_EQ(slow.status, -1);
  const Outcome quick = run({"cat", "/dev/null"}, "/", 60);
  EXPECT_EQ(quick.status, 0);
  EXPECT_THROW(run({"no such program"}, "/", 1), std::system_error);
}

}  // namespace
}  // namespace tvp::mutation
