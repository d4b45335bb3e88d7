// Reads at a NIU of a DRAM tile: few requests and responses in flight, in order.

#include <gtest/gtest.h>

#include "models/dram/dram_tile.h"
#include "tests/unit/noc/noc_bench.h"

namespace tvp::dram::read_crowd_test {
namespace {

using namespace regs::noc;  // register names
using noc::Command;
using noc::NocBench;
using noc::TestTile;
using support::Cycle;

const std::vector<std::pair<unsigned, unsigned>> kPlaces = {{9, 1}, {8, 1}, {1, 1}, {2, 1}};

/// Row 1 of a chip. The DRAM tile (0, 1) is between (9, 1), which sends requests over one link, and
/// (1, 1), which gets answers over one. (0, 5) is another DRAM tile farther down.
struct Bench : NocBench {
  Bench() : NocBench("row", "detailed", false, kPlaces) {
    for (const unsigned group : {0U, 1U}) {
      const std::string name = "row_dram" + std::to_string(group);
      dram.push_back(std::make_unique<DramTile>(name.c_str(), dram_config, noc::wormhole_grid(),
                                                config, group, calendar, faults, name));
      for (auto& torus : network) dram.back()->attach(*torus);
    }
  }
  DramConfig dram_config;
  std::vector<std::unique_ptr<DramTile>> dram;
};

Bench& bench() {
  static auto* the_bench = [] {
    auto* made = new Bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return made;
  }();
  return *the_bench;
}

class ReadCrowdTest : public ::testing::Test {
 protected:
  void TearDown() override {
    row.settle(300000);
    for (auto& network : row.network) EXPECT_NO_THROW(network->check_conservation());
    for (auto& tile : row.tiles) EXPECT_EQ(tile->open_transactions(), 0U) << tile->name();
  }

  static bool is_free(const TestTile& tile) { return tile.niu[0]->peek(kInitiatorStatus) == 0; }
  static std::uint32_t answers(const TestTile& tile) {
    return tile.niu[0]->counter(kMstRdRespReceived);
  }
  void read(TestTile& to, unsigned y, std::uint32_t address, std::uint32_t bytes) {
    Command c;
    c.ctrl = kCmdRd | kCmdRespMarked | kCmdVcStatic | 1U << 13;
    c.targ_lo = address;
    c.targ_mid = row.mid(0, 0, y);
    c.ret_lo = 0x2000;
    c.ret_mid = row.mid(0, to);
    c.at_len_be = bytes;
    row.issue(to, 0, 0, c);
  }
  /// Sends `most` reads of `bytes` from (0, 1), or as many as fit in `cycles`.
  unsigned flood(TestTile& tile, unsigned most, std::uint32_t bytes, Cycle cycles) {
    const Cycle end = row.calendar.now() + cycles;
    unsigned sent = 0;
    for (; row.calendar.now() < end; row.calendar.run_until(row.calendar.now() + 1)) {
      if (sent == most || !is_free(tile)) continue;
      read(tile, 1, sent++ * bytes, bytes);
    }
    return sent;
  }
  /// Writes 8 KiB from (9, 1) to (2, 1), past the DRAM tile, whenever possible.
  void keep_link_busy() {
    TestTile& from = row.at(9, 1);
    if (!is_free(from) || from.niu[0]->counter(kMstReqsOutstandingId) >= 4) return;
    Command c;
    c.ctrl = kCmdWr | kCmdRespMarked | kCmdVcStatic;
    c.targ_lo = 0x1000;
    c.targ_mid = row.mid(0, from);
    c.ret_lo = 0x4000;
    c.ret_mid = row.mid(0, row.at(2, 1));
    c.at_len_be = kMaxPacketBytes;
    row.issue(from, 0, 0, c);
  }
  void run_beside_writes(Cycle cycles) {
    const Cycle end = row.calendar.now() + cycles;
    while (row.calendar.now() < end) {
      keep_link_busy();
      row.calendar.run_until(row.calendar.now() + 1);
    }
  }
  /// Cycles until the answer to one read of 32 B from (0, 5) by (8, 1).
  Cycle read_elsewhere() {
    TestTile& tile = row.at(8, 1);
    const std::uint32_t before = answers(tile);
    const Cycle start = row.calendar.now();
    read(tile, 5, 0, 32);
    return row.run_until([&] { return answers(tile) != before; }, 100000) - start;
  }

  Bench& row = bench();
};

// mesham/tt-sim, dramratebench: tiles of a row that read one channel each delay each other.
TEST_F(ReadCrowdTest, RequestsThatDramHasNoRoomForHoldUpThoseBehindThem) {
  constexpr std::uint32_t kBytes = 4096;
  constexpr Cycle kCyclesEach = 170;  // lower bound at 24 B per cycle
  const Cycle alone = read_elsewhere();
  row.settle();

  const unsigned buffer = row.config.niu_buffer_flits;
  flood(row.at(9, 1), buffer, kBytes, 1500);
  EXPECT_LT(read_elsewhere(), alone + 100) << "what the NIU holds is out of the way";
  row.settle(20000);

  // These, the answers that it has requested, and the sixteen flits behind the link (9, 1) to (0,
  // 1).
  const unsigned more = buffer + row.config.dram_answer_flits / (kBytes / kFlitBytes) + 16;
  EXPECT_GE(flood(row.at(9, 1), 4 * buffer, kBytes, 3000), more);
  const Cycle behind = read_elsewhere();
  EXPECT_GT(behind, alone + 12 * kCyclesEach);
}

TEST_F(ReadCrowdTest, DramIsReadNoFurtherThanTheNetworkTakesAnswers) {
  constexpr std::uint32_t kBytes = 4096;
  TestTile& reader = row.at(1, 1);
  const noc::Niu& niu = row.dram[0]->niu(1, 0);
  ASSERT_EQ(niu.place().y, 1U);
  const std::uint32_t first = answers(reader);
  const std::uint32_t served = niu.counter(kSlvRdRespSent);
  unsigned sent = 0;
  unsigned most_held = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    if (is_free(reader) && sent < 60) read(reader, 1, sent++ * kBytes, kBytes);
    run_beside_writes(1);
    most_held =
        std::max(most_held, (niu.counter(kSlvRdRespSent) - served) - (answers(reader) - first));
  }
  EXPECT_GT(answers(reader) - first, 40U);
  // The link passes 16 of 24 B per cycle, so a third of all reads would wait.
  EXPECT_GE(most_held, 2U);
  EXPECT_LE(most_held, row.config.dram_answer_flits / (kBytes / kFlitBytes));
}

// ISA DRAMTile/README.md: AXI returns the data of one channel's requests in order.
TEST_F(ReadCrowdTest, AnAnswerLeavesBehindTheOneBefore) {
  run_beside_writes(3000);
  TestTile& longer = row.at(1, 1);
  TestTile& shorter = row.at(2, 1);
  const std::uint32_t before[] = {answers(longer), answers(shorter)};
  read(longer, 1, 0, kMaxPacketBytes);
  run_beside_writes(30);
  read(shorter, 1, 0x4000, 32);
  Cycle done[] = {0, 0};
  for (unsigned i = 0; i < 3000; ++i) {
    run_beside_writes(1);
    if (done[0] == 0 && answers(longer) != before[0]) done[0] = row.calendar.now();
    if (done[1] == 0 && answers(shorter) != before[1]) done[1] = row.calendar.now();
  }
  ASSERT_NE(done[0], 0U);
  ASSERT_NE(done[1], 0U);
  // In parallel, the short answer would arrive some 250 cycles before the other has passed the
  // link.
  constexpr Cycle kInRouter =
      40;  // sixteen flits of the longer one, of which every other is theirs
  EXPECT_GT(done[1] + kInRouter, done[0]);
}

}  // namespace
}  // namespace tvp::dram::read_crowd_test
