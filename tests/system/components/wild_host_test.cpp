// A host that accesses BARs at random: windows, their configuration, the ARC and the iATU. Cores
// may start and fail; every access gets an answer.

#include <gtest/gtest.h>

#include "tensix_vp/systemc/board.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"

namespace {

using tensix_vp::Board;
using tvp::tests::RandomTraffic;
using tvp::tests::ReportRecorder;
using tvp::tests::TrafficRules;

constexpr std::uint64_t kMiB = 1 << 20;

TrafficRules wild_rules() {
  const std::uint64_t bar0 = Board::bar(0, 0);
  TrafficRules rules;
  rules.wild_writes = true;
  rules.wild = {{bar0, 2 * kMiB},
                {bar0, 512 * kMiB},
                {bar0 + 0x1FC00000, 0x600},     // configuration of the windows
                {bar0 + 0x1FE80000, 0x80000},   // CSM
                {bar0 + 0x1FF00000, 0x100000},  // registers of the ARC
                {Board::bar(0, 2), kMiB},
                {Board::bar(0, 2) + 0x1200, 0x1000},
                {Board::bar(0, 4), 32 * kMiB},
                {0, 8ULL << 32}};
  rules.maximal = 20'000;
  return rules;
}

TEST(WildHost, GetsAnAnswerToEachAccess) {
  ReportRecorder reports;
  const std::uint64_t count = tvp::test::fuzz_cases(3000);
  Board board("board");
  RandomTraffic host("host", wild_rules(), tvp::test::fuzz_seed(), count);
  host.socket.bind(board.pcie);
  // A core in an endless loop would keep sc_start() without a limit from returning.
  while (!host.finished() && !testing::Test::HasFailure()) {
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  }
  EXPECT_GT(host.counts().blocking, count / 5);
  EXPECT_GT(host.counts().refused, count / 20);
}

}  // namespace
