#include "platform/checks/record/unseen_arrivals.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace tvp::checks {
namespace {

using ArrivalUse = UnseenArrivals::Use;

struct UnseenArrivalsTest : testing::Test, UnseenArrivals::Listener {
  UnseenArrivalsTest() { arrivals.set_listener(this); }
  void used_unannounced(const ArrivalUse& use, const UnseenArrivals::Arrival& arrival,
                        std::uint32_t signal) override {
    reported.emplace_back(use.kind, arrival.address, signal);
  }
  static ArrivalUse use(ArrivalUse::Kind kind, std::uint32_t address, std::uint32_t bytes,
                        std::uint32_t pc = 0x100) {
    return {kind, BusMaster::kNc, pc, address, bytes};
  }
  void load(std::uint32_t address, std::uint32_t pc = 0x100) {
    arrivals.loaded(use(ArrivalUse::Kind::kLoads, address, 4, pc));
  }
  void push(std::uint32_t address) {
    arrivals.pushes(use(ArrivalUse::Kind::kPushes, address, 0x800));
  }
  UnseenArrivals arrivals;
  std::vector<std::tuple<ArrivalUse::Kind, std::uint32_t, std::uint32_t>> reported;
};

TEST_F(UnseenArrivalsTest, APushOrSendWithoutAReadOfTheSignalIsReported) {
  for (const bool signaled : {false, true}) {
    reported.clear();
    arrivals.arrived({1, 2, 0x8000, 0x800});
    if (signaled) arrivals.signaled(0x40, 4);
    push(0x8800);
    EXPECT_TRUE(reported.empty());
    push(0x8000);
    ASSERT_EQ(reported.size(), 1U);
    EXPECT_EQ(reported[0], std::tuple(ArrivalUse::Kind::kPushes, 0x8000U, signaled ? 0x40U : 0U));
    push(0x8000);  // once
    EXPECT_EQ(reported.size(), 1U);
  }
  arrivals.arrived({1, 2, 0x8000, 0x800});
  arrivals.sends(use(ArrivalUse::Kind::kSends, 0x87F0, 0x20));
  EXPECT_EQ(std::get<0>(reported.back()), ArrivalUse::Kind::kSends);
}

TEST_F(UnseenArrivalsTest, ASignalAnnouncesEarlierData) {
  arrivals.signaled(0x40, 4);  // no data to announce
  arrivals.arrived({1, 2, 0x8000, 0x800});
  load(0x40);
  EXPECT_TRUE(arrivals.any());
  arrivals.signaled(0x40, 4);
  arrivals.arrived({1, 2, 0x9000, 0x800});
  EXPECT_EQ(arrivals.begin(), 0x40U);
  EXPECT_EQ(arrivals.end(), 0x9800U);
  load(0x44);
  EXPECT_EQ(arrivals.begin(), 0x40U);
  load(0x40);
  EXPECT_EQ(arrivals.begin(), 0x9000U);
  push(0x8000);
  EXPECT_TRUE(reported.empty());
  push(0x9000);
  EXPECT_EQ(reported.size(), 1U);
  EXPECT_FALSE(arrivals.any());
}

TEST_F(UnseenArrivalsTest, LoadsWordByWordAreReportedWhileTheSignalIsUnread) {
  arrivals.arrived({1, 2, 0x8000, 0x800});
  for (std::uint32_t i = 0; i < 6; ++i) load(0x8000 + 4 * i);
  EXPECT_TRUE(reported.empty());  // nothing announces it yet
  arrivals.signaled(0x40, 4);
  load(0x8100);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0], std::tuple(ArrivalUse::Kind::kLoads, 0x8000U, 0x40U));
}

TEST_F(UnseenArrivalsTest, DataWhoseOwnWordIsPolledNeedsNoSignal) {
  arrivals.arrived({1, 2, 0x8000, 0x800});
  arrivals.signaled(0x40, 4);
  load(0x87FC);
  load(0x87FC, 0x200);  // elsewhere: no poll
  EXPECT_TRUE(arrivals.any());
  load(0x87FC);
  EXPECT_FALSE(arrivals.any());
  push(0x8000);
  EXPECT_TRUE(reported.empty());
  // If a core has read the data itself, a push of it is not reported.
  arrivals.arrived({1, 2, 0x8000, 0x800});
  load(0x8000);
  push(0x8000);
  EXPECT_TRUE(reported.empty());
}

TEST_F(UnseenArrivalsTest, OtherWaysAnnounceAll) {
  arrivals.arrived({1, 2, 0x8000, 0x800});
  arrivals.arrived({3, 2, 0x9000, 0x800});
  arrivals.know_all();
  push(0x8000);
  push(0x9000);
  EXPECT_TRUE(reported.empty());
}

}  // namespace
}  // namespace tvp::checks
