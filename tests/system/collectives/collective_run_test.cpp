// Collectives of chips on the command line.

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/support/program.h"

namespace tvp {
namespace {

/// A mesh offers an order of ranks for rings, which these algorithms do not use.
TEST(CollectiveRun, AlgorithmsWithoutAnOrderOfRanksRunOnMeshes) {
  for (const char* settings :
       {"op=all_to_all,algo=pairwise", "op=all_to_all,algo=bruck", "op=all_gather,algo=pat"})
    test::expect(std::string("run collective --system t3000 --set bytes=4K,") + settings, 0,
                 {"N=8 on a mesh of 2 x 4", "collective on t3000: passed"});
}

/// The report lists ranks at the link with their steps first, then the ranks that wait for them.
TEST(CollectiveRun, ALinkThatBreaksInMidCollectiveIsNamedWithRankAndStep) {
  const test::Outcome hang = test::vp(
      "run collective --set bytes=64K,workers=1,ethernet.faults=chip1-chip2@20000 --max-time 10ms");
  test::expect(hang, "broken link", 4,
               {"all_reduce ring N=4 stands still:\n  rank 1: lane 0, step ",
                "out over ethernet channel 0 of device 1, which is broken since 20000 ns\n",
                "in over ethernet channel 0 of device 1, which is broken since 20000 ns",
                "link1.0-2.2 is broken since 20000 ns: "});
  EXPECT_EQ(hang.output.find("#wrong\n  "), std::string::npos) << hang.output;
}
TEST(CollectiveRun, AChipThatFailsEndsInAHangOfItsNeighbors) {
  test::expect("run collective --set bytes=64K,ethernet.faults=chip2@18000 --max-time 10ms", 4,
               {"from rank 2, to rank 0), in over ethernet channel 0 of device 2, which is broken "
                "since 18000 ns"});
}
/// A lost message is sent again.
TEST(CollectiveRun, ALinkThatComesBackCostsOnlyTime) {
  test::expect("run collective --set bytes=64K,ethernet.faults=chip0.0@18000+9000", 0,
               {"collective on small_ring: passed"});
}
TEST(CollectiveRun, RefusesToBreakALinkThatIsNotThere) {
  test::expect("run collective --set ethernet.faults=chip0-chip2@1", 2,
               {"ethernet.faults", "'chip0-chip2@1' is no link of the system"});
}

/// The proof of this schedule would take minutes.
TEST(CollectiveRun, AProgramThatNoMemoryHoldsIsRefusedBeforeItIsProved) {
  const std::string limited = "prlimit --cpu=60 " + std::string(test::kProgram);
  test::expect(test::execute(limited + " run collective --system pim_upmem_server"), "at once", 2,
               {"all_reduce ring N=2560: has 5119 steps on rank 0",
                "expected at most the 57344 bytes of working memory of a rank"});
}

/// Later runs choose by the measured times of all algorithms.
TEST(CollectiveRun, TheTunersTableIsChosenBy) {
  const std::string file = testing::TempDir() + "collective_run_tuning.json";
  std::remove(file.c_str());
  test::expect("collectives tune op=all_reduce bytes=1K:64K:*64 tuning=" + file, 0,
               {"all_reduce of 4 ranks, fp32", "rabenseifner", "fastest:", "written to " + file});
  test::expect("run collective --set op=all_reduce,algo=auto,bytes=2K,tuning=" + file, 0,
               {"tuner table for 1024 to 65536 bytes", ": passed"});
  // A table of another system is refused.
  test::expect("run collective --set op=all_reduce,algo=ring,tuning=" + file, 2,
               {"collective.tuning: has no effect: expected collective.algo=auto or all"});
  test::expect("run collective --system pair --set op=all_reduce,algo=auto,tuning=" + file, 2,
               {"was measured on another system"});
  test::expect("run collective --set op=all", 2, {"expected collective.algo=all"});
}

/// Chunks too long for the slots use several rounds. Lanes that share a connection must not take
/// messages of each other's next round.
TEST(CollectiveRun, LanesThatShareAConnectionKeepRoundsApart) {
  for (const char* variant : {"tie_split", "farthest_first"})
    test::expect(std::string("run collective --set op=all_to_all,algo=ring_relay,bytes=512K,"
                             "workers=1,variant=") +
                     variant,
                 0, {"rounds                4", "collective on small_ring: passed"});
  test::expect(
      "run collective --system pim_rank --set op=all_to_all,algo=ring_relay,ranks=8,"
      "variant=farthest_first,bytes=1M",
      0, {"collective on pim_rank: passed"});
}

/// Keys select tiers and orders of ranks.
TEST(CollectiveRun, TakesTiersAndOrdersOfRanks) {
  test::expect(
      "run collective --system t3000 --set 'algo=hierarchy,tiers=4x2,op=all_gather,"
      "inner=\"ring,recursive_doubling\",bytes=8K'",
      0, {"all_gather hierarchy N=8 4 ring 2 recursive_doubling", "collective on t3000: passed"});
  test::expect("run collective --system pim_rank --set order=hamiltonian:4x8,bytes=4K", 0,
               {"collective on pim_rank: passed"});
  test::expect("run collective --set ranks=4096", 2,
               {"collective.ranks", "is 4096, the system has 4"});
  test::expect("run collective --set algo=hierarchy", 2, {"expected 2 tiers or more"});
  test::expect("run collective --set algo=hierarchy,tiers=2xtwo", 2,
               {"collective.tiers", "'two': expected a number"});
  test::expect("run collective --set 'order=\"0,1,1,3\"'", 2, {"expected each of 0 to 3 once"});
}

TEST(CollectiveRun, ChipsAverageIntegersAndFoldRanksThatAreNoPowerOfTwo) {
  test::expect("run collective --set op=all_reduce,algo=rabenseifner,ranks=3,type=int32,redop=avg",
               0, {"N=3", ": passed"});
}

}  // namespace
}  // namespace tvp
