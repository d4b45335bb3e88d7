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
            "initialized (an atomic that (6, 7) of NoC 1 sent, by NCRISC at pc 0x5120). Expected a "
            "semaphore. Initialize the word, or check the address and the coordinates.");
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
