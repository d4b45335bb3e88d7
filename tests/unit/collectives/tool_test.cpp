// Tests `vp collectives` without the program: its output, its refusals, and that FINDINGS.md equals
// its findings.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "foundation/fault.h"
#include "sw/collectives/findings/findings.h"
#include "sw/collectives/tool/collectives_tool.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

const std::string kCollectives = std::string(TVP_SOURCE_FOLDER) + "/sw/collectives/";

std::string refusal(const std::vector<std::string>& words) {
  return tvp::test::fault_of([&] { collectives_tool(words); }, foundation::FaultKind::kDescription);
}

void expect_refusal(const std::vector<std::string>& words, const std::string& text) {
  const std::string found = refusal(words);
  EXPECT_NE(found.find(text), std::string::npos) << found;
}

TEST(Tool, ShowsWhatAScheduleCosts) {
  const std::string shown = collectives_tool(
      {"show", "op=all_to_all", "algo=ring_relay", "N=8", "variant=tie_split", "topology=ring"});
  for (const char* part :
       {"all_to_all ring_relay tie_split N=8", "2 ports             n_alpha 10     n_beta 1.0000",
        "busiest link 0 -> 1 with 1.0000 M, all links 16.0000 M", "rank 7 lane"})
    EXPECT_NE(shown.find(part), std::string::npos) << part << "\n" << shown;
  const std::string best =
      collectives_tool({"show", "op=broadcast", "algo=chain", "N=8", "segments=best", "alpha=500",
                        "bw=12.5", "size=1000000"});
  EXPECT_NE(best.find("P=31"), std::string::npos);  // sqrt(6 * 80000 / 500) = 30.98
}

TEST(Tool, RefusesByName) {
  expect_refusal({}, "expected list | show");
  expect_refusal({"dance"}, "collectives dance: expected list | show");
  expect_refusal({"show", "op=all_reduce", "algo=ring"}, "argument N: is missing");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=100000"},
                 "argument N: 100000 ranks: expected at most 4096");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=four"}, "four: expected a whole number");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=1"}, "1 ranks: expected 2 or more");
  expect_refusal({"show", "op=all_reduce", "algo=rang", "N=4"}, "expected one of chain, ring");
  expect_refusal({"show", "op=sum", "algo=ring", "N=4"}, "expected one of broadcast");
  expect_refusal({"show", "op=broadcast", "algo=pat", "N=4"}, "does not support broadcast");
  expect_refusal(
      {"show", "op=all_to_all", "algo=ring", "N=4"},
      "or one of the algorithms that support it, ring_relay, pairwise, bruck, inc, hierarchy");
  expect_refusal({"show", "op=all_to_all", "algo=pairwise", "variant=xor", "N=6"},
                 "variant xor with 6 ranks: expected a power of two");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=4", "color=red"},
                 "argument color: is not used: expected one of N, algo");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=4", "N=5"},
                 "has a key that is already given");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=4", "variant=wide"},
                 "the algorithm has no variants");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=4", "order=0,1,1,3"},
                 "expected each of 0 to 3 once");
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=4", "topology=mesh:3x3"},
                 "9 places: expected a shape for 4 ranks");
  expect_refusal({"show", "op=broadcast", "algo=chain", "N=4", "root=4"},
                 "expected a rank below 4");
  expect_refusal({"check", "/no/such.json"}, "cannot be read");
  expect_refusal({"convert", "a.json"}, "1 words: expected FROM TO");
  expect_refusal({"findings", "about=C99"}, "no claim has this text in its name");
  expect_refusal({"check", kCollectives + "examples/all_reduce_ring_4.xml", "slots=1"},
                 "deadlock: rank 0");
}

TEST(Tool, ShowsProtocolsOfNccl) {
  // 14 messages of an eighth of 80 000 bytes at 10 bytes/ns, half of which are flags with `ll`.
  const std::string shown = collectives_tool(
      {"show", "op=all_reduce", "algo=ring", "N=8", "proto=all", "bw=10", "size=80000"});
  for (const char* part :
       {"protocol simple     alpha 3400 ns, beta 0.1 ns/B, 80000 bytes in 61.60 us",
        "protocol ll         alpha 600 ns, beta 0.2 ns/B, 80000 bytes in 36.40 us",
        "protocol ll128      alpha 1900 ns, beta 0.1067 ns/B, 80000 bytes in 41.53 us"})
    EXPECT_NE(shown.find(part), std::string::npos) << part << "\n" << shown;
  expect_refusal({"show", "op=all_reduce", "algo=ring", "N=8", "proto=ll64"},
                 "protocol ll64: expected one of simple, ll, ll128");
}

TEST(Findings, PageIsOfToday) {
  std::ifstream file(kCollectives + "FINDINGS.md");
  std::ostringstream text;
  text << file.rdbuf();
  // Findings.OnMachinesAreOfToday in system_findings compares the rows on modelled machines with
  // runs.
  EXPECT_TRUE(text.str().starts_with(findings_page()))
      << "made anew by: ./vp collectives findings out=sw/collectives/FINDINGS.md";
}

TEST(Findings, StaleRowsAndChangedDecisionsAreListed) {
  const std::string page = findings_page("C7");
  EXPECT_EQ(stale_rows(page, page), "");
  std::string other = page;
  const std::size_t figure = other.find("6 α");
  ASSERT_NE(figure, std::string::npos);
  other.replace(figure, 1, "7");
  EXPECT_TRUE(stale_rows(page, other).starts_with("\nC7 ring at N = 4 is stale, found"))
      << stale_rows(page, other);
  other.replace(other.find("**refuted**"), 11, "**confirmed**");
  EXPECT_TRUE(stale_rows(page, other)
                  .starts_with("\nthe decision on C7 ring at N = 4 is refuted, was confirmed\nC7"))
      << stale_rows(page, other);
  EXPECT_EQ(stale_rows(page, ""), "\nC7 ring at N = 4 is missing");
  EXPECT_EQ(stale_rows("", page), "\nC7 ring at N = 4 is no claim");
  EXPECT_EQ(stale_rows("", page, "C8"), "");
}

TEST(Findings, ARowRunsAlone) {
  const std::string page = findings_page("C7");
  EXPECT_NE(page.find("| 6 α + 1.5 M/BW |"), std::string::npos) << page;
  EXPECT_EQ(page.find("C5"), std::string::npos);
  // All twenty claims have a row.
  const std::string whole = findings_page();
  for (int number = 1; number <= 20; ++number)
    EXPECT_NE(whole.find("C" + std::to_string(number)), std::string::npos) << number;
}

}  // namespace
}  // namespace tvp::collectives
