#include "models/support/unseen_answers.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace tvp::support {
namespace {

using Answer = UnseenAnswers::Kind;

struct UnseenAnswersTest : testing::Test, UnseenAnswers::Listener {
  UnseenAnswersTest() { answers.set_listener(this); }
  bool answered(unsigned niu, Answer kind, const UnseenAnswers::Command& command) override {
    told.emplace_back(niu, kind, command.core, command.pc);
    return forget;
  }
  UnseenAnswers answers;
  bool forget = false;
  std::vector<std::tuple<unsigned, Answer, BusMaster, std::uint32_t>> told;
};

TEST_F(UnseenAnswersTest, TheLastCommandOfItsKindIsTold) {
  answers.answered(BusMaster::kNoc1, Answer::kWrite);
  answers.started(BusMaster::kNoc1, Answer::kWrite, {BusMaster::kB, 0x20});
  answers.started(BusMaster::kNoc1, Answer::kWrite, {BusMaster::kB, 0x24});
  answers.answered(BusMaster::kNoc0, Answer::kWrite);
  answers.answered(BusMaster::kNoc1, Answer::kRead);
  EXPECT_TRUE(told.empty());
  answers.answered(BusMaster::kNoc1, Answer::kWrite);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], std::tuple(1U, Answer::kWrite, BusMaster::kB, 0x24U));
  forget = true;
  answers.answered(BusMaster::kNoc1, Answer::kWrite);
  answers.answered(BusMaster::kNoc1, Answer::kWrite);
  EXPECT_EQ(told.size(), 2U);
}

TEST_F(UnseenAnswersTest, WhoLooksAtACountHasSeenThoseOfItsKind) {
  for (const Answer kind : {Answer::kRead, Answer::kAtomic})
    answers.started(BusMaster::kNoc0, kind, {BusMaster::kNc, 0x20});
  answers.looked_at(BusMaster::kNoc0, Answer::kRead);
  answers.looked_at(BusMaster::kNoc1, Answer::kAtomic);
  answers.answered(BusMaster::kNoc0, Answer::kRead);
  EXPECT_TRUE(told.empty());
  answers.answered(BusMaster::kNoc0, Answer::kAtomic);
  EXPECT_EQ(told.size(), 1U);
  answers.looked_at_all(BusMaster::kNoc0);
  answers.answered(BusMaster::kNoc0, Answer::kAtomic);
  EXPECT_EQ(told.size(), 1U);
}

}  // namespace
}  // namespace tvp::support
