// Semaphores and mutexes (ISA SyncUnit.md, SEM*.md, AT*M.md).

#include "foundation/warning_sink.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

struct Warnings : foundation::StopOnFault, foundation::WarningSink {
  void warn(const foundation::Fault& fault) override { texts.emplace_back(fault.what()); }
  std::vector<std::string> texts;
};

unsigned value(Bench& bench, unsigned i) {
  return bench.coprocessor.backend().sync().semaphore(i).value;
}

TEST(SyncUnit, InitPostAndGetSaturate) {
  Bench bench;
  bench.push(0, 0,
             {op::encode_seminit(7, 14, 0x80), op::encode_seminit(0, 14, 0x02),
              op::encode_sempost(0x02), op::encode_sempost(0x02), op::encode_semget(0x81)});
  bench.run(50);
  EXPECT_EQ(value(bench, 1), 15U);
  EXPECT_EQ(bench.coprocessor.backend().sync().semaphore(7).max, 7);
  EXPECT_EQ(value(bench, 7), 13U);
  EXPECT_EQ(value(bench, 0), 0U) << "a get of an empty semaphore leaves it at zero";
}

TEST(SyncUnit, CoresPostWithEvenAndGetWithOddValues) {
  Bench bench;
  const auto store = [&](std::uint32_t data) {
    support::MmioAccess access{.write = true, .data = data, .now = 0, .order = 2};
    bench.coprocessor.windows().access_semaphore(4, access);
  };
  for (int i = 0; i < 20; ++i) store(2);
  EXPECT_EQ(value(bench, 4), 15U);
  store(1);
  store(3);
  support::MmioAccess load{.now = 0};
  bench.coprocessor.windows().access_semaphore(4, load);
  EXPECT_EQ(load.data, 13U);
  EXPECT_EQ(load.watch, support::Watch::kSemaphore);
  support::MmioAccess beyond{.now = 0};
  bench.coprocessor.windows().access_semaphore(8, beyond);
  EXPECT_TRUE(beyond.unmapped);
}

TEST(SyncUnit, BlackholeHasFourMutexes) {
  for (std::uint32_t mutex = 0; mutex < 8; ++mutex) {
    foundation::StopOnFault faults;
    SyncUnit unit("tile.sync", faults, Generation::kBlackhole);
    WaitLatch latch;
    if (mutex == 1 || mutex > 4) {
      EXPECT_THROW(unit.issue(op::encode_atgetm(mutex), 0, 1, latch), foundation::Fault) << mutex;
    } else {
      EXPECT_EQ(unit.issue(op::encode_atgetm(mutex), 0, 1, latch).kind, Issue::Kind::kStarted);
    }
  }
}

// Hardware counts up to 15, but other threads wait for a semaphore to fall below its maximum.
TEST(SyncUnit, APostBeyondTheMostIsToldOnce) {
  Warnings warnings;
  SyncUnit unit("tile.sync", warnings);
  WaitLatch latch;
  Cycle now = 0;
  const auto issue = [&](std::uint32_t instruction) {
    EXPECT_EQ(unit.issue(instruction, 1, ++now, latch).kind, Issue::Kind::kStarted);
  };
  issue(op::encode_sempost(0x08));  // the maximum is not set
  issue(op::encode_seminit(2, 0, 0x06));
  for (int i = 0; i < 2; ++i) issue(op::encode_sempost(0x06));
  EXPECT_TRUE(warnings.texts.empty());
  for (int i = 0; i < 2; ++i) issue(op::encode_sempost(0x02));
  ASSERT_EQ(warnings.texts.size(), 1u);
  EXPECT_NE(warnings.texts[0].find("a SEMPOST of T1 takes semaphore 1 beyond the 2"),
            std::string::npos)
      << warnings.texts[0];
  EXPECT_EQ(unit.semaphore(1).value, 4);
  unit.access_from_core(2, 0);
  ASSERT_EQ(warnings.texts.size(), 2u);
  EXPECT_NE(warnings.texts[1].find("the store of a core takes semaphore 2"), std::string::npos);
}

TEST(SyncUnit, OneSemaphoreInstructionACycle) {
  Bench bench;
  for (unsigned t = 0; t < 3; ++t) bench.push(t, 0, {op::encode_sempost(1U << t), mvmul(t)});
  bench.matrix.occupancy = 0;  // accepts all instructions
  bench.run(50);
  std::vector<Cycle> expected{4, 5, 6};  // posts at 3, 4, 5
  EXPECT_EQ(bench.matrix.times(), expected);
}

TEST(SyncUnit, DifferentMutexesInOneCycle) {
  Bench bench;
  for (unsigned t = 0; t < 3; ++t) bench.push(t, 0, {op::encode_atgetm(2 + t), mvmul(t)});
  bench.matrix.occupancy = 0;
  bench.run(50);
  EXPECT_EQ(bench.matrix.times(), (std::vector<Cycle>{4, 4, 4}));
}

TEST(SyncUnit, MutexGoesToTheNextThreadInTurn) {
  // T1 holds the mutex while T0 and T2 wait; T2 = (1 + 1) % 3 gets it first.
  Bench bench;
  bench.push(1, 0, {op::encode_atgetm(0)});
  bench.push(0, 10, {op::encode_atgetm(0), mvmul(0), op::encode_atrelm(0)});
  bench.push(2, 10, {op::encode_atgetm(0), mvmul(2), op::encode_atrelm(0)});
  bench.push(1, 40, {op::encode_atrelm(0)});
  bench.run(35);
  EXPECT_EQ(bench.coprocessor.backend().sync().mutex_holder(0), 1);
  EXPECT_EQ(bench.coprocessor.issue().inspector().waiting_for(0),
            "ATGETM waits for mutex 0, held by T1");
  EXPECT_EQ(bench.coprocessor.issue().next(), kNever);
  bench.run(200);
  // T1 releases at 43. T2 acquires at 44, issues at 45, releases at 46; T0 acquires at 47.
  EXPECT_EQ(bench.matrix.seen, (std::vector<FakeUnit::Seen>{{mvmul(2), 2, 45}, {mvmul(0), 0, 48}}));
  EXPECT_EQ(bench.coprocessor.backend().sync().mutex_holder(0), SyncUnit::kNobody);
}

TEST(SyncUnit, ReleaseByAnotherThreadChangesNothing) {
  Bench bench;
  bench.push(1, 0, {op::encode_atgetm(5), op::encode_atgetm(5)});
  bench.push(0, 10, {op::encode_atrelm(5)});
  bench.run(50);
  EXPECT_EQ(bench.coprocessor.backend().sync().mutex_holder(5), 1);
  EXPECT_TRUE(bench.coprocessor.thread_idle(0));
  EXPECT_TRUE(bench.coprocessor.thread_idle(1));
}

TEST(SyncUnit, MutexThatDoesNotExistIsAFault) {
  for (const unsigned index : {1U, 8U, 0xFFFFU}) {
    Bench bench;
    bench.push(0, 0, {op::encode_atgetm(index)});
    EXPECT_THROW(bench.run(50), foundation::Fault);
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
