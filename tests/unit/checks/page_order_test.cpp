#include "platform/checks/record/page_order.h"

#include <gtest/gtest.h>

namespace tvp::checks {
namespace {

struct PageOrderTest : testing::Test {
  PageOrderTest() {
    for (PageOrder::Count* count : {&pushes, &other}) count->begin(4);
  }
  PageOrder order;
  PageOrder::Count pushes, other;
};

TEST_F(PageOrderTest, APageWithoutAStepIsKnown) {
  EXPECT_EQ(pushes.pages(), 4U);
  for (std::uint32_t page = 0; page < 4; ++page)
    EXPECT_TRUE(order.knows(pushes, page, BusMaster::kT0));
}

TEST_F(PageOrderTest, AStepIsKnownToItsCoreAndToReadersOfTheCount) {
  order.step(pushes, 3, 2, BusMaster::kNc);
  EXPECT_TRUE(order.knows(pushes, 3, BusMaster::kNc));
  for (const std::uint32_t page : {3U, 0U})
    EXPECT_FALSE(order.knows(pushes, page, BusMaster::kT0)) << page;
  EXPECT_TRUE(order.knows(pushes, 1, BusMaster::kT0));
  order.read(pushes, 0, BusMaster::kT0);
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kT0));
  EXPECT_FALSE(order.knows(pushes, 0, BusMaster::kB));
  order.step(pushes, 1, 1, BusMaster::kNc);
  EXPECT_FALSE(order.knows(pushes, 1, BusMaster::kT0));
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kT0));
}

TEST_F(PageOrderTest, AReaderOfALaterCountKnowsTheStepsBeforeIt) {
  order.step(pushes, 0, 1, BusMaster::kNc);
  order.step(other, 0, 1, BusMaster::kNc);
  order.read(other, 0, BusMaster::kT0);
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kT0));
  order.step(pushes, 1, 1, BusMaster::kNc);
  order.read(other, 0, BusMaster::kT0);
  EXPECT_FALSE(order.knows(pushes, 1, BusMaster::kT0));
}

TEST_F(PageOrderTest, ACoreThatWaitsForAStepDoesNotKnowLaterOnes) {
  order.step(pushes, 0, 1, BusMaster::kNc);
  order.step(pushes, 1, 2, BusMaster::kNc);
  order.read(pushes, 0, BusMaster::kT0);
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kT0));
  EXPECT_FALSE(order.knows(pushes, 1, BusMaster::kT0));
  order.read(pushes, 1, BusMaster::kT0);
  EXPECT_TRUE(order.knows(pushes, 2, BusMaster::kT0)) << "the same step";
}

TEST_F(PageOrderTest, KnowledgeIsHandedOn) {
  order.step(pushes, 0, 1, BusMaster::kNc);
  order.read(pushes, 0, BusMaster::kT0);
  order.step(other, 0, 1, BusMaster::kT0);
  EXPECT_FALSE(order.knows(pushes, 0, BusMaster::kB));
  order.read(other, 0, BusMaster::kB);
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kB));
}

TEST_F(PageOrderTest, AgentsThatAreNoCoresKnowAllAndAreKnown) {
  order.step(pushes, 0, 1, BusMaster::kNoc0);
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kB));
  order.step(pushes, 0, 9, BusMaster::kB);
  EXPECT_TRUE(order.knows(pushes, 2, BusMaster::kE));
  EXPECT_FALSE(order.knows(pushes, 2, BusMaster::kT2));
  order.forget();
  pushes.begin(1);
  EXPECT_TRUE(order.knows(pushes, 0, BusMaster::kT2));
}

}  // namespace
}  // namespace tvp::checks
