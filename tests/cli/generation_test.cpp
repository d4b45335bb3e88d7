// Workloads on chips of another generation than Wormhole. Each compares its result with one that is
// computed another way.
#include "tests/support/program.h"

namespace tvp {
namespace {

class CliGeneration : public test::FolderTest {
 protected:
  static void runs(const std::vector<std::string>& workloads, const std::string& system) {
    for (const std::string& workload : workloads)
      test::expect("run " + workload + " --system " + system, 0, {system + ": passed"});
  }
};

TEST_F(CliGeneration, WorkloadsOfOneChipRunOnBlackhole) {
  runs({"dram_loopback", "dram_latency", "dram_bandwidth", "dram_crowd", "dram_remote",
        "dram_relay --set columns=4096", "noc_latency", "noc_bandwidth", "noc_exchange",
        "noc_multicast", "noc_pattern", "mux_bandwidth", "matmul", "matmul_tile", "tile_cycles",
        "prefetcher"},
       "bh_single");
}

TEST_F(CliGeneration, WorkloadsOfManyChipsRunOnBlackhole) {
  runs({"sdpa", "sdpa --lockstep", "collective", "ethernet_latency", "ethernet_bandwidth",
        "fabric_latency", "fabric_bandwidth", "fabric_ring", "parallel"},
       "bh_ring");
}

TEST_F(CliGeneration, CollectivesRunOnBlackhole) {
  for (const char* op :
       {"all_gather", "reduce_scatter", "all_reduce", "broadcast", "reduce",
        "all_to_all,algo=pairwise", "all_reduce,bytes=99992", "gather,algo=binomial"})
    test::expect(std::string("run collective --system bh_ring --set op=") + op, 0, {"passed"});
}

// Bursts of a write execute while its data arrive, so a controller without latency of its own may
// be done before it can answer. The chip's description sets this latency.
TEST_F(CliGeneration, AnswersOfWritesWithoutLatencyAreNotLost) {
  for (const char* system : {"single_chip", "bh_single"})
    test::expect(std::string("run dram_latency --system ") + system +
                     " --set dram_latency.transactions=16,dram_latency.rounds=25,"
                     "dram.banked_write_cycles=0",
                 0, {"passed"});
}

// Without a bank's number, the prefetcher has a sender for each bank of the chip.
TEST_F(CliGeneration, APrefetcherHasNoMoreSendersThanBanks) {
  test::expect("run prefetcher --system bh_single --set banks=9", 2,
               {"prefetcher.banks: 9; the chip has 8"});
}

}  // namespace
}  // namespace tvp
