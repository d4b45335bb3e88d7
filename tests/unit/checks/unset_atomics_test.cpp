#include "platform/checks/noc/unset_atomics.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct UnsetAtomicsTest : testing::Test, RecordTest<UnsetAtomics> {
  ProbeEvent atomic{.kind = ProbeEvent::Kind::kRequest,
                    .agent = BusMaster::kNoc1,
                    .core = BusMaster::kNc,
                    .request = ProbeEvent::Request::kAtomic,
                    .is_local = true,
                    .x0 = 3,
                    .y0 = 4,
                    .x1 = 6,
                    .y1 = 7,
                    .pc = 0x5120,
                    .address = 0x8002};
};

TEST_F(UnsetAtomicsTest, AnUnwrittenWordIsReportedWithTheSender) {
  feed(atomic);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).niu1: an atomic changes the word at 0x8000 of L1, which nothing has "
            "initialized. Expected a semaphore. Create or initialize it, or check the address and "
            "the coordinates. chip0.tensix(3,4).NCRISC sent it\n  in line 0x5120 of core 1");
}

TEST_F(UnsetAtomicsTest, ASemaphoreThatTheProgramLacksIsReported) {
  std::vector<std::uint8_t> zeros(0x9000);
  RecordTest<UnsetAtomics> bench(Waits::kFault, zeros);
  bench.checks->give({.what = "semaphore 3", .use = TileContext::Given::Use::kUnused}, 0x8000, 4);
  bench.feed({.kind = ProbeEvent::Kind::kWritten, .bytes = 0x20, .address = 0x8000});
  bench.feed(atomic);
  ASSERT_EQ(bench.warnings.size(), 1U);
  EXPECT_TRUE(bench.warnings[0].starts_with(
      "chip0.tensix(1,2).niu1: an atomic changes semaphore 3, which the program of this tile has "
      "not created. "))
      << bench.warnings[0];
  atomic.address = 0x8010;
  bench.feed(atomic);
  bench.feed({.kind = ProbeEvent::Kind::kProgramEnds});
  atomic.address = 0x8000;
  bench.feed(atomic);
  EXPECT_EQ(bench.warnings.size(), 1U);
}

TEST_F(UnsetAtomicsTest, WordsBelowStoresOfCoresOrWrittenByTheHostAreSet) {
  atomic.stored_end = 0x8001;
  feed(atomic);
  EXPECT_TRUE(warnings.empty());
  atomic.stored_end = 0x8000;
  feed({.kind = ProbeEvent::Kind::kWritten, .bytes = 4, .address = 0x8000});
  feed(atomic);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnsetAtomicsTest, OtherRequestsAndRegistersAreNotLookedAt) {
  ProbeEvent write = atomic, of_register = atomic;
  write.request = ProbeEvent::Request::kInlineWrite;
  of_register.is_local = false;
  feed(write);
  feed(of_register);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
