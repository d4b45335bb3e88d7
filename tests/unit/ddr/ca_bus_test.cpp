#include "models/ddr/ca_bus.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/ddr/rank_control.h"
#include "tests/support/fault_of.h"

namespace tvp::ddr {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr MemCycle kRequest = 10;
constexpr unsigned kMailbox = 64;

class Channel : public ::testing::Test {
 protected:
  const dram::Timing& timing = dram::find_preset("ddr4_2400")->timing;
  foundation::StopOnFault faults;
  CaBus bus{timing, 4};
  RankControl control{bus, kRequest, kMailbox, "channel0", faults};

  MemCycle send(unsigned source, std::uint32_t ranks, const Bytes& data, MemCycle at) {
    return control.send(source, ranks, data.data(), data.size(), at);
  }
};

TEST_F(Channel, OneCommandASlot) {
  EXPECT_EQ(bus.issue(CaCommand::kActivate, 5), 5u);
  EXPECT_EQ(bus.issue(CaCommand::kRead, 5), 6u);
  EXPECT_EQ(bus.issue(CaCommand::kWrite, 6), 7u);
  EXPECT_EQ(bus.issue(CaCommand::kRefresh, 100), 100u);
  EXPECT_EQ(bus.stats().normal_slots, 4u);
  EXPECT_EQ(bus.stats().waited, 2u);
}

TEST_F(Channel, Ddr5TakesTwoSlotsForActivatesAndColumns) {
  CaBus ddr5(dram::find_preset("ddr5_4800")->timing, 1);
  EXPECT_EQ(ddr5.issue(CaCommand::kActivate, 0), 0u);
  EXPECT_EQ(ddr5.issue(CaCommand::kRead, 0), 2u);
  EXPECT_EQ(ddr5.issue(CaCommand::kPrecharge, 0), 4u);
  EXPECT_EQ(ddr5.issue(CaCommand::kWrite, 0), 5u);
}

// A request for a later slot leaves the earlier slots free.
TEST_F(Channel, LaterSlotsLeaveTheEarlierOnesFree) {
  EXPECT_EQ(bus.issue_pim(3, 100), 100u);
  EXPECT_EQ(bus.issue(CaCommand::kRead, 50), 50u);
  EXPECT_EQ(bus.issue_pim(2, 97), 97u);
  EXPECT_EQ(bus.issue_pim(2, 98), 103u) << "98 is taken, and 99 is too short";
  EXPECT_EQ(bus.issue(CaCommand::kRead, 98), 99u);
  EXPECT_EQ(bus.issue(CaCommand::kRead, 98), 105u);
}

TEST_F(Channel, RandomSlotsAreTheFirstFreeOnes) {
  std::mt19937 random(3);
  std::vector<bool> taken(6000);
  MemCycle now = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    now += random() % 3;
    const MemCycle earliest = now + (random() % 4 == 0 ? random() % 40 : 0);
    const auto words = static_cast<unsigned>(1 + random() % 2);
    MemCycle expected = earliest;
    const auto is_free = [&](MemCycle at) { return !taken[at] && (words == 1 || !taken[at + 1]); };
    while (!is_free(expected)) ++expected;
    ASSERT_EQ(bus.issue_pim(words, earliest), expected) << i;
    for (unsigned w = 0; w < words; ++w) taken[expected + w] = true;
  }
}

TEST_F(Channel, MessagesTakeAHeaderAndAWordForTwoBytes) {
  // Request, then 1 + 4 words.
  EXPECT_EQ(send(0, 0b0010, Bytes(8), 100), 100 + kRequest + 5);
  EXPECT_EQ(bus.stats().pim_slots, 5u);
  // An odd byte takes its own word; without data, only the header is sent.
  EXPECT_EQ(send(0, 0b0010, Bytes(3), 200), 200 + kRequest + 3);
  EXPECT_EQ(send(0, 0b0010, {}, 300), 300 + kRequest + 1);
}

TEST_F(Channel, MessagesWaitForNormalCommandsAndTheOtherWayRound) {
  for (unsigned i = 0; i < 20; ++i) bus.issue(CaCommand::kRead, 100);
  EXPECT_EQ(send(0, 0b0010, Bytes(8), 100), 120u + 5);
  EXPECT_EQ(bus.issue(CaCommand::kRead, 120), 125u);
}

TEST_F(Channel, OnlyAddressedRanksGetIt) {
  const Bytes data{1, 2, 3};
  const MemCycle at = send(2, 0b0011, data, 0);
  for (unsigned rank : {0U, 1U}) {
    EXPECT_FALSE(control.receive(rank, at - 1));
    const auto message = control.receive(rank, at);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->source, 2u);
    EXPECT_EQ(message->data, data);
    EXPECT_FALSE(control.receive(rank, at));
  }
  EXPECT_FALSE(control.receive(3, at));
  EXPECT_EQ(control.stats().broadcasts, 0u);
  control.broadcast(1, data.data(), data.size(), at);
  EXPECT_EQ(control.stats().broadcasts, 1u);
  EXPECT_TRUE(control.receive(3, at + 100));
  EXPECT_FALSE(control.receive(1, at + 100));
}

using Counts = std::vector<std::uint64_t>;

TEST_F(Channel, MessagesCountAtEachRankThatReceivesThem) {
  send(2, 0b0011, Bytes(3), 0);
  EXPECT_EQ(control.stats().messages, 1u);
  EXPECT_EQ(control.stats().bytes, 3u);
  EXPECT_EQ(control.stats().deliveries, (Counts{1, 1, 0, 0}));
  control.broadcast(1, Bytes(4).data(), 4, 100);
  EXPECT_EQ(control.stats().messages, 2u);
  EXPECT_EQ(control.stats().bytes, 7u);
  EXPECT_EQ(control.stats().deliveries, (Counts{2, 1, 1, 1}));
}

TEST_F(Channel, ReleasesOfBarriersCountAsBroadcasts) {
  for (unsigned rank = 0; rank < 4; ++rank) control.arrive(rank, BarrierScheme::kController, 50);
  EXPECT_EQ(control.stats().messages, 1u);
  EXPECT_EQ(control.stats().broadcasts, 1u);
  EXPECT_EQ(control.stats().bytes, 0u);
  EXPECT_EQ(control.stats().deliveries, (Counts{1, 1, 1, 1}));
  RankControl::Gathering two{.ranks = 0b0101};
  control.arrive(two, 0, BarrierScheme::kController, 100);
  control.arrive(two, 2, BarrierScheme::kController, 100);
  EXPECT_EQ(control.stats().broadcasts, 1u);
  EXPECT_EQ(control.stats().deliveries, (Counts{2, 1, 2, 1}));
}

TEST_F(Channel, ArrivalsThatAreBroadcastCountAtAllOthers) {
  for (unsigned rank = 0; rank < 4; ++rank) control.arrive(rank, BarrierScheme::kBroadcasts, 50);
  EXPECT_EQ(control.stats().messages, 4u);
  EXPECT_EQ(control.stats().broadcasts, 4u);
  EXPECT_EQ(control.stats().deliveries, (Counts{3, 3, 3, 3}));
}

TEST_F(Channel, OldestMessageFirst) {
  send(0, 0b0010, {7}, 0);
  send(2, 0b0010, {8}, 0);
  EXPECT_EQ(control.receive(1, 1000)->data, Bytes{7});
  EXPECT_EQ(control.receive(1, 1000)->data, Bytes{8});
}

TEST_F(Channel, ABarrierEndsWithTheLastRankAndOneWord) {
  EXPECT_FALSE(control.arrive(3, BarrierScheme::kController, 50));
  EXPECT_FALSE(control.arrive(0, BarrierScheme::kController, 60));
  EXPECT_FALSE(control.arrive(1, BarrierScheme::kController, 70));
  EXPECT_EQ(control.arrive(2, BarrierScheme::kController, 80), 80 + kRequest + 1);
  EXPECT_EQ(bus.stats().pim_slots, 1u);
  // The next barrier starts from zero.
  EXPECT_FALSE(control.arrive(2, BarrierScheme::kController, 200));
}

TEST_F(Channel, ABarrierOfBroadcastsTakesAWordARank) {
  EXPECT_FALSE(control.arrive(0, BarrierScheme::kBroadcasts, 50));
  EXPECT_FALSE(control.arrive(1, BarrierScheme::kBroadcasts, 50));
  EXPECT_FALSE(control.arrive(2, BarrierScheme::kBroadcasts, 50));
  EXPECT_EQ(control.arrive(3, BarrierScheme::kBroadcasts, 50), 50 + kRequest + 4);
  EXPECT_EQ(bus.stats().pim_slots, 4u);
}

TEST_F(Channel, RefusesWhatDoesNotExist) {
  const auto error = [&](auto&& work) -> std::string {
    return tvp::test::fault_of([&] { work(); }, {}, "");
  };
  EXPECT_EQ(error([&] { send(4, 1, {}, 0); }), "channel0: message from rank 4 of 4");
  EXPECT_EQ(error([&] { send(0, 0b10000, {}, 0); }),
            "channel0: message of rank 0 to ranks by mask 16: expected other ranks among 0 to 3");
  EXPECT_EQ(error([&] { send(0, 1, {}, 0); }),
            "channel0: message of rank 0 to ranks by mask 1: expected other ranks among 0 to 3");
  EXPECT_EQ(error([&] { send(0, 2, Bytes(kMailbox + 1), 0); }),
            "channel0: message of 65 bytes into a mailbox of 64");
  EXPECT_EQ(error([&] { control.receive(9, 0); }), "channel0: mailbox of rank 9 of 4");
  control.arrive(1, BarrierScheme::kController, 0);
  EXPECT_EQ(error([&] { control.arrive(1, BarrierScheme::kController, 1); }),
            "channel0: rank 1 is twice at one barrier");
  EXPECT_EQ(error([&] { control.arrive(4, BarrierScheme::kController, 1); }),
            "channel0: rank 4 arrives at a barrier of other ranks, expected one of 4 ranks");
}

}  // namespace
}  // namespace tvp::ddr
