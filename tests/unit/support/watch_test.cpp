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

}  // namespace
}  // namespace tvp::support
