// Agents that run on their own, and the accesses that make them catch up.
#include <gtest/gtest.h>

#include <vector>

#include "models/support/tile_scheduler.h"

namespace tvp::support {
namespace {

using Use = LeftAgents::Use;

TEST(LeftAgents, AreTouchedByWhoeverReadsWhatTheyStoreOrWritesWhatTheyUse) {
  const Use use{.stored = {{0x101, 0x104}}, .loaded = {{0x200, 0x203}}};
  LeftAgents left;
  left.add(3, use);
  const struct {
    std::uint32_t address, bytes;
    bool read, written;
  } kRows[] = {{0x100, 1, false, false}, {0x100, 2, true, true},   {0x104, 1, true, true},
               {0x105, 4, false, false}, {0x1FC, 4, false, false}, {0x1FE, 4, false, true},
               {0x203, 1, false, true},  {0x204, 1, false, false}};
  for (const auto& row : kRows) {
    EXPECT_EQ(left.touches(3, row.address, row.bytes, false), row.read) << row.address;
    EXPECT_EQ(left.touches(3, row.address, row.bytes, true), row.written) << row.address;
    EXPECT_FALSE(left.touches(2, row.address, row.bytes, true));
  }
  left.remove(3);
  EXPECT_FALSE(left.touches(3, 0x101, 1, true));
}

// An aligned access below the range needs no check; its word may contain the first byte.
TEST(LeftAgents, LeaveWhatIsBelowThemToEverybody) {
  const Use byte{.stored = {{0x103, 0x103}}, .loaded = {}};
  const Use word{.stored = {}, .loaded = {{0x80, 0x83}}};
  LeftAgents left;
  EXPECT_FALSE(left.any());
  EXPECT_EQ(left.untouched_below(), ~0U);
  left.add(0, byte);
  EXPECT_EQ(left.untouched_below(), 0x100U);
  left.add(2, word);
  EXPECT_EQ(left.untouched_below(), 0x80U);
  left.remove(2);
  EXPECT_TRUE(left.any());
  EXPECT_TRUE(left.has(0));
  EXPECT_FALSE(left.has(2));
  EXPECT_EQ(left.untouched_below(), 0x100U);
  left.remove(0);
  EXPECT_FALSE(left.any());
  EXPECT_EQ(left.untouched_below(), ~0U);
}

/// Acts at given cycles; on its own it only records requests to catch up.
class Counter : public Agent {
 public:
  explicit Counter(bool asks) {
    if (asks) set_asks();
  }
  std::vector<std::pair<Cycle, unsigned>> caught_up;
  std::vector<Cycle> ran;

  void act_at(Cycle t) { set_next(t); }
  void run() override {
    ran.push_back(next());
    set_next(kNever);
  }
  void catch_up(Cycle t, unsigned order) override {
    caught_up.emplace_back(t, order);
    scheduler().return_to(*this);
  }
};

using CaughtUp = std::vector<std::pair<Cycle, unsigned>>;

struct Tile {
  TileScheduler scheduler;
  Counter a{true}, b{true}, device{false}, other{false};
  Tile() {
    for (Agent* agent : std::initializer_list<Agent*>{&a, &b, &device, &other}) {
      scheduler.add(*agent);
    }
  }
};

// Agents without checks may access anything. Before each of their actions all others catch up, with
// that agent's place in the order of ties.
TEST(LeftAgents, CatchUpInFrontOfThoseWhoDoNotAsk) {
  const Use use{.stored = {{0x100, 0x103}}, .loaded = {}};
  Tile tile;
  tile.scheduler.leave_to_itself(tile.a, use);
  tile.scheduler.leave_to_itself(tile.b, use);
  tile.other.act_at(7);
  tile.scheduler.run(7);
  EXPECT_TRUE(tile.a.caught_up.empty());
  tile.scheduler.run(8);
  EXPECT_EQ(tile.a.caught_up, (CaughtUp{{7, 3}}));
  EXPECT_EQ(tile.b.caught_up, (CaughtUp{{7, 3}}));
  EXPECT_EQ(tile.other.ran, std::vector<Cycle>{7});
  EXPECT_FALSE(tile.scheduler.has_left());
}

TEST(LeftAgents, AreLeftInPeaceByThoseWhoAsk) {
  const Use use{.stored = {{0x100, 0x103}}, .loaded = {}};
  Tile tile;
  tile.scheduler.leave_to_itself(tile.a, use);
  tile.b.act_at(7);
  tile.scheduler.run(100);
  EXPECT_TRUE(tile.a.caught_up.empty());
  EXPECT_EQ(tile.b.ran, std::vector<Cycle>{7});
}

TEST(LeftAgents, CatchUpWhenAnAccessConcernsThem) {
  const Use first{.stored = {{0x100, 0x103}}, .loaded = {{0x300, 0x303}}};
  const Use second{.stored = {{0x200, 0x203}}, .loaded = {{0x300, 0x303}}};
  Tile tile;
  TileScheduler& scheduler = tile.scheduler;
  scheduler.leave_to_itself(tile.a, first);
  scheduler.leave_to_itself(tile.b, second);
  EXPECT_TRUE(scheduler.is_used(0x100, 4, false));
  EXPECT_FALSE(scheduler.is_used(0x300, 4, false));
  EXPECT_TRUE(scheduler.is_used(0x300, 4, true));
  EXPECT_FALSE(scheduler.disturbs(tile.device, 5, 0x300, 4, false));
  EXPECT_TRUE(tile.a.caught_up.empty());
  EXPECT_TRUE(scheduler.disturbs(tile.device, 6, 0x200, 1, false));
  EXPECT_TRUE(tile.a.caught_up.empty());
  EXPECT_EQ(tile.b.caught_up, (CaughtUp{{6, 2}}));
  EXPECT_FALSE(scheduler.disturbs(tile.device, 6, 0x200, 1, false)) << "it acts again";
  scheduler.leave_to_itself(tile.b, second);
  EXPECT_TRUE(scheduler.disturbs(tile.other, 9, 0x300, 4, true));
  EXPECT_EQ(tile.a.caught_up, (CaughtUp{{9, 3}}));
  EXPECT_EQ(tile.b.caught_up, (CaughtUp{{6, 2}, {9, 3}}));
  EXPECT_FALSE(scheduler.has_left());
}

// An agent that wants to run on its own queries how long no unchecked agent can act.
TEST(LeftAgents, KnowWhenTheNextOneComesWhoDoesNotAsk) {
  Tile tile;
  EXPECT_EQ(tile.scheduler.next_unasked(tile.a), kNever);
  tile.a.act_at(1);
  tile.b.act_at(2);
  tile.other.act_at(9);
  EXPECT_EQ(tile.scheduler.next_unasked(tile.a), 9U);
  tile.device.act_at(5);
  EXPECT_EQ(tile.scheduler.next_unasked(tile.a), 5U);
  EXPECT_EQ(tile.scheduler.next_unasked(tile.device), 9U);
}

}  // namespace
}  // namespace tvp::support
