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

}  // namespace
}  // namespace tvp
