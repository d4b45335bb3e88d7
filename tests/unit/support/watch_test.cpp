#include "models/support/watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace tvp::support {
namespace {

struct Recorder : Sleeper {
  WatchHub* hub = nullptr;
  bool cancel_on_wake = false;
  std::vector<std::pair<Cycle, unsigned>> wakes;
  void location_changed(Cycle when, unsigned order) override {
    wakes.emplace_back(when, order);
    if (cancel_on_wake) hub->cancel(*this);
  }
};

TEST(WatchHub, GroupWakesOnlyItsSleepers) {
  WatchHub hub;
  Recorder a, b;
  hub.sleep(a, 1U << static_cast<unsigned>(Watch::kNiu0), {});
  hub.sleep(b, 1U << static_cast<unsigned>(Watch::kOverlay), {});
  hub.changed(Watch::kNiu0, 10, 3);
  EXPECT_EQ(a.wakes, (std::vector<std::pair<Cycle, unsigned>>{{10, 3}}));
  EXPECT_TRUE(b.wakes.empty());
}

TEST(WatchHub, L1RangesAreInclusiveAndRefined) {
  WatchHub hub;
  Recorder a;
  hub.sleep(a, 0, {{0x100, 0x103}});
  hub.l1_written(0xF0, 16, 1, 0);
  EXPECT_TRUE(a.wakes.empty());
  hub.l1_written(0xF0, 17, 2, 0);
  hub.l1_written(0x103, 1, 3, 0);
  hub.l1_written(0x104, 64, 4, 0);
  EXPECT_EQ(a.wakes.size(), 2u);
}

TEST(WatchHub, SleepersMayCancelThemselvesWhenWoken) {
  WatchHub hub;
  Recorder a, b, c;
  for (Recorder* r : {&a, &b, &c}) {
    r->hub = &hub;
    r->cancel_on_wake = true;
    hub.sleep(*r, 1U << static_cast<unsigned>(Watch::kMailbox), {});
  }
  hub.changed(Watch::kMailbox, 5, 0);
  hub.changed(Watch::kMailbox, 6, 0);
  for (Recorder* r : {&a, &b, &c}) EXPECT_EQ(r->wakes.size(), 1u);
}

TEST(WatchHub, WhoFallsAsleepNextWaitsForItsOwnLocations) {
  WatchHub hub;
  Recorder a, b;
  hub.sleep(a, 0, {{0x100, 0x103}, {0x200, 0x203}});
  hub.cancel(a);
  EXPECT_FALSE(hub.is_watched({0x100, 0x203}));
  hub.sleep(b, 1U << static_cast<unsigned>(Watch::kOverlay), {{0x300, 0x303}});
  EXPECT_FALSE(hub.is_watched({0x100, 0x203}));
  hub.l1_written(0x100, 4, 1, 0);
  hub.l1_written(0x200, 4, 2, 0);
  EXPECT_TRUE(b.wakes.empty());
  hub.sleep(b, 0, {{0x200, 0x203}});  // before it has been woken
  hub.changed(Watch::kOverlay, 3, 0);
  hub.l1_written(0x300, 4, 4, 0);
  EXPECT_TRUE(b.wakes.empty());
  hub.l1_written(0x200, 4, 5, 0);
  EXPECT_EQ(b.wakes.size(), 1u);
  EXPECT_TRUE(a.wakes.empty());
}

TEST(WatchHub, WakesTheLastToFallAsleepFirst) {
  struct InTurn : Sleeper {
    explicit InTurn(std::vector<int>& to, int as) : log(to), name(as) {}
    void location_changed(Cycle, unsigned) override { log.push_back(name); }
    std::vector<int>& log;
    int name;
  };
  std::vector<int> log;
  InTurn a(log, 1), b(log, 2), c(log, 3);
  WatchHub hub;
  const std::uint32_t mask = 1U << static_cast<unsigned>(Watch::kGpr);
  for (InTurn* each : {&a, &b, &c}) hub.sleep(*each, mask, {});
  hub.cancel(a);
  hub.changed(Watch::kGpr, 1, 0);
  hub.sleep(a, mask, {});
  hub.sleep(b, mask, {});
  hub.changed(Watch::kGpr, 2, 0);
  EXPECT_EQ(log, (std::vector<int>{3, 2, 2, 1, 3}));
}

struct FirstWritesRecorder : FirstWrites {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  void written(std::uint32_t address, std::uint32_t bytes) override {
    all.emplace_back(address, bytes);
  }
  bool awaits(std::uint32_t first, std::uint32_t last) const override {
    return first <= 0x200 && last >= 0x200;
  }
};

TEST(WatchHub, WhoAwaitsFirstWritesIsToldOfAllUntilItEndsThat) {
  WatchHub hub;
  FirstWritesRecorder writes;
  Recorder a;
  hub.await(&writes);
  hub.l1_written(0x100, 4, 1, 0);
  hub.sleep(a, 0, {{0x100, 0x103}});
  hub.l1_written(0x100, 4, 2, 0);
  hub.cancel(a);
  hub.l1_written(0x104, 8, 3, 0);
  EXPECT_EQ(writes.all, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                            {0x100, 4}, {0x100, 4}, {0x104, 8}}));
  EXPECT_EQ(a.wakes.size(), 1U);
  EXPECT_TRUE(hub.is_watched({0x1F0, 0x200}));
  EXPECT_FALSE(hub.is_watched({0x100, 0x103}));
  hub.await(nullptr);
  hub.l1_written(0x200, 4, 4, 0);
  EXPECT_EQ(writes.all.size(), 3U);
  EXPECT_FALSE(hub.is_watched({0x200, 0x203}));
}

}  // namespace
}  // namespace tvp::support
