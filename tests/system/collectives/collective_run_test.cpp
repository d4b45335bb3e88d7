// Collectives of chips on the command line.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

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
  // Sizes of the table are too far apart for the first run, which adds one for the second.
  test::expect("run collective --set op=all_reduce,algo=auto,bytes=2K,tuning=" + file, 0,
               {"recursive_doubling: ", "measured, since estimates are near", ": passed"});
  test::expect("run collective --set op=all_reduce,algo=auto,bytes=1536,tuning=" + file, 0,
               {"tuner table for 1024 to 65536 bytes", ": passed"});
  // Larger sizes than those of the table are measured, not scaled from the largest.
  test::expect("collectives tune op=all_reduce bytes=256 tuning=" + file, 0,
               {"written to " + file});
  const test::Outcome beyond =
      test::vp("run collective --set op=all_reduce,algo=auto,bytes=40K,tuning=" + file);
  test::expect(beyond, "beyond the table", 0, {"by ring", "measured, since estimates", ": passed"});
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

/// The description of a system of small chips, in a file.
std::string small_chips(const std::string& kind, const std::string& shape, unsigned links = 1) {
  std::string file = testing::TempDir() + "small_" + kind + ".toml";
  std::ofstream(file) << "schema = 1\nname = \"small\"\n[topology]\nkind = \"" << kind
                      << "\"\nshape = [" << shape << "]\nlinks = " << links
                      << "\ndescription = \"small\"\n";
  return file;
}

/// A mesh of 2 x 2 is a torus whose axes have two ranks.
TEST(CollectiveRun, ATorusRunsOnChipsAndUnits) {
  for (const char* op : {"all_reduce", "all_gather", "reduce_scatter"}) {
    test::expect("run collective --system " + small_chips("mesh", "2, 2") +
                     " --set bytes=8004,algo=torus,op=" + op,
                 0, {"torus N=4 2x2 on a mesh of 2 x 2", ": passed"});
    test::expect("run collective --system " + small_chips("torus", "3, 4") +
                     " --set bytes=8004,algo=torus,op=" + op,
                 0, {"torus N=12 3x4 on a torus of 3 x 4", ": passed", "4 a rank"});
  }
  test::expect(
      "run collective --system " + small_chips("torus", "2, 3") + " --set bytes=8004,algo=torus", 0,
      {"torus N=6 2x3 on a torus of 2 x 3", ": passed"});
  test::expect(
      "run collective --system " + small_chips("torus", "3", 2) + " --set bytes=8004,algo=torus", 0,
      {"torus N=3 3 on a ring of 3", ": passed", "4 a rank"});
  test::expect("run collective --system pim_rank --set algo=torus,tiers=2x4x4,bytes=8004", 0,
               {"all_reduce torus N=32 2x4x4", ": passed"});
}

TEST(CollectiveRun, RefusesATorusThatIsNone) {
  test::expect("run collective --system t3000 --set algo=torus", 2,
               {"collective.algo: is torus for 8 ranks of a mesh of 2 x 4: expected all ranks of a "
                "ring or torus"});
  test::expect("run collective --set algo=torus,ranks=3", 2,
               {"is torus for 3 ranks of a ring of 4"});
  test::expect("run collective --set algo=torus,tiers=2x2", 2,
               {"collective.tiers: is 2x2: the system is a ring of 4, expected its axes"});
  test::expect("run collective --system pim_star --set algo=torus,tiers=3x3", 2,
               {"axes of 9 ranks: expected 8"});
  test::expect("run collective --system pim_star --set algo=torus", 2, {"no axes: expected"});
}

TEST(CollectiveRun, RefusesKeysWithoutEffect) {
  const auto refused = [](const std::string& settings, const char* key, const char* expected) {
    test::expect("run collective --set bytes=1K," + settings, 2,
                 {std::string("collective.") + key, "has no effect", expected});
  };
  const std::string file = std::string("schedule=") + TVP_SOURCE_FOLDER +
                           "/sw/collectives/examples/all_reduce_ring_4.xml,";
  refused(file + "op=broadcast", "op", "expected collective.schedule=");
  refused(file + "algo=tree", "algo", "expected collective.schedule=");
  refused(file + "segments=8", "segments", "with collective.schedule");
  refused(file + "tiers=2x2", "tiers", "expected collective.algo=hierarchy|torus");
  refused("algo=auto,segments=4", "segments", "expected collective.algo!=auto|all");
  refused("algo=auto,variant=search", "variant", "expected collective.algo!=auto|all");
  refused("buffer=3", "buffer", "expected collective.algo=pat");
  refused("both_ways=true", "both_ways", "expected collective.channels!=1");
  refused("inner=ring", "inner", "expected collective.algo=hierarchy");
  refused("root=2", "root", "expected collective.op=broadcast|reduce|");
  refused("peer=2", "peer", "expected collective.op=send_recv|all");
  refused("op=all_gather,redop=max", "redop", "expected collective.op=reduce|all_reduce|");
  refused("workers=3 --system pim_rank", "workers", "expected a system of chips");
}

TEST(CollectiveRun, BitwiseOperationsAreForIntegers) {
  for (const char* system : {"small_ring", "pim_star"})
    for (const char* redop : {"band", "bor", "bxor"})
      test::expect(std::string("run collective --set type=int32,bytes=12K,redop=") + redop +
                       " --system " + system,
                   0, {redop, ": passed"});
  test::expect("run collective --set redop=bor", 2,
               {"collective.redop: is bor, which fp32 lacks: expected type int32"});
  test::expect("run collective --system pim_star --set algo=inc,type=int32,redop=bxor", 2,
               {"collective.redop: is bxor, which the switch lacks"});
}

/// Each rank sends six chunks to the other one before it receives any.
TEST(CollectiveRun, AScheduleFileHasTheSlotsOfNccl) {
  std::string text = R"(<algo name="ahead" proto="LL" nchannels="1" nchunksperloop="6" ngpus="2"
 coll="custom" inplace="0">)";
  for (const int rank : {0, 1}) {
    const std::string other = std::to_string(1 - rank);
    text += "<gpu id=\"" + std::to_string(rank) +
            "\" i_chunks=\"6\" o_chunks=\"6\" s_chunks=\"0\"><tb id=\"0\" send=\"" + other +
            "\" recv=\"" + other + "\" chan=\"0\">";
    for (int step = 0; step < 12; ++step) {
      const std::string chunk = std::to_string(step % 6);
      text += "<step s=\"" + std::to_string(step) + "\" type=\"" + (step < 6 ? "s" : "r") +
              "\" srcbuf=\"i\" srcoff=\"" + chunk + "\" dstbuf=\"o\" dstoff=\"" + chunk +
              "\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>";
    }
    text += "</tb></gpu>";
  }
  const std::string file = testing::TempDir() + "ahead.xml";
  std::ofstream(file) << text << "</algo>\n";
  const std::string run = "run collective --system pair --set bytes=96K,schedule=" + file;
  test::expect(run, 0, {"a custom collective has no golden result", ": passed"});
  test::expect(run + ",slots=4", 2, {"deadlock: rank 0 lane 0 step 4"});
  test::expect("run collective --set slots=4", 2,
               {"collective.slots: has no effect: expected collective.schedule"});
}

/// Two ranks exchange and add one chunk on each channel. The slots of so many channels fit only in
/// slices that are shorter than a tile.
TEST(CollectiveRun, SlicesOfFilesMayBeShorterThanATile) {
  const auto file_of = [](unsigned channels) {
    std::string text = "<algo name=\"wide\" nchunksperloop=\"" + std::to_string(channels) +
                       "\" nchannels=\"" + std::to_string(channels) +
                       "\" ngpus=\"2\" coll=\"allreduce\" inplace=\"1\">\n";
    for (unsigned rank = 0; rank < 2; ++rank) {
      text += "<gpu id=\"" + std::to_string(rank) + "\" i_chunks=\"" + std::to_string(channels) +
              "\" o_chunks=\"0\" s_chunks=\"0\">";
      for (unsigned channel = 0; channel < channels; ++channel) {
        const std::string number = "\"" + std::to_string(channel) + "\"";
        const std::string peer = "\"" + std::to_string(1 - rank) + "\"";
        text += "<tb id=" + number + " send=" + peer + " recv=" + peer + " chan=" + number + ">";
        for (const char* type : {"s", "rrc"})
          text += std::string("<step s=\"") + (type[0] == 's' ? "0" : "1") + "\" type=\"" + type +
                  "\" srcbuf=\"i\" srcoff=" + number + " dstbuf=\"i\" dstoff=" + number +
                  " cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>";
        text += "</tb>";
      }
      text += "</gpu>";
    }
    std::string file = testing::TempDir() + "wide.xml";
    std::ofstream(file) << text << "</algo>\n";
    return file;
  };
  // Slices of two faces of 32-bit numbers, and of one face of either size.
  const std::pair<unsigned, const char*> cases[] = {
      {50, "type=fp32"}, {80, "type=fp32,redop=max"}, {80, "type=int32"}, {80, "type=bf16"}};
  for (const auto& [channels, type] : cases) {
    const std::string run = "run collective --system pair --set bytes=300K," + std::string(type) +
                            ",schedule=" + file_of(channels);
    const test::ReportedRun ended = test::run_with_report(run);
    ASSERT_EQ(ended.exit_code, 0) << type << ended.errors;
    EXPECT_EQ(ended.report.at("metrics").at("wrong").at("value").get<double>(), 0) << type;
    EXPECT_EQ(ended.report.at("metrics").at("slice").at("value").get<double>(),
              channels == 50 ? 2048 : 1024)
        << type;
  }
  test::expect("run collective --system pair --set schedule=" + file_of(300), 2,
               {"does not fit the", "300 connections need 3 slots of 1024 bytes each"});
}

TEST(CollectiveRun, PrintsContention) {
  const std::string two_levels = "pim.hierarchy=\"bank=1 chip=66\",switch.tree=\"33+33 2\"";
  const std::string systems[] = {"small_ring",
                                 "pim_rank",
                                 "pim_star",
                                 "pim_star --set algo=inc",
                                 "pim_star --set op=broadcast,algo=inc",
                                 "pim_star --set op=all_to_all,algo=inc",
                                 "pim_star --set op=all_to_all,algo=inc," + two_levels,
                                 small_chips("torus", "3, 3") + " --set algo=torus"};
  for (const std::string& system : systems) {
    const test::ReportedRun ended =
        test::run_with_report("run collective --set bytes=64K --system " + system);
    ASSERT_EQ(ended.exit_code, 0) << system << ended.errors;
    const auto value = [&](const char* name) {
      return ended.report.at("metrics").at(name).at("value").get<double>();
    };
    const double latency = value("n_alpha_ideal") * value("alpha_least");
    const double transfer = value("n_beta_ideal") * value("size") / value("port_rate") / 1000;
    EXPECT_GT(value("alpha_least"), 0) << system;
    EXPECT_LT(value("alpha_least"), value("time")) << system;
    EXPECT_NEAR(value("eta_alpha") * latency + transfer, value("time"), 0.01 * value("time"))
        << system;
    const bool overlaps =
        ended.report.at("remarks").dump().find("no eta_beta") != std::string::npos;
    EXPECT_EQ(ended.report.at("metrics").contains("eta_beta"), !overlaps) << system;
    if (overlaps) continue;
    EXPECT_NEAR(latency + transfer / value("eta_beta"), value("time"), 0.01 * value("time"))
        << system;
  }
}

TEST(CollectiveRun, ABroadcastHasBothFactorsOfBusbw) {
  const test::ReportedRun ended =
      test::run_with_report("run collective --set op=broadcast,bytes=16K");
  ASSERT_EQ(ended.exit_code, 0) << ended.errors;
  const auto value = [&](const char* name) {
    return ended.report.at("metrics").at(name).at("value").get<double>();
  };
  EXPECT_DOUBLE_EQ(value("busbw"), value("algbw"));
  EXPECT_NEAR(value("busbw_of_shares"), 0.75 * value("algbw"), 1e-6);
}

TEST(CollectiveRun, ChipsAverageIntegersAndFoldRanksThatAreNoPowerOfTwo) {
  test::expect("run collective --set op=all_reduce,algo=rabenseifner,ranks=3,type=int32,redop=avg",
               0, {"N=3", ": passed"});
}

}  // namespace
}  // namespace tvp
