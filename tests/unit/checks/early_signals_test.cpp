#include "platform/checks/noc/early_signals.h"

#include <gtest/gtest.h>

#include "foundation/regs/noc.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

/// Tile (1,2) writes data to (7,7) and signals (5,3); both have the check.
struct EarlySignalsTest : testing::Test, CheckBench {
  using Kind = ProbeEvent::Kind;
  using Request = ProbeEvent::Request;
  struct At {
    std::uint8_t x, y;
  };
  static constexpr At kData{7, 7}, kReader{5, 3}, kThird{4, 4};

  TileContext of(At at) {
    TileContext context = tile;
    context.x = at.x;
    context.y = at.y;
    context.where = "chip0.tensix(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")";
    context.cores = {};
    return context;
  }
  EarlySignalsTest() { tile.signals = &signals; }

  static ProbeEvent command(Request request, At to, std::uint32_t bytes, std::uint32_t pc) {
    return {.kind = Kind::kCommand,
            .agent = BusMaster::kNoc0,
            .core = BusMaster::kB,
            .request = request,
            .remote = ProbeEvent::Place::kTensix,
            .x0 = to.x,
            .y0 = to.y,
            .x1 = to.x,
            .y1 = to.y,
            .pc = pc,
            .bytes = bytes,
            .remote_address = 0x10000};
  }
  static ProbeEvent data(std::uint32_t bytes = 2048) {
    return command(Request::kWrite, kData, bytes, 0x10);
  }
  static ProbeEvent signal(At to, std::uint32_t pc = 0x20) {
    return command(Request::kAtomic, to, 0, pc);
  }
  static ProbeEvent read(std::uint32_t bytes = 64) {
    return command(Request::kRead, kData, bytes, 0x30);
  }
  static ProbeEvent counter(std::uint32_t index) {
    return {.kind = Kind::kCounterRead, .agent = BusMaster::kNoc0, .index = index};
  }
  static ProbeEvent arrives(At from) {
    return {.kind = Kind::kRequest,
            .request = Request::kAtomic,
            .is_local = true,
            .x0 = from.x,
            .y0 = from.y};
  }

  SignalledWrites signals{nullptr};
  TileContext reader_tile = of(kReader), third_tile = of(kThird);
  EarlySignals* make(TileContext& context) {
    context.signals = &signals;
    checks.push_back(std::make_unique<EarlySignals>(context));
    return checks.back().get();
  }
  std::vector<std::unique_ptr<EarlySignals>> checks;
  EarlySignals &sender = *make(tile), &reader = *make(reader_tile), &third = *make(third_tile);
};

TEST_F(EarlySignalsTest, AReadAfterASignalBeforeTheAnswerNamesTheSender) {
  sender.on(data());
  sender.on(counter(regs::noc::kMstNonpostedWrReqSent));  // a flush
  sender.on(signal(kReader));
  reader.on(arrives({1, 2}));
  reader.on(read());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: signals to tile (5,3) before its write of 2048 bytes to tile "
            "(7,7) at address 0x10000 is acknowledged, and tile (5,3) reads this data, which may "
            "not have arrived. Expected a noc_async_write_barrier between the write and the "
            "signal; a flush waits only for the source. Add one.\n  in line 0x20 of core 0\n  The "
            "write:\n  in line 0x10 of core 0\n  The read:\n  in line 0x30 of core 0");
  reader.on(read());
  EXPECT_EQ(warnings.size(), 1U) << "each pair of places once";
}

TEST_F(EarlySignalsTest, ABarrierOrderedTheSignal) {
  sender.on(data());
  sender.on(counter(regs::noc::kMstWrAckReceived));
  sender.on(signal(kReader));
  reader.on(read());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(EarlySignalsTest, ALaterSignalAfterABarrierEndsTheSuspicion) {
  sender.on(data());
  sender.on(signal(kReader));
  sender.on(counter(regs::noc::kMstWrAckReceived));
  sender.on(signal(kReader));
  reader.on(read());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(EarlySignalsTest, SignalsToTheDestinationFollowTheData) {
  sender.on(data());
  sender.on(signal(kData));
  reader.on(read());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(EarlySignalsTest, OnlyReadsOfTheDataCount) {
  sender.on(data());
  sender.on(signal(kReader));
  ProbeEvent behind = read();
  behind.remote_address += 2048;
  reader.on(behind);
  behind.remote_address = 0x10000 - 64;
  reader.on(behind);
  EXPECT_TRUE(warnings.empty());
  behind.remote_address += 1;
  reader.on(behind);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(EarlySignalsTest, ATileThatMayKnowOfTheDataEndsTheSuspicion) {
  sender.on(data());
  sender.on(signal(kReader));
  reader.on(arrives(kThird));
  reader.on(read());
  EXPECT_EQ(warnings.size(), 1U) << "nobody has signalled the third tile";
  third.on(arrives({1, 2}));
  reader.on(arrives(kThird));
  sender.on(signal(kReader, 0x24));
  reader.on(read());
  EXPECT_EQ(warnings.size(), 2U) << "the sender's next signal is as early";
  third.on(arrives({1, 2}));
  reader.on(arrives(kThird));
  sender.on(signal(kThird, 0x28));
  reader.on(read());
  EXPECT_EQ(warnings.size(), 2U);
}

TEST_F(EarlySignalsTest, SmallReadsMayPollAndTheEndOfAProgramOrdersAll) {
  sender.on(data(8));
  sender.on(signal(kReader));
  ProbeEvent flag = read(32);
  flag.remote_address = 0x20000;
  reader.on(flag);
  reader.on(read());
  EXPECT_TRUE(warnings.empty());
  sender.on(signal(kReader));
  reader.on({.kind = Kind::kProgramEnds});
  reader.on(read());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(EarlySignalsTest, AFewWritesInBetweenHideNone) {
  sender.on(data());
  for (int i = 0; i < 40; ++i) sender.on(command(Request::kWrite, kReader, 256, 0x14));
  sender.on(signal(kReader));
  reader.on(read());
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(EarlySignalsTest, ATileHearsSignalsPollsAndBeginsOfPrograms) {
  EarlySignals check(tile);
  EXPECT_EQ(signals.heard(tile.x, tile.y), 0U);
  EXPECT_GT(signals.heard(9, 9), signals.moment()) << "nothing is known of that tile";
  for (const ProbeEvent& event :
       {ProbeEvent{.kind = Kind::kRequest, .request = Request::kAtomic, .is_local = true},
        ProbeEvent{.kind = Kind::kCommand, .request = Request::kRead, .bytes = 4},
        ProbeEvent{.kind = Kind::kProgramEnds}}) {
    const std::uint64_t before = signals.moment();
    check.on(event);
    EXPECT_GT(signals.heard(tile.x, tile.y), before);
  }
  const std::uint64_t before = signals.heard(tile.x, tile.y);
  check.on({.kind = Kind::kRequest, .request = Request::kWrite, .is_local = true, .bytes = 2048});
  check.on(read(2048));
  EXPECT_EQ(signals.heard(tile.x, tile.y), before);
}

}  // namespace
}  // namespace tvp::checks
