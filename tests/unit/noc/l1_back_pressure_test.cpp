// Data wait in the network if L1 does not accept them.

#include <gtest/gtest.h>

#include "tests/unit/noc/torus_bench.h"

namespace tvp::noc::l1_back_pressure_test {
namespace {

using support::Cycle;

/// All banks are occupied for some time.
struct AllBanks : support::L1Holders {
  Cycle from = 0;
  void hold(Cycle begin, Cycle end) {
    from = begin;
    held_until_ = end;
  }
  void pass(Stream& stream, Cycle until) override {
    while (stream.words != 0 && stream.begin < until) {
      const bool waits = from <= stream.begin && stream.begin < held_until_;
      stream.pass(1, (waits ? held_until_ : stream.begin) + 1);
    }
  }
};

struct Held {
  AllBanks at_one, elsewhere;
  TorusBench bench;
  unsigned one;
  Held(const std::string& name, const char* kind, unsigned held)
      : bench(name, kind, 0, &elsewhere), one(held) {
    bench.nodes[one]->intake->meet(at_one);
  }
  Packet& write(unsigned from, unsigned flits) {
    Packet& packet = bench.nodes[from]->make(flits);
    packet.header().bytes = 32 * (flits - 1);
    packet.header().static_vc = true;
    return packet;
  }
};

unsigned at(unsigned x, unsigned y) { return y * kColumns + x; }

constexpr unsigned kSource = 1;
constexpr Cycle kHeldFor = 300;
const unsigned kNear = at(3, 0), kFar = at(3, 4);

Held& world(const char* kind) {
  static Held detailed("pressure_detailed", "detailed", kNear);
  static Held fast("pressure_fast", "fast", kNear);
  static const bool started = [] {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return true;
  }();
  (void)started;
  return kind == std::string("fast") ? fast : detailed;
}

/// A packet to the near tile, and one to the far one behind it: cycles until that has come.
Cycle until_far_has_it(const char* kind, unsigned flits, Cycle held_for) {
  Held& w = world(kind);
  auto& arrivals = w.bench.nodes[kFar]->arrivals;
  arrivals.clear();
  const Cycle start = w.bench.calendar.now() + 100;
  // The header is at its NIU after 28 cycles.
  w.at_one.hold(start + 30, start + 30 + held_for);
  Packet& first = w.write(kSource, flits);
  first.header().target = w.bench.nodes[kNear]->place().node();
  Packet& second = w.write(kSource, 1);
  second.header().bytes = 0;
  second.header().target = w.bench.nodes[kFar]->place().node();
  w.bench.nodes[kSource]->inject(first, start);
  w.bench.nodes[kSource]->inject(second, start + 1);
  w.bench.calendar.run_until(start + 2000);
  EXPECT_EQ(arrivals.size(), 1u);
  return arrivals.front().tail - start;
}

TEST(L1BackPressure, APacketThatWaitsAtItsTargetHoldsUpTheNextOneToAnother) {
  const Cycle free = until_far_has_it("detailed", 255, 0);
  const Cycle held = until_far_has_it("detailed", 255, kHeldFor);
  // The part of the packet in the NIU and the routers has moved on meanwhile.
  const Cycle buffers = 3 * 16 + 16 + 5;
  EXPECT_GE(held - free, kHeldFor - buffers - 16);
  EXPECT_LE(held - free, kHeldFor);
}

TEST(L1BackPressure, AShortPacketWaitsInTheNiu) {
  EXPECT_EQ(until_far_has_it("detailed", 16, kHeldFor), until_far_has_it("detailed", 16, 0));
}

TEST(L1BackPressure, TheFastTorusDoesNotAsk) {
  EXPECT_EQ(until_far_has_it("fast", 255, kHeldFor), until_far_has_it("fast", 255, 0));
  EXPECT_FALSE(world("fast").bench.nodes[kNear]->intake->network_announces());
}

TEST(L1BackPressure, ABroadcastWaitsForTheSlowestOfItsTargets) {
  Held& w = world("detailed");
  const unsigned other = at(4, 0);
  const auto tail_at_other = [&](Cycle held_for) {
    auto& arrivals = w.bench.nodes[other]->arrivals;
    arrivals.clear();
    const Cycle start = w.bench.calendar.now() + 100;
    w.at_one.hold(start + 200, start + 200 + held_for);
    Packet& packet = w.write(kSource, 255);
    NocExtension& header = packet.header();
    header.broadcast = header.path_reserve = true;
    header.static_vc = false;
    header.vc_class = vc::kClassBroadcast;
    header.start = w.bench.nodes[kNear]->place().node();
    header.target = w.bench.nodes[other]->place().node();
    w.bench.nodes[kSource]->inject(packet, start);
    w.bench.calendar.run_until(start + 2000);
    return arrivals.empty() ? 0 : arrivals.front().tail - start;
  };
  const Cycle free = tail_at_other(0);
  const Cycle held = tail_at_other(kHeldFor);
  EXPECT_GE(held, free + kHeldFor - 3 * 16);
  EXPECT_LE(held, free + kHeldFor);
}

}  // namespace
}  // namespace tvp::noc::l1_back_pressure_test
