// Collectives of chips through the command line.

#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace tvp {
namespace {

/// A mesh offers an order of ranks for rings, which these algorithms have no use for.
TEST(CollectiveRun, AlgorithmsWithoutAnOrderOfRanksRunOnMeshes) {
  for (const char* settings :
       {"op=all_to_all,algo=pairwise", "op=all_to_all,algo=bruck", "op=all_gather,algo=pat"})
    test::expect(std::string("run collective --system t3000 --set bytes=4K,") + settings, 0,
                 {"N=8 on a mesh of 2 x 4", "collective on t3000: passed"});
}

/// The ranks at the link first, with their steps; of the rest who waits for them.
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
/// What was lost is sent again.
TEST(CollectiveRun, ALinkThatComesBackCostsOnlyTime) {
  test::expect("run collective --set bytes=64K,ethernet.faults=chip0.0@18000+9000", 0,
               {"collective on small_ring: passed"});
}
TEST(CollectiveRun, RefusesToBreakALinkThatIsNotThere) {
  test::expect("run collective --set ethernet.faults=chip0-chip2@1", 2,
               {"ethernet.faults", "'chip0-chip2@1' is no link of the system"});
}

}  // namespace
}  // namespace tvp
