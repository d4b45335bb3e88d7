#include "tests/mutation/kernel_mutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/mutation/firmware_plan.h"

namespace tvp::mutation {
namespace {

/// The sources that a rule makes of a source.
std::vector<std::string> changes(const std::string& rule, const std::string& source) {
  std::vector<std::string> all;
  for (const KernelMutation& m : kernel_mutations_of("a.cpp", source))
    if (m.change.rule == rule) all.push_back(mutated(source, m.change));
  std::sort(all.begin(), all.end());
  return all;
}
using Sources = std::vector<std::string>;

TEST(KernelMutations, DeleteStatements) {
  EXPECT_EQ(changes("delete", "cb_push_back(a, b);"), Sources{";"});
  EXPECT_EQ(changes("delete", "for (;;) noc_async_read(f(a), b,\n c);"), Sources{"for (;;) ;\n"});
  EXPECT_EQ(changes("delete", "if (a) {\n pim::dma_read(a, b, c);\n}"), Sources{"if (a) {\n ;\n}"});
  EXPECT_EQ(changes("delete", "else ports[i].close();"), Sources{"else ;"});
  EXPECT_EQ(changes("delete", "timed(x, [&] { cb_wait_front(a, b); });"),
            Sources{"timed(x, [&] { ; });"});
  EXPECT_EQ(changes("delete", "this->t_.template multicast_async<f>(a, b);"), Sources{";"});
}

TEST(KernelMutations, LeaveOtherStatements) {
  EXPECT_EQ(changes("delete", "x = pim::dma_read_async(a, b, c);"), Sources{});
  EXPECT_EQ(changes("delete", "return pim::dma_wait(a);"), Sources{});
  EXPECT_EQ(changes("delete", "void dma_wait(Ticket t) { f(t); }"), Sources{});
  EXPECT_EQ(changes("delete", "compute(a);"), Sources{});
  EXPECT_EQ(changes("delete", "// cb_push_back(a, b);"), Sources{});
  EXPECT_EQ(changes("delete", "f(cb_push_back(a, b));"), Sources{});
}

TEST(KernelMutations, SwapCallsThatShareAnObject) {
  EXPECT_EQ(changes("swap", "cb_wait_front(a, b);\n  cb_pop_front(a, c);"),
            Sources{"cb_pop_front(a, c);\n  cb_wait_front(a, b);"});
  EXPECT_EQ(changes("swap", "noc_async_read_barrier();\ncb_push_back(a, b);"),
            Sources{"cb_push_back(a, b);\nnoc_async_read_barrier();"});
  EXPECT_EQ(changes("swap", "cb_wait_front(a, b);\ncb_pop_front(c, d);"), Sources{});
  EXPECT_EQ(changes("swap", "tile_regs_commit();\ncb_pop_front(c, d);"), Sources{});
  EXPECT_EQ(changes("swap", "noc_semaphore_wait(a, b);\nnoc_async_writes_flushed();"), Sources{});
  EXPECT_EQ(changes("swap", "cb_wait_front(a, b);\nx = 1;\ncb_pop_front(a, b);"), Sources{});
}

TEST(KernelMutations, CountNumbersAndPages) {
  EXPECT_EQ(changes("count", "cb_push_back(a, 1);"),
            (Sources{"cb_push_back(a, 0);", "cb_push_back(a, 2);"}));
  EXPECT_EQ(changes("count", "cb_push_back(a, n * m);"),
            (Sources{"cb_push_back(a, (n * m) + 1);", "cb_push_back(a, (n * m) - 1);"}));
  EXPECT_EQ(changes("count", "noc_async_write_page(p, q, r);"),
            Sources{"noc_async_write_page(p + 1, q, r);"});
}

TEST(KernelMutations, NameOtherObjects) {
  EXPECT_EQ(changes("index", "cb_push_back(a, n);cb_push_back(b, n);"),
            (Sources{"cb_push_back(a, n);cb_push_back(a, n);",
                     "cb_push_back(b, n);cb_push_back(b, n);"}));
  EXPECT_EQ(changes("index", "cb_push_back(a, n);"), Sources{});
}

TEST(KernelMutations, HalveSizesAndMoveCoordinates) {
  EXPECT_EQ(changes("size", "noc_async_write(a, f(b), c + d);"),
            Sources{"noc_async_write(a, f(b), (c + d) / 2);"});
  EXPECT_EQ(changes("core", "noc_semaphore_inc(get_noc_addr(x, y, z), n);"),
            Sources{"noc_semaphore_inc(get_noc_addr(x + 1, y, z), n);"});
  EXPECT_EQ(changes("core", "noc_async_read(get_noc_addr(x), y, z);"), Sources{});
}

TEST(KernelMutations, KnowTheirLines) {
  const auto all = kernel_mutations_of("k/a.cpp", "a();\nb = 1;\ncb_push_back(c,\n  n);\nd();\n");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].lines, (std::set<std::size_t>{3, 4}));
  EXPECT_EQ(all[0].around, (std::set<std::size_t>{2, 5}));
  EXPECT_EQ(all[0].call, "cb_push_back");
  EXPECT_EQ(all[0].change.text(), "k/a.cpp:3:1: delete: 'cb_push_back(c,\n  n);' -> ';\n'");
}

// The plan names programs with enough changes, and every explained change is one of them.
TEST(FirmwarePlanFile, FitsTheTree) {
  const std::filesystem::path root = TVP_SOURCE_ROOT;
  const FirmwarePlan plan(root / "tests/mutation/firmware.toml");
  EXPECT_GE(plan.programs.size(), 20U);
  std::vector<std::string> texts;
  std::size_t drawn = 0;
  for (const FirmwareProgram& program : plan.programs) {
    const auto all = shuffled(all_of(program, root), 1);
    EXPECT_GE(all.size(), 3U) << program.name;
    drawn += std::min<std::size_t>(all.size(), 30);
    const auto again = shuffled(all_of(program, root), 1);
    ASSERT_EQ(all.size(), again.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].change.text(), again[i].change.text());
      texts.push_back(all[i].change.text());
    }
  }
  EXPECT_GE(drawn, 600U);
  for (const Explained& each : plan.explained)
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return std::regex_search(text, std::regex(each.change));
    })) << each.change;
}

}  // namespace
}  // namespace tvp::mutation
