#include "platform/checks/coprocessor/dst_handover.h"

#include "tests/unit/checks/coprocessor/dst_bench.h"

namespace tvp::checks::dst_handover_test {
namespace {

const std::uint32_t kPack = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);
const std::string kAcquire = "A tile_regs_acquire is missing";
const std::string kWait = "A tile_regs_wait is missing";
const std::string kAhead = "packs rows of Dst that T1 has not committed";

struct DstHandoverTest : DstBench<DstHandover> {
  std::string step(std::uint32_t instruction, unsigned thread) {
    synchronize(instruction, thread);
    return found();
  }
  std::string pack(unsigned thread = 2, std::uint32_t instruction = kPack) {
    ++now;
    for (unsigned packer = 0; packer < 2; ++packer) {
      feed({.kind = Kind::kDstRead,
            .instruction = instruction,
            .thread = static_cast<std::uint8_t>(thread),
            .rows = 4,
            .units = 2,
            .cycle = now,
            .offered = {.instruction = instruction, .pc = 0x20, .thread = thread}});
    }
    const std::size_t findings = faults.size() + warnings.size();
    EXPECT_LE(findings, 1U) << "one for an instruction";
    return found();
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(DstHandoverTest, WarnsOfPacksAheadOfCommitsOnceBothThreadsKeepToIt) {
  init(2);
  EXPECT_EQ(pack(), "");
  EXPECT_EQ(step(kPost, 1), "");
  EXPECT_EQ(pack(), "");
  EXPECT_EQ(step(kGet, 2), "");
  EXPECT_EQ(pack(),
            "chip0.tensix(1,2).coprocessor.T2: " + op::disassemble(kPack) +
                " of T2 packs rows of Dst that T1 has not committed (semaphore 1 is 0): a wait is "
                "missing. T2 may pack only a part that T1 has committed. Call tile_regs_wait "
                "before pack_tile; thread T2, " +
                op::disassemble(kPack) + ", which its core pushed at pc 0x20\n");
  EXPECT_EQ(pack(1), "");
  // Zeros and a rest in the packer do not come from Dst.
  EXPECT_EQ(pack(2, op::encode_pacr(0, 1, 0xF, 0, 0, 0, 1)), "");
  EXPECT_EQ(pack(2, op::encode_pacr(0, 0, 0xF, 0, 0, 1, 1)), "");
  // A core has posted.
  feed({.kind = Kind::kSemaphore, .index = 1, .value = 1});
  EXPECT_EQ(pack(), "");
  feed({.kind = Kind::kSemaphore, .index = 1, .value = 0});
  EXPECT_TRUE(has(pack(), kAhead));
  init(2);
  EXPECT_EQ(pack(), "");
}

TEST_F(DstHandoverTest, LeavesOtherUsesOfTheSemaphoreAlone) {
  synchronize(op::encode_sempost(kMask << 1), 1, 2);
  synchronize(kGet, 2);
  EXPECT_EQ(pack(), "");
  synchronize(kPost, 0);
  EXPECT_EQ(pack(), "");
  synchronize(kPost, 1);
  synchronize(kGet, 1);
  synchronize(kGet, 1);
  EXPECT_EQ(pack(), "");
}

TEST_F(DstHandoverTest, WarnsOfStepsThatTheOtherThreadWaitsForAndThisOneDoesNot) {
  EXPECT_EQ(step(kPost, 1), "");  // no thread has waited yet
  init(2);
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(step(kWaitForResult, 2), "");
    EXPECT_EQ(step(kWaitForRoom, 1), "");
    EXPECT_FALSE(checks->probe().wants_math());
    EXPECT_EQ(step(kPost, 1), "");
    EXPECT_TRUE(checks->probe().wants_math());
    EXPECT_EQ(pack(), "");
    synchronize(kPost, 0);  // a part that is ready by chance
    synchronize(kPost, 1);
    found();
    EXPECT_EQ(step(kGet, 2), "");
    EXPECT_TRUE(has(pack(), kWait));
    EXPECT_EQ(pack(1), "");
  }
  const std::string acquire = step(kPost, 1);
  EXPECT_TRUE(has(acquire, ".coprocessor: SEMPOST")) << acquire;
  EXPECT_TRUE(has(acquire, "commits a part of Dst that T1 did not wait for")) << acquire;
  EXPECT_TRUE(has(acquire, kAcquire)) << acquire;
  const std::string wait = step(kGet, 2);
  EXPECT_TRUE(has(wait, ".coprocessor: SEMGET")) << wait;
  EXPECT_TRUE(has(wait, kWait)) << wait;
}

TEST_F(DstHandoverTest, WarnsOfResultsThatAreOnlyThereBeforeTheWait) {
  synchronize(kWaitForResult, 2);
  synchronize(kWaitForRoom, 1);
  synchronize(kPost, 1);
  const auto part = [&](bool before, bool behind) {
    if (before) {
      EXPECT_TRUE(result());
    }
    synchronize(kWaitForRoom, 1);
    EXPECT_EQ(checks->probe().wants_math(), before);
    if (behind) result();
    return has(step(kPost, 1), kAcquire);
  };
  EXPECT_FALSE(part(false, true));
  EXPECT_TRUE(part(true, false));
  EXPECT_FALSE(part(true, true));
  EXPECT_FALSE(part(false, false));
  // Results of other threads, and instructions of initialization, do not count.
  result(kResult, 0);
  result(op::encode_zeroacc(0, 3, 0, 0, 0));
  EXPECT_FALSE(part(false, false));
}

TEST_F(DstHandoverTest, AnInitBetweenAWaitAndItsStepIsNone) {
  synchronize(kWaitForResult, 2);
  synchronize(kWaitForRoom, 1);
  init(2);
  EXPECT_FALSE(checks->probe().wants_math());
  EXPECT_EQ(step(kPost, 1), "");
  EXPECT_EQ(step(kGet, 2), "");
}

TEST_F(DstHandoverTest, WaitsForSomethingElseAreNone) {
  synchronize(kWaitForResult, 2);
  synchronize(kWaitForResult, 1);
  synchronize(op::encode_semwait(1, kMask << 1, 2), 1, 2);
  EXPECT_TRUE(has(step(kPost, 1), kAcquire));
}

TEST_F(DstHandoverTest, WarnsAtTheEndOfAProgramOfPartsThatAreNotReleased) {
  const auto end = [&] {
    feed({.kind = Kind::kProgramEnds});
    return found();
  };
  synchronize(kWaitForRoom, 1);
  synchronize(kPost, 1);
  EXPECT_EQ(end(), "");  // T2 waits for no parts
  synchronize(kWaitForResult, 2);
  pack();
  EXPECT_EQ(end(),
            "chip0.tensix(1,2).coprocessor: the program has ended, but T2 has not released "
            "1 part of Dst that T1 has committed. Each tile_regs_commit needs a "
            "tile_regs_release: a tile_regs_release is missing. Call it after the last "
            "pack_tile of the part; thread T2, " +
                op::disassemble(kPack) + ", which its core pushed at pc 0x20\n");
  synchronize(kGet, 2);
  EXPECT_EQ(end(), "");
}

}  // namespace
}  // namespace tvp::checks::dst_handover_test
