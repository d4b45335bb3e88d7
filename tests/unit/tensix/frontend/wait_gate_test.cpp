// Wait gates, with times by hand from ISA STALLWAIT.md, SEMWAIT.md and ScalarUnit.md. An
// instruction that a core pushes at cycle p passes the expanders at p + 1 and p + 2, and the gate
// at p + 3 at the earliest.

#include "tests/support/fault_of.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

using Times = std::vector<Cycle>;
constexpr unsigned kC7 = 1U << 7, kC10 = 1U << 10, kC14 = 1U << 14;

TEST(WaitGate, MetConditionBlocksForOneCycle) {
  Bench bench;
  bench.push(1, 0, {op::encode_stallwait(kBlockMatrix, kC7), mvmul()});
  bench.run(100);
  // The wait is latched at 3 and met at 4, and the block is removed at 5.
  EXPECT_EQ(bench.matrix.times(), (Times{5}));
}

TEST(WaitGate, WaitsForPipelineAndOneCycleMore) {
  Bench bench;
  bench.vector.latency = 5;
  bench.push(1, 0, {sfpnop(), op::encode_stallwait(kBlockMatrix, kC14), mvmul(), sfpnop()});
  bench.run(100);
  // The vector instruction 3..7 leaves the pipeline at 8; the block is removed at 9.
  EXPECT_EQ(bench.matrix.times(), (Times{9}));
  EXPECT_EQ(bench.vector.times(), (Times{3, 10}));
}

/// The table of STALLWAIT.md: for an instruction of each unit, the bits of the block mask that hold
/// it back.
TEST(WaitGate, BlockBitsAreThoseOfThePage) {
  using O = regs::tensix::Opcode;
  const std::pair<O, std::vector<unsigned>> rows[] = {
      {O::kSetadc, {0}},      {O::kSetdvalid, {0}}, {O::kSempost, {1}},      {O::kAtgetm, {1}},
      {O::kPacr, {0, 2}},     {O::kUnpacr, {0, 3}}, {O::kXmov, {0, 4}},      {O::kAtswap, {0, 5}},
      {O::kStorereg, {0, 5}}, {O::kMvmul, {6}},     {O::kCleardvalid, {6}},  {O::kSetc16, {7}},
      {O::kRdcfg, {7}},       {O::kSfpmad, {8}},    {O::kSfploadmacro, {8}}, {O::kNop, {}}};
  for (const auto& [opcode, bits] : rows) {
    const auto instruction = static_cast<std::uint32_t>(opcode) << 24;
    for (unsigned bit = 0; bit < 9; ++bit)
      EXPECT_EQ(is_blocked_by(instruction, dispatch_of(instruction),
                              static_cast<std::uint16_t>(1U << bit)),
                std::ranges::count(bits, bit) != 0)
          << "opcode " << static_cast<unsigned>(opcode) << ", bit " << bit;
  }
}

TEST(WaitGate, OtherUnitsPass) {
  Bench bench;
  bench.vector.latency = 50;
  bench.push(1, 0,
             {sfpnop(), op::encode_stallwait(kBlockPack, kC14), mvmul(), nop(), pacr(1), mvmul()});
  bench.run(100);
  EXPECT_EQ(bench.matrix.times(), (Times{5, 55}));
  EXPECT_EQ(bench.packers.times(), (Times{54}));
}

TEST(WaitGate, OnlyOwnThreadsWorkCounts) {
  Bench bench;
  bench.vector.latency = 50;
  bench.push(0, 0, {sfpnop()});
  bench.push(1, 1, {op::encode_stallwait(kBlockMatrix, kC14), mvmul()});
  bench.run(100);
  EXPECT_EQ(bench.matrix.times(), (Times{6}));
}

TEST(WaitGate, EmptyMasksMeanMatrixUnitAndC0ToC6) {
  Bench bench;
  bench.packers.latency = 20;
  bench.push(2, 0, {pacr(8), op::encode_stallwait(0, 0), sfpnop(), mvmul()});
  bench.run(100);
  EXPECT_EQ(bench.vector.times(), (Times{5}));
  EXPECT_EQ(bench.matrix.times(), (Times{24}));
}

TEST(WaitGate, PackerMaskSelectsPipelines) {
  Bench bench;
  bench.packers.latency = 30;
  // Packers 0 and 1 work. Waiting for packer 2 takes no time, waiting for packer 1 does.
  bench.push(2, 0,
             {pacr(3), op::encode_stallwait(kBlockMatrix, 1U << 5), mvmul(),
              op::encode_stallwait(kBlockMatrix, 1U << 4), mvmul()});
  bench.run(100);
  EXPECT_EQ(bench.matrix.times(), (Times{6, 34}));
}

TEST(WaitGate, ALatchedWaitBlocksStallwaitButNotSemwait) {
  Bench bench;
  bench.vector.latency = 20;
  bench.push(1, 0,
             {sfpnop(), op::encode_stallwait(kBlockPack, kC14),
              op::encode_stallwait(kBlockVector, kC14), mvmul()});
  bench.run(100);
  // Both leave the pipeline at 23, and the block is removed at 24: the second STALLWAIT passes
  // then.
  EXPECT_EQ(bench.matrix.times(), (Times{25}));

  Bench other("other");
  other.vector.latency = 20;
  // SEMWAIT without B1 in the latched mask replaces the wait (SEMWAIT.md warns of it).
  other.push(1, 0,
             {sfpnop(), op::encode_stallwait(kBlockMatrix, kC14),
              op::encode_semwait(kBlockPack, 1, 1), mvmul()});
  other.run(100);
  EXPECT_EQ(other.matrix.times(), (Times{6}));
}

// ISA BlackholeA0 STALLWAIT.md
TEST(WaitGate, BlackholeNumbersConditionsForOnePacker) {
  const auto blocked = [](const char* name, unsigned condition, FakeUnit Bench::*unit,
                          std::uint32_t instruction) {
    Bench bench(name, Units::kFake, Generation::kBlackhole);
    (bench.*unit).latency = 30;
    bench.push(2, 0, {instruction, op::encode_stallwait(kBlockVector, condition), sfpnop()});
    bench.run(100);
    return bench.vector.times().back() > 30;
  };
  EXPECT_TRUE(blocked("c1", 1U << 1, &Bench::unpacker0, op::word(op::Opcode::kUnpacr)));
  EXPECT_TRUE(blocked("c3", 1U << 3, &Bench::packers, pacr(8)));
  EXPECT_TRUE(blocked("empty", 0, &Bench::packers, pacr(8)));
  EXPECT_TRUE(blocked("c4", 1U << 4, &Bench::matrix, mvmul()));
  EXPECT_FALSE(blocked("c7", 1U << 9, &Bench::matrix, mvmul())) << "the mover";
  EXPECT_FALSE(blocked("c5", 1U << 5, &Bench::packers, pacr(2)));

  Bench bench("c11", Units::kFake, Generation::kBlackhole);
  bench.vector.latency = 30;
  bench.push(1, 0, {sfpnop(), op::encode_stallwait(kBlockMatrix, 1U << 11), mvmul()});
  bench.run(100);
  EXPECT_GT(bench.matrix.times().front(), 30U);

  // C12 waits for the configuration unit, here for the WRCFG of another thread.
  const auto matrix_at = [](const char* name, unsigned condition) {
    Bench each(name, Units::kFake, Generation::kBlackhole);
    each.push(0, 0, {op::encode_wrcfg(0, 0, 2), op::encode_wrcfg(0, 0, 2)});
    each.push(1, 0, {op::encode_stallwait(kBlockMatrix, condition), mvmul()});
    each.run(100);
    return each.matrix.times().front();
  };
  EXPECT_GT(matrix_at("c12", 1U << 12), matrix_at("c10", 1U << 10));
}

TEST(WaitGate, BlackholesSemwaitDoesNotReplaceALatchedWait) {
  Bench bench("coprocessor", Units::kFake, Generation::kBlackhole);
  bench.vector.latency = 20;
  bench.push(1, 0,
             {op::encode_seminit(2, 1, 1), sfpnop(), op::encode_stallwait(kBlockMatrix, 1U << 11),
              op::encode_semwait(kBlockPack, 1, 1), mvmul()});
  bench.run(100);
  EXPECT_GT(bench.matrix.times().front(), 20U);
}

TEST(WaitGate, NopIsBlockedByAFullMaskOnly) {
  Bench bench;
  bench.vector.latency = 20;
  bench.push(1, 0, {sfpnop(), op::encode_stallwait(0x1FE, kC14), nop(), mvmul()});
  bench.run(100);
  EXPECT_EQ(bench.coprocessor.issue().counters().issued(1, 0x02), 1U);
  EXPECT_EQ(bench.matrix.times(), (Times{24}));

  Bench full("full");
  full.vector.latency = 20;
  full.push(1, 0, {sfpnop(), op::encode_stallwait(0x1FF, kC14), nop(), mvmul()});
  full.run(24);
  EXPECT_EQ(full.coprocessor.issue().counters().issued(1, 0x02), 0U);
  full.run(100);
  EXPECT_EQ(full.matrix.times(), (Times{25}));
}

TEST(WaitGate, SemwaitSeesPostOfAnotherThread) {
  Bench bench;
  bench.push(0, 0, {op::encode_semwait(kBlockMatrix, 1, 1), mvmul()});
  bench.push(1, 10, {op::encode_sempost(1)});
  bench.run(100);
  // SEMPOST passes its gate at 13; value 1 is seen at 14, block removed at 15.
  EXPECT_EQ(bench.matrix.times(), (Times{15}));
}

TEST(WaitGate, SemwaitSeesPostOfACore) {
  Bench bench;
  bench.push(0, 0, {op::encode_seminit(1, 1, 1), op::encode_semwait(kBlockMatrix, 1, 2), mvmul()});
  bench.at(2, 20, [&](Cycle now) {
    support::MmioAccess get{.write = true, .data = 1, .now = now, .order = 4};
    bench.coprocessor.windows().access_semaphore(0, get);
  });
  bench.run(100);
  // Max 1: waits while Value >= 1. The core acts after the coprocessor at 20, which is seen at 21.
  EXPECT_EQ(bench.matrix.times(), (Times{22}));
}

TEST(WaitGate, MetWaitIsForgottenEvenIfNothingWaits) {
  Bench bench;
  bench.push(0, 0, {op::encode_semwait(kBlockMatrix, 1, 1)});
  bench.push(1, 10, {op::encode_sempost(1), nop(), op::encode_semget(1)});
  bench.push(0, 30, {mvmul()});
  bench.run(100);
  EXPECT_EQ(bench.coprocessor.backend().sync().semaphore(0).value, 0);
  EXPECT_EQ(bench.matrix.times(), (Times{33}));
}

TEST(WaitGate, SrcBankConditions) {
  Bench bench;
  bench.push(0, 0, {op::encode_stallwait(kBlockMatrix, kC10), mvmul()});
  bench.push(1, 10, {op::encode_setdvalid(0, 1)});
  bench.run(100);
  // SETDVALID at 13 passes the bank from 14 on; the block is removed at 15.
  EXPECT_EQ(bench.matrix.times(), (Times{15}));
}

TEST(WaitGate, ScalarUnitHoldsItsThreadAndOthersAtItsDoor) {
  Bench bench;
  bench.push(0, 0, {op::encode_adddmareg(0, 1, 8, 0), mvmul()});  // two groups: 4 cycles
  bench.push(1, 0, {op::encode_dmanop(), mvmul()});
  bench.push(2, 0, {sfpnop(), sfpnop()});
  bench.run(100);
  EXPECT_EQ(bench.matrix.seen, (std::vector<FakeUnit::Seen>{{mvmul(), 0, 7}, {mvmul(), 1, 8}}));
  EXPECT_EQ(bench.vector.times(), (Times{3, 4}));
}

TEST(WaitGate, ThreadsTakeTurnsAtAUnit) {
  Bench bench;
  for (unsigned t = 0; t < 3; ++t) bench.push(t, 0, {mvmul(t), mvmul(t), mvmul(t)});
  bench.run(100);
  std::vector<unsigned> threads;
  for (const auto& each : bench.matrix.seen) threads.push_back(each.thread);
  EXPECT_EQ(threads, (std::vector<unsigned>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(bench.matrix.times(), (Times{3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(WaitGate, ThreeThreadsIssueInOneCycle) {
  Bench bench;
  bench.push(0, 0, {unpacr(0)});
  bench.push(1, 0, {mvmul()});
  bench.push(2, 0, {pacr(15)});
  bench.run(100);
  EXPECT_EQ(bench.unpacker0.times(), (Times{3}));
  EXPECT_EQ(bench.matrix.times(), (Times{3}));
  EXPECT_EQ(bench.packers.times(), (Times{3}));
}

TEST(WaitGate, UnpackersAreTwoUnits) {
  Bench bench;
  bench.unpacker0.occupancy = 10;
  bench.push(0, 0, {unpacr(0), unpacr(1), unpacr(0)});
  bench.run(100);
  EXPECT_EQ(bench.unpacker0.times(), (Times{3, 13}));
  EXPECT_EQ(bench.unpacker1.times(), (Times{4}));
}

TEST(WaitGate, RetryIsMadeAtTheAnnouncedCycleOnly) {
  Bench bench;
  bench.matrix.not_before = 1000000;
  bench.push(1, 0, {mvmul()});
  bench.run(2000000);
  EXPECT_EQ(bench.matrix.times(), (Times{1000000}));
  EXPECT_EQ(bench.matrix.offers, 2U);
  EXPECT_LT(bench.coprocessor.issue().counters().active_cycles(), 10U);
}

TEST(WaitGate, BlockedThreadTriesAgainAfterAChange) {
  Bench bench;
  bench.matrix.blocked = true;
  bench.push(1, 0, {mvmul()});
  bench.at(0, 5000, [&](Cycle now) {
    bench.matrix.blocked = false;
    support::MmioAccess post{.write = true, .now = now, .order = 2};
    bench.coprocessor.windows().access_semaphore(3, post);
  });
  bench.run(4000);
  EXPECT_EQ(bench.matrix.offers, 1U);
  EXPECT_EQ(bench.coprocessor.issue().next(), kNever);
  EXPECT_NE(
      bench.coprocessor.issue().inspector().waiting_for(1).find("MVMUL waits for matrix unit"),
      std::string::npos);
  bench.run(10000);
  EXPECT_EQ(bench.matrix.times(), (Times{5001}));
}

TEST(WaitGate, ReportNamesWhatIsWaitedFor) {
  Bench bench;
  bench.push(0, 0, {op::encode_semwait(kBlockMatrix, 0x20, 1), mvmul()});
  bench.push(1, 0, {op::encode_stallwait(kBlockMatrix, kC10), mvmul()});
  bench.push(2, 0, {op::encode_atgetm(2)});
  bench.push(2, 1, {nop()});
  bench.run(100);
  EXPECT_EQ(bench.coprocessor.issue().inspector().waiting_for(0),
            "MVMUL waits for SEMWAIT: semaphore 5 (0 of 0) to become nonzero");
  EXPECT_EQ(bench.coprocessor.issue().inspector().waiting_for(1),
            "MVMUL waits for STALLWAIT: SrcA bank for the matrix unit");
  EXPECT_EQ(bench.coprocessor.issue().inspector().waiting_for(2), "idle");
  bench.push(1, 101, {});
  bench.push(0, 101, {op::encode_sempost(0x20)});  // after the MVMUL, without effect
  bench.run(200);
  EXPECT_FALSE(bench.coprocessor.thread_idle(0));
}

TEST(WaitGate, UnmodelledInstructionStopsByName) {
  Bench bench;
  bench.push(0, 0, {0x22U << 24});
  EXPECT_TRUE(
      tvp::test::faults([&] { bench.run(100); }, foundation::FaultKind::kUnmodelled, {"CONV3S1"}));
}

TEST(WaitGate, DroppedOpcodeReachesNoUnit) {
  Bench bench;
  bench.coprocessor.issue().dropped().set(op::Opcode::kMvmul);
  bench.push(1, 0, {mvmul(), sfpnop(), mvmul()});
  bench.run(100);
  EXPECT_TRUE(bench.matrix.seen.empty());
  EXPECT_EQ(bench.vector.times(), (Times{4}));
  EXPECT_TRUE(bench.coprocessor.thread_idle(1));
}

TEST(WaitGate, OneInstructionCanBeDropped) {
  Bench bench;
  bench.coprocessor.issue().dropped().set(op::Opcode::kMvmul, 2);
  bench.matrix.not_before = 20;  // the first instruction is offered twice
  bench.push(1, 0, {mvmul(1), mvmul(2), mvmul(3)});
  bench.run(100);
  EXPECT_EQ(bench.matrix.seen, (std::vector<FakeUnit::Seen>{{mvmul(1), 1, 20}, {mvmul(3), 1, 22}}));
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
