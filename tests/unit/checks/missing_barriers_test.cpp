#include "platform/checks/noc/missing_barriers.h"

#include <gtest/gtest.h>

#include "foundation/regs/noc.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using Request = ProbeEvent::Request;

constexpr std::uint32_t kFirmware = 0x100, kKernel = 0x5000;

struct MissingBarriersTest : testing::Test, CheckTest<MissingBarriers> {
  void starts(Request request, std::uint32_t pc, BusMaster niu = BusMaster::kNoc0,
              bool is_posted = false, bool to_dram = false) {
    feed({.kind = ProbeEvent::Kind::kCommand,
          .agent = niu,
          .core = BusMaster::kB,
          .request = request,
          .remote = to_dram ? ProbeEvent::Place::kDram : ProbeEvent::Place{},
          .is_posted = is_posted,
          .pc = pc});
  }
  /// The core is in its firmware again.
  void answers(Request request, BusMaster niu = BusMaster::kNoc0, std::uint32_t pc = kFirmware) {
    feed({.kind = ProbeEvent::Kind::kAnswer,
          .agent = niu,
          .core = BusMaster::kB,
          .request = request,
          .pc = pc});
  }
  void looks_at(std::uint32_t counter, BusMaster niu = BusMaster::kNoc0) {
    feed({.kind = ProbeEvent::Kind::kCounterRead, .agent = niu, .index = counter});
  }
};

TEST_F(MissingBarriersTest, AnAnswerThatComesWhenTheKernelHasEndedIsReportedOnce) {
  starts(Request::kWrite, kKernel, BusMaster::kNoc1);
  starts(Request::kWrite, kKernel + 4, BusMaster::kNoc1);
  answers(Request::kWrite, BusMaster::kNoc0);
  answers(Request::kRead, BusMaster::kNoc1);
  EXPECT_TRUE(warnings.empty());
  answers(Request::kWrite, BusMaster::kNoc1);
  answers(Request::kWrite, BusMaster::kNoc1);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: its kernel ends before a write that it started on NoC 1 is "
            "answered. Expected a noc_async_write_barrier before the end. Add one.\n  in line "
            "0x5004 of core 0");
}

TEST_F(MissingBarriersTest, EachKindOfCommandHasItsBarrier) {
  const std::pair<Request, const char*> kinds[] = {
      {Request::kRead, "noc_async_read_barrier"},
      {Request::kInlineWrite, "noc_async_write_barrier"},
      {Request::kAtomic, "noc_async_atomic_barrier"}};
  for (const auto& [request, barrier] : kinds) {
    warnings.clear();
    starts(request, kKernel);
    answers(request == Request::kInlineWrite ? Request::kWrite : request);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find(barrier), std::string::npos) << warnings[0];
  }
}

TEST_F(MissingBarriersTest, RunningKernelsAndCommandsOfFirmwareAreRight) {
  starts(Request::kRead, kKernel);
  answers(Request::kRead, BusMaster::kNoc0, kKernel + 8);
  starts(Request::kWrite, kFirmware);
  answers(Request::kWrite);
  starts(Request::kAtomic, kKernel, BusMaster::kNoc0, true);
  answers(Request::kAtomic);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(MissingBarriersTest, AReadOfACounterCoversTheAnswersOfItsKind) {
  starts(Request::kRead, kKernel);
  starts(Request::kAtomic, kKernel);
  looks_at(regs::noc::kMstRdRespReceived);
  looks_at(regs::noc::kMstAtomicRespReceived, BusMaster::kNoc1);
  answers(Request::kRead);
  EXPECT_TRUE(warnings.empty());
  answers(Request::kAtomic);
  EXPECT_EQ(warnings.size(), 1U);
  starts(Request::kWrite, kKernel);
  looks_at(regs::noc::kMstWrAckReceived);
  answers(Request::kWrite);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(MissingBarriersTest, TheCountOfATransactionIdIsOfAllKinds) {
  for (const std::uint32_t counter :
       {regs::noc::kMstReqsOutstandingId, regs::noc::kMstWriteReqsOutgoingId - 1}) {
    starts(Request::kRead, kKernel);
    starts(Request::kWrite, kKernel);
    looks_at(counter);
    answers(Request::kRead);
    answers(Request::kWrite);
    EXPECT_TRUE(warnings.empty());
  }
  starts(Request::kRead, kKernel);
  looks_at(regs::noc::kMstWriteReqsOutgoingId);
  answers(Request::kRead);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(MissingBarriersTest, TwoCoresUseOneNiu) {
  const auto starts_by = [&](BusMaster core, std::uint32_t pc) {
    feed({.kind = ProbeEvent::Kind::kCommand, .core = core, .request = Request::kRead, .pc = pc});
  };
  const auto answers_to = [&](BusMaster core, std::uint32_t pc) {
    feed({.kind = ProbeEvent::Kind::kAnswer, .core = core, .request = Request::kRead, .pc = pc});
  };
  starts_by(BusMaster::kB, kKernel);
  starts_by(BusMaster::kNc, kKernel + 8);
  answers_to(BusMaster::kNc, kKernel + 12);
  EXPECT_TRUE(warnings.empty());
  answers_to(BusMaster::kB, kFirmware);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("BRISC"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("line 0x5000 of core 0"), std::string::npos) << warnings[0];
  answers_to(BusMaster::kNc, kFirmware);
  EXPECT_EQ(warnings.size(), 2U);
  // The counter is the sum for both cores.
  starts_by(BusMaster::kB, kKernel);
  starts_by(BusMaster::kNc, kKernel);
  looks_at(regs::noc::kMstRdRespReceived);
  answers_to(BusMaster::kB, kFirmware);
  answers_to(BusMaster::kNc, kFirmware);
  EXPECT_EQ(warnings.size(), 2U);
}

TEST_F(MissingBarriersTest, OnlyTensixTilesAreLookedAt) {
  tile.waits = TileContext::Waits::kOff;  // a key of another check
  EXPECT_NE(check.kinds(), 0U);
  tile.kind = TileContext::Kind::kEthernet;
  EXPECT_EQ(check.kinds(), 0U);
}

TEST_F(MissingBarriersTest, AnAnswerThatWasInTimeByLuckIsReportedAtTheEnd) {
  // The tile that gets data may signal that it has arrived. Only the host reads DRAM.
  starts(Request::kWrite, kKernel);
  answers(Request::kWrite, BusMaster::kNoc0, kKernel + 8);
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  EXPECT_TRUE(warnings.empty());
  starts(Request::kWrite, kKernel, BusMaster::kNoc0, false, true);
  answers(Request::kWrite, BusMaster::kNoc0, kKernel + 8);
  starts(Request::kWrite, kFirmware, BusMaster::kNoc1);
  starts(Request::kAtomic, kKernel);  // a signal of another tile may show its effect
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "chip0.tensix(1,2).BRISC: its kernel ends before a write that it started on NoC 0 is "
      "answered, "
      "and its answer was in time only by luck. Expected a noc_async_write_barrier"))
      << warnings[0];
}

}  // namespace
}  // namespace tvp::checks
