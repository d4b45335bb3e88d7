#include "tests/mutation/verdict.h"

#include <gtest/gtest.h>

namespace tvp::mutation {
namespace {

const std::set<std::string> kKernels{"reader.cpp", "writer.cpp"};

/// The missing call in line 16 of a reader, between the statements in lines 15 and 17.
KernelMutation missing(const std::string& call) {
  return {.change = {.file = "k/reader.cpp", .line = 16, .from = {}, .to = {}, .rule = "delete"},
          .call = call,
          .lines = {16},
          .around = {15, 17}};
}
KernelMutation counted(const std::string& call) {
  KernelMutation m = missing(call);
  m.change.rule = "count";
  return m;
}
Judgement judged(const KernelMutation& mutation, int status, const std::string& output) {
  return judge(mutation, kKernels, {.ending = ending_of(status, output), .output = output});
}

TEST(Verdicts, KnowEndings) {
  EXPECT_EQ(ending_of(0, ""), Ending::kPassed);
  EXPECT_EQ(ending_of(1, ""), Ending::kWrongResult);
  EXPECT_EQ(ending_of(3, "x"), Ending::kFault);
  EXPECT_EQ(ending_of(2, "ring: nothing moves any more: x"), Ending::kHang);
  EXPECT_EQ(ending_of(4, "nothing moves any more: x"), Ending::kHang);
  EXPECT_EQ(ending_of(5, "the time limit came before the end"), Ending::kTimeLimit);
  EXPECT_EQ(ending_of(3, "k/a.cpp:3:5: error: 'x'"), Ending::kNotCompiled);
  EXPECT_EQ(ending_of(70, ""), Ending::kDefect);
  EXPECT_EQ(ending_of(-1, ""), Ending::kDefect);
}

TEST(Verdicts, SeparateFindings) {
  const std::string output =
      "w on s: wrong result\n  result 3 is wrong\n  in kernel_main (writer.cpp:9)\n"
      "  simulated time        39868 ns\n\n  phase    begin ns\n  warning: first\n    more\n"
      "  warning: second\n";
  EXPECT_EQ(findings_of({.ending = Ending::kWrongResult, .output = output}),
            (std::vector<std::string>{
                "w on s: wrong result\n  result 3 is wrong\n  in kernel_main (writer.cpp:9)",
                "  warning: first\n    more", "  warning: second"}));
  EXPECT_TRUE(
      findings_of({.ending = Ending::kPassed, .output = "ring: as it should be\n"}).empty());
}

TEST(Verdicts, NameTheLineOrItsNeighbor) {
  const std::string at = "  warning: a wait is missing\n  in kernel_main (k/reader.cpp:";
  EXPECT_EQ(judged(missing("x"), 0, at + "16)").verdict, Verdict::kNamed);
  EXPECT_EQ(judged(missing("x"), 0, at + "17)").verdict, Verdict::kNamed);
  EXPECT_EQ(judged(counted("x"), 0, at + "17)").verdict, Verdict::kPointed);
  EXPECT_EQ(judged(missing("x"), 0, at + "18)").verdict, Verdict::kPointed);
}

TEST(Verdicts, NameTheMissingCall) {
  EXPECT_EQ(judged(missing("cb_push_back"), 1, "NCRISC (reader.cpp) has pushed none").verdict,
            Verdict::kNamed);
  EXPECT_EQ(judged(missing("cb_push_back"), 1, "NCRISC (writer.cpp) has pushed none").verdict,
            Verdict::kWrongSilent);
}

TEST(Verdicts, NameTheCallThatATextAsksFor) {
  const std::string text = "Add a noc_semaphore_wait.\n  in kernel_main (reader.cpp:40)";
  EXPECT_EQ(judged(missing("noc_semaphore_wait_min"), 1, text).verdict, Verdict::kNamed);
  EXPECT_EQ(judged(missing("noc_semaphore_set"), 1, text).verdict, Verdict::kPointed);
  KernelMutation swapped = counted("cb_wait_front");
  swapped.other = "noc_semaphore_wait";
  EXPECT_EQ(judged(swapped, 1, text).verdict, Verdict::kNamed);
}

TEST(Verdicts, NameAnInitByWhatItDoes) {
  const std::string text = "an init function is missing\n  in kernel_main (reader.cpp:40)";
  EXPECT_EQ(judged(missing("mm_init"), 3, text).verdict, Verdict::kNamed);
  EXPECT_EQ(judged(missing("cb_push_back"), 3, text).verdict, Verdict::kPointed);
}

TEST(Verdicts, OfHangsDependOnTheirFirstLine) {
  const std::string victim =
      "nothing moves any more: BRISC in kernel_main (writer.cpp:4) waits for 1 page; ";
  const Judgement named =
      judged(missing("cb_push_back"), 4, victim + "NCRISC (reader.cpp) has pushed none");
  EXPECT_EQ(named.verdict, Verdict::kNamed);
  EXPECT_TRUE(named.hangs && named.first_line_names);
  const Judgement later =
      judged(missing("cb_push_back"), 4, victim + "0 are there\n  NCRISC in (reader.cpp:17) waits");
  EXPECT_EQ(later.verdict, Verdict::kNamed);
  EXPECT_FALSE(later.first_line_names);
  EXPECT_EQ(judged(missing("cb_push_back"), 4, victim + "0 are there").verdict, Verdict::kPointed);
  EXPECT_EQ(judged(missing("cb_push_back"), 4, victim + "NCRISC (writer.cpp:9) has ended").verdict,
            Verdict::kElsewhere);
  // The word of the victim's own wait is no cause.
  EXPECT_EQ(judged(missing("cb_wait_front"), 4,
                   "nothing moves any more: in (reader.cpp:40) cb_wait_front waits; none")
                .verdict,
            Verdict::kPointed);
}

/// ring.cpp includes link.h: both are code of one kernel.
TEST(Verdicts, CountFilesOfOneKernelAsOne) {
  KernelMutation m = missing("wait_arrivals");
  m.change.file = "k/link.h";
  const std::string text = "Expected a wait_arrivals before.\n  in apply (writer.cpp:40)";
  EXPECT_EQ(judged(m, 1, text).verdict, Verdict::kElsewhere);
  m.includers = {"writer.cpp"};
  EXPECT_EQ(judged(m, 1, text).verdict, Verdict::kNamed);
  EXPECT_EQ(judged(m, 1, "in apply (writer.cpp:40)").verdict, Verdict::kPointed);
  m.includers = {};
  m.included = {"writer.cpp"};
  EXPECT_EQ(judged(m, 1, "in apply (writer.cpp:40)").verdict, Verdict::kWrongSilent);
}

TEST(Verdicts, SeeSilence) {
  EXPECT_EQ(judged(missing("x"), 0, "w on s: passed\n").verdict, Verdict::kSilent);
  EXPECT_EQ(judged(missing("x"), 1, "w on s: wrong result\n").verdict, Verdict::kWrongSilent);
  EXPECT_EQ(judged(missing("x"), 0, "warning: in kernel_main (writer.cpp:3)").verdict,
            Verdict::kElsewhere);
  // Lines of the API are nobody's.
  EXPECT_EQ(judged(missing("x"), 1, "in noc_async_read (dataflow_api.h:3)").verdict,
            Verdict::kWrongSilent);
  EXPECT_EQ(judged(missing("x"), 70, "defect of the platform: x").verdict, Verdict::kDefect);
}

}  // namespace
}  // namespace tvp::mutation
