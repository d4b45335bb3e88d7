// Broadcasts that reserve their paths, and those that do not.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "models/noc/torus/torus.h"
#include "tests/unit/noc/torus_bench.h"

namespace tvp::noc::torus_broadcast_test {
namespace {

using support::Cycle;

struct Benches {
  TorusBench fast{"fast", "fast"}, detailed{"detailed", "detailed"};
  TorusBench forwards{"forwards", "detailed"}, backwards{"backwards", "detailed"};
  TorusBench reserved{"reserved", "detailed"};
  Benches() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};

Benches& benches() {
  static Benches all;
  return all;
}

/// Eight tiles write 8 KiB to all others in the same moment, on one channel.
void broadcast_at_once(TorusBench& bench, bool path_reserve, bool backwards = false) {
  const Cycle start = bench.calendar.now() + 1;
  for (unsigned place = 0; place < 8; ++place) {
    const unsigned i = backwards ? 7 - place : place;
    const unsigned from = (1 + i) * kColumns + 1 + 3 * i % 8;
    Packet& packet = bench.nodes[from]->make(257);
    NocExtension& header = packet.header();
    header.broadcast = true;
    header.start = {0, 0};
    header.target = wormhole_grid().mirrored({0, 0});
    header.vc_class = vc::kClassBroadcast;
    header.static_vc = true;
    header.path_reserve = path_reserve;
    bench.nodes[from]->inject(packet, start);
  }
  bench.calendar.run_until(start + 200000);
}

// The path is asked for when the packet before has left: over the NIU's link, down to the last
// router but one, back. No channel is given before that packet has passed the router behind it.
TEST(TorusBroadcast, ThoseOfOneTileReserveTheirPathsOneAfterTheOther) {
  for (TorusBench* bench : {&benches().fast, &benches().detailed}) {
    constexpr unsigned kFlits = 3;
    const unsigned from = 4 * kColumns + 4;
    const unsigned corner = 5 * kColumns + 5;
    const Cycle start = bench->calendar.now() + 1;
    const std::size_t before = bench->nodes[corner]->arrivals.size();
    for (unsigned i = 0; i < 3; ++i) {
      Packet& packet = bench->nodes[from]->make(kFlits);
      NocExtension& header = packet.header();
      header.broadcast = true;
      header.start = {4, 4};
      header.target = {5, 5};
      header.source_included = true;
      header.vc_class = vc::kClassBroadcast;
      header.static_vc = true;
      header.path_reserve = true;
      header.linked = i == 1;  // the third one follows on the path of the second
      header.first_of_chain = i != 2;
      bench->nodes[from]->inject(packet, start + i);
    }
    bench->calendar.run_until(start + 1000);
    const auto& arrivals = bench->nodes[corner]->arrivals;
    ASSERT_EQ(arrivals.size(), before + 3);
    const Cycle reservation = 5 + 15;
    const Cycle behind = 5 + 2 * 10 + 7 + 6;
    EXPECT_EQ(arrivals[before].head, start + reservation + 5 + 2 * 10 + 5);
    EXPECT_EQ(arrivals[before + 1].head, arrivals[before].head + kFlits + behind);
    EXPECT_EQ(arrivals[before + 2].head, arrivals[before + 1].head + kFlits);
    bench->torus->check_conservation();
  }
}

// ISA NoC/README.md: software must avoid deadlocks of broadcasts without reservation. Each holds a
// part of its tree that another one needs.
TEST(TorusBroadcast, WithoutReservationTheyDeadlockAndTheReportNamesTheCycle) {
  TorusBench& bench = benches().forwards;
  broadcast_at_once(bench, false);
  EXPECT_LT(bench.torus->packets_delivered(), bench.torus->packets_sent());
  std::vector<std::string> lines;
  bench.torus->describe_in_flight(lines);
  ASSERT_FALSE(lines.empty());
  unsigned packets = 0;
  ASSERT_EQ(std::sscanf(lines[0].c_str(), "noc 0: deadlock of %u packets", &packets), 1)
      << lines[0];
  ASSERT_GE(packets, 2u);
  ASSERT_GT(lines.size(), packets);
  for (unsigned i = 1; i <= packets; ++i) {
    EXPECT_NE(lines[i].find(" to (0,0)-(9,11), "), std::string::npos) << lines[i];
  }
  // Each line's holder waits in the next line; the last line's holder waits in the first.
  for (unsigned i = 1; i <= packets; ++i) {
    const std::string& next = lines[i == packets ? 1 : i + 1];
    const std::string waiter = next.substr(7, next.find(" waits at router") - 7);
    EXPECT_NE(lines[i].find("which " + waiter + " holds"), std::string::npos) << lines[i] << "\n"
                                                                              << next;
  }
}

// The holder of the link to a NIU has begun to arrive there and has not ended.
TEST(TorusBroadcast, ReportsOfDeadlocksNameWhoHoldsALinkToANiu) {
  unsigned links = 0;
  for (const bool backwards : {false, true}) {
    TorusBench& bench = backwards ? benches().backwards : benches().forwards;
    if (backwards) broadcast_at_once(bench, false, true);
    std::vector<std::string> lines;
    bench.torus->describe_in_flight(lines);
    for (const std::string& line : lines) {
      unsigned x = 0, y = 0, holder_x = 0, holder_y = 0;
      const std::size_t waits = line.find("waits at router");
      const std::size_t holder = line.find("link to the NIU, which write");
      if (waits == std::string::npos || holder == std::string::npos) continue;
      ASSERT_EQ(std::sscanf(line.c_str() + waits, "waits at router (%u,%u)", &x, &y), 2) << line;
      ASSERT_EQ(std::sscanf(line.c_str() + holder, "link to the NIU, which write %*u of (%u,%u)",
                            &holder_x, &holder_y),
                2)
          << line;
      const auto& arrivals = bench.at(x, y).arrivals;
      EXPECT_EQ(std::count_if(arrivals.begin(), arrivals.end(),
                              [&](const TrafficNode::Arrival& arrival) {
                                return arrival.node == holder_y * kColumns + holder_x &&
                                       arrival.tail == 0;
                              }),
                1)
          << line;
      ++links;
    }
  }
  EXPECT_GE(links, 2u);
}

TEST(TorusBroadcast, WithReservationTheyGetThroughAndNobodyWaits) {
  TorusBench& bench = benches().reserved;
  broadcast_at_once(bench, true);
  bench.torus->check_conservation();
  std::vector<std::string> lines;
  bench.torus->describe_in_flight(lines);
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace tvp::noc::torus_broadcast_test
