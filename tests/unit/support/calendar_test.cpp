#include "models/support/calendar.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/support/tile_scheduler.h"

namespace tvp::support {
namespace {

struct Log : EventTarget {
  std::vector<std::pair<Cycle, std::uint64_t>> fired;
  void fire(Cycle now, std::uint64_t token) override { fired.emplace_back(now, token); }
};

TEST(Calendar, EventsOfOneCycleFollowTheirKeyNotTheirPosting) {
  Calendar calendar({});
  Log log;
  EventKey first{.phase = 1, .block = 7};
  EventKey second{.phase = 1, .block = 7, .vc = 1};
  EventKey third{.phase = 2, .block = 0};
  calendar.post(5, third, log, 3);
  calendar.post(5, second, log, 2);
  calendar.post(5, first, log, 1);
  calendar.post(4, third, log, 0);
  calendar.run_until(10);
  EXPECT_EQ(log.fired,
            (std::vector<std::pair<Cycle, std::uint64_t>>{{4, 0}, {5, 1}, {5, 2}, {5, 3}}));
  EXPECT_EQ(calendar.now(), 10u);
}

TEST(Calendar, PostingIntoThePastIsADefect) {
  Calendar calendar({});
  Log log;
  calendar.run_until(10);
  EXPECT_THROW(calendar.post(9, {}, log, 0), std::logic_error);
}

constexpr Cycle kPath = 7;  // tile to tile, through an injection event
constexpr Cycle kInjectDelay = 2;
constexpr Cycle kDelivery = 5;  // injection event to delivery
constexpr Cycle kAssign = 4;    // request of an agent without a port until the port acts on it

/// A tile whose agents step at random intervals and change the tile's state. They send messages to
/// other tiles, a directly and b through the port. All values depend on the state, so any
/// change of order is visible.
class RandomTile;

class RandomAgent : public Agent {
 public:
  RandomAgent(RandomTile& tile, std::uint64_t seed) : tile_(tile), random_(seed) {
    set_next(seed % 5);
  }
  void run() override;

 private:
  RandomTile& tile_;
  std::mt19937_64 random_;
};

/// Sends requests of other agents.
class Port : public Agent {
 public:
  explicit Port(RandomTile& tile) : tile_(tile) {}
  void run() override;
  void request(Cycle when, std::uint64_t value);

 private:
  RandomTile& tile_;
  std::vector<std::pair<Cycle, std::uint64_t>> requests_;  // by cycle
};

class Inbox : public Agent {
 public:
  explicit Inbox(RandomTile& tile) : tile_(tile) {}
  void run() override;
  void deliver(Cycle when, std::uint64_t value);

 private:
  RandomTile& tile_;
  std::vector<std::pair<Cycle, std::uint64_t>> pending_;  // in order of arrival
};

class RandomTile {
 public:
  RandomTile(Calendar& calendar, EventTarget& network, unsigned index, unsigned tiles)
      : port(*this),
        inbox(*this),
        a(*this, index * 2 + 11),
        b(*this, index * 2 + 12),
        calendar_(calendar),
        network_(network),
        index_(index),
        tiles_(tiles) {
    scheduler.add(port);
    scheduler.add(a);
    scheduler.add(inbox);
    scheduler.add_portless(b);
    tile_index = calendar.add_tile(scheduler);
  }
  void touch(Cycle t, unsigned who, std::uint64_t value) {
    state = (state ^ value) * 0x9E3779B97F4A7C15ULL + t * 31 + who;
    ++touches;
  }
  void send(Cycle t, std::uint64_t value) {
    const auto to = static_cast<std::uint64_t>(value % tiles_);
    const EventKey key{.phase = 2, .block = static_cast<std::uint16_t>(index_), .sequence = sent++};
    calendar_.post(t + kInjectDelay, key, network_, to << 32 | (value & 0xFFFFFFFF));
  }

  TileScheduler scheduler;
  Port port;
  Inbox inbox;
  RandomAgent a, b;
  unsigned tile_index = 0;
  std::uint64_t state = 1;
  std::uint64_t touches = 0;
  std::uint32_t sent = 0;

 private:
  Calendar& calendar_;
  EventTarget& network_;
  unsigned index_;
  unsigned tiles_;
};

void RandomAgent::run() {
  while (may_act(next())) {
    const Cycle t = next();
    tile_.touch(t, order(), random_());
    if (tile_.state % 3 == 0) {
      if (&tile_.a == this) {
        tile_.send(t, tile_.state >> 8);
      } else {
        tile_.port.request(t + kAssign, tile_.state >> 8);
      }
    }
    if (tile_.state % 5 == 0 && &tile_.b != this) {
      // Wakes its neighbor earlier than it had planned.
      scheduler().wake(tile_.b, t + tile_.state % 3);
    }
    set_next(t + 1 + tile_.state % 13);
  }
}

void Port::request(Cycle when, std::uint64_t value) {
  requests_.emplace_back(when, value);
  scheduler().wake(*this, requests_.front().first);
}

void Port::run() {
  while (!requests_.empty() && may_act(requests_.front().first)) {
    tile_.send(requests_.front().first, requests_.front().second);
    requests_.erase(requests_.begin());
    set_next(requests_.empty() ? kNever : requests_.front().first);
  }
  set_next(requests_.empty() ? kNever : requests_.front().first);
}

void Inbox::deliver(Cycle when, std::uint64_t value) {
  pending_.emplace_back(when, value);
  scheduler().wake(*this, pending_.front().first);
}

void Inbox::run() {
  while (!pending_.empty() && may_act(pending_.front().first)) {
    tile_.touch(pending_.front().first, order(), pending_.front().second);
    pending_.erase(pending_.begin());
    set_next(pending_.empty() ? kNever : pending_.front().first);
  }
  set_next(pending_.empty() ? kNever : pending_.front().first);
}

struct System : EventTarget {
  explicit System(bool lockstep, unsigned tiles)
      : calendar({.tile_to_tile = kPath, .event_to_tile = kDelivery, .portless_more = kAssign}) {
    calendar.set_lockstep(lockstep);
    for (unsigned i = 0; i < tiles; ++i) {
      tile.push_back(std::make_unique<RandomTile>(calendar, *this, i, tiles));
    }
    for (auto& t : tile) calendar.tile_woken(t->tile_index);
  }
  void fire(Cycle now, std::uint64_t token) override {
    RandomTile& to = *tile[token >> 32];
    to.inbox.deliver(now + kDelivery, token & 0xFFFFFFFF);
    calendar.tile_woken(to.tile_index);
  }
  Calendar calendar;
  std::vector<std::unique_ptr<RandomTile>> tile;
};

class HorizonEqualsLockstep : public ::testing::TestWithParam<unsigned> {};

TEST_P(HorizonEqualsLockstep, BitForBit) {
  System fast(false, GetParam());
  System slow(true, GetParam());
  fast.calendar.run_until(200000);
  slow.calendar.run_until(200000);
  for (unsigned i = 0; i < GetParam(); ++i) {
    EXPECT_EQ(fast.tile[i]->state, slow.tile[i]->state) << "tile " << i;
    EXPECT_EQ(fast.tile[i]->touches, slow.tile[i]->touches) << "tile " << i;
    EXPECT_GT(fast.tile[i]->sent, 100u);
  }
  EXPECT_EQ(fast.calendar.events_fired(), slow.calendar.events_fired());
  EXPECT_LT(fast.calendar.tile_activations(), slow.calendar.tile_activations());
}

INSTANTIATE_TEST_SUITE_P(Tiles, HorizonEqualsLockstep, ::testing::Values(1u, 2u, 3u, 17u));

TEST(Calendar, WindowsDoNotChangeTheResult) {
  System whole(false, 5);
  System cut(false, 5);
  whole.calendar.run_until(5000);
  for (Cycle end = 13; end < 5000; end += 13) cut.calendar.run_until(end);
  cut.calendar.run_until(5000);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(whole.tile[i]->state, cut.tile[i]->state);
}

/// Acts at each cycle and records its first limit.
struct Busy : Agent {
  Busy() { set_next(0); }
  void run() override {
    Cycle t = next();
    while (may_act(t)) ++t;
    if (first_turn == 0) first_turn = t;
    set_next(t);
  }
  Cycle first_turn = 0;
};

TEST(Calendar, AgentsWithoutAPortLetOtherTilesGoFurther) {
  for (const bool portless : {false, true}) {
    Calendar calendar({.tile_to_tile = kPath, .event_to_tile = 1, .portless_more = kAssign});
    TileScheduler first, second;
    Busy of_first, of_second;
    first.add(of_first);
    portless ? second.add_portless(of_second) : second.add(of_second);
    for (TileScheduler* tile : {&first, &second}) calendar.tile_woken(calendar.add_tile(*tile));
    calendar.run_until(100);
    EXPECT_EQ(of_first.first_turn, kPath + (portless ? kAssign : 0));
    EXPECT_EQ(of_second.first_turn, of_first.first_turn + kPath);
  }
}

}  // namespace
}  // namespace tvp::support
