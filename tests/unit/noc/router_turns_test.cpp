// The order of packets that compete for a link.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "models/noc/torus/noc_router.h"
#include "tests/unit/noc/torus_bench.h"

namespace tvp::noc::router_turns_test {
namespace {

using support::Cycle;

constexpr unsigned kBenches = 40;

/// Each case has its own network.
TorusBench& new_bench() {
  static std::vector<std::unique_ptr<TorusBench>> all;
  static unsigned used = 0;
  if (all.empty()) {
    for (unsigned i = 0; i < kBenches; ++i) {
      all.push_back(std::make_unique<TorusBench>("turns_" + std::to_string(i), "detailed"));
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  return *all.at(used++);
}

/// Creates a packet on one of the four request channels.
Packet& on_channel(TorusBench& bench, unsigned from, unsigned to, unsigned flits,
                   unsigned channel) {
  Packet& packet = bench.nodes[from]->make(flits);
  NocExtension& header = packet.header();
  header.target = bench.nodes[to]->place().node();
  header.static_vc = true;
  header.vc_class = static_cast<std::uint8_t>(channel >> 1);
  header.buddy = channel & 1;
  return packet;
}

unsigned at(unsigned x, unsigned y) { return y * kColumns + x; }

const TrafficNode::Arrival& arrival_from(TorusBench& bench, unsigned target, unsigned source) {
  for (const auto& arrival : bench.nodes[target]->arrivals) {
    if (arrival.node == source) return arrival;
  }
  throw std::out_of_range("nothing has come from there");
}

TEST(RouterTurns, FourChannelsOfALinkGetAQuarterEach) {
  TorusBench& bench = new_bench();
  constexpr unsigned kFlits = 255;
  const unsigned target = at(6, 2);
  const Cycle start = bench.calendar.now() + 1;
  for (unsigned i = 0; i < 4; ++i) {
    // The packets' headers reach the link behind the third router at the same time.
    bench.nodes[at(i, 2)]->inject(on_channel(bench, at(i, 2), target, kFlits, i), start + 9 * i);
  }
  bench.calendar.run_until(start + 5000);
  std::vector<Cycle> ends;
  for (unsigned i = 0; i < 4; ++i) ends.push_back(arrival_from(bench, target, at(i, 2)).tail);
  const auto [first, last] = std::ranges::minmax(ends);
  EXPECT_LE(last - first, 3 * NocRouter::kMaxTrain) << "none is more than a train of each behind";
  EXPECT_GE(last - start, 4 * kFlits);
  EXPECT_LE(last - start, 4 * kFlits + 120) << "and the link was never idle";
}

// Acknowledgements compete with data. Turns count flits, not packets.
TEST(RouterTurns, AChannelOfSingleFlitsGetsAsManyAsOneOfLongPackets) {
  TorusBench& bench = new_bench();
  constexpr unsigned kLong = 8;
  constexpr unsigned kFlits = 33;
  const unsigned target = at(6, 2);
  const unsigned data = at(1, 2);
  const unsigned singles = at(2, 2);
  const Cycle start = bench.calendar.now() + 1;
  for (unsigned i = 0; i < kLong; ++i)
    bench.nodes[data]->inject(on_channel(bench, data, target, kFlits, 0), start + i);
  for (unsigned i = 0; i < kLong * kFlits; ++i)
    bench.nodes[singles]->inject(on_channel(bench, singles, target, 1, 3), start + i);
  bench.calendar.run_until(start + 5000);
  Cycle data_done = 0;
  for (const auto& arrival : bench.nodes[target]->arrivals)
    if (arrival.node == data) data_done = std::max(data_done, arrival.tail);
  const auto before = std::ranges::count_if(bench.nodes[target]->arrivals, [&](const auto& a) {
    return a.node == singles && a.tail < data_done;
  });
  EXPECT_NEAR(static_cast<double>(before), kLong * kFlits, 2.0 * NocRouter::kMaxTrain);
}

// Packets that have gone around a ring and packets that have not arrive on two channels of one
// input. They request the same channel where they turn.
TEST(RouterTurns, ChannelsOfAnInputTakeTurnsAtTheChannelThatTheyWant) {
  TorusBench& bench = new_bench();
  constexpr unsigned kFromEach = 60;
  const unsigned target = at(2, 4);
  const unsigned around = at(kColumns - 1, 3);
  const unsigned straight = at(1, 3);
  bench.nodes[target]->takes_request_in = 20;
  const Cycle start = bench.calendar.now() + 1;
  for (unsigned i = 0; i < kFromEach; ++i) {
    for (const unsigned from : {around, straight}) {
      Packet& request = on_channel(bench, from, target, 1, 0);
      request.header().kind = PacketKind::kReadRequest;
      bench.nodes[from]->inject(request, start + i);
    }
  }
  bench.calendar.run_until(start + kFromEach * 100);
  std::map<unsigned, unsigned> served;
  const auto& arrivals = bench.nodes[target]->arrivals;
  ASSERT_EQ(arrivals.size(), 2 * kFromEach);
  // They queue behind packets that came earlier and fit into the next buffer.
  constexpr unsigned kBefore = 40;
  for (unsigned i = kBefore; i < kBefore + 20; ++i) ++served[arrivals[i].node];
  EXPECT_NEAR(served[around], 10, 1);
  bench.torus->check_conservation();
}

// One of the packets has crossed the dateline of its ring.
TEST(RouterTurns, BothSidesOfTheDatelineGetAHalf) {
  TorusBench& bench = new_bench();
  const unsigned target = at(3, 2);
  const unsigned around = at(kColumns - 1, 2);
  const unsigned straight = at(0, 2);
  const Cycle start = bench.calendar.now() + 1;
  bench.nodes[around]->inject(on_channel(bench, around, target, 255, 0), start);
  bench.nodes[straight]->inject(on_channel(bench, straight, target, 255, 0), start + 9);
  bench.calendar.run_until(start + 5000);
  const Cycle a = arrival_from(bench, target, around).tail;
  const Cycle b = arrival_from(bench, target, straight).tail;
  EXPECT_LE(std::max(a, b) - std::min(a, b), NocRouter::kMaxTrain);
}

/// True if the packet from the left goes first, of two packets with these priorities that wait for
/// a channel. The channel's earlier owner comes from the left, too, or from the router's own NIU.
bool left_goes_first(unsigned from_left, unsigned from_above, bool after_left) {
  TorusBench& bench = new_bench();
  const unsigned before = at(after_left ? 2 : 3, 3);
  const unsigned target = at(3, 6);
  const unsigned left = at(1, 3);
  const unsigned above = at(3, 1);
  const Cycle start = bench.calendar.now() + 1;
  bench.nodes[before]->inject(on_channel(bench, before, target, 257, 0), start);
  for (const auto& [from, priority] : {std::pair{left, from_left}, {above, from_above}}) {
    Packet& packet = on_channel(bench, from, target, 9, 0);
    packet.header().priority = static_cast<std::uint8_t>(priority);
    bench.nodes[from]->inject(packet, start + 50);
  }
  bench.calendar.run_until(start + 5000);
  return arrival_from(bench, target, left).head < arrival_from(bench, target, above).head;
}

// ISA NoC/MemoryMap.md, NOC_CMD_ARB_PRIORITY: i goes before j when 0 < j < i.
TEST(RouterTurns, APacketWithoutPriorityHasItsTurnBesideOneThatHasOne) {
  for (const bool after_left : {false, true}) {
    EXPECT_EQ(left_goes_first(0, 0, after_left), !after_left);
    EXPECT_EQ(left_goes_first(0, 2, after_left), !after_left);
    EXPECT_EQ(left_goes_first(2, 0, after_left), !after_left);
    EXPECT_EQ(left_goes_first(0, 1, after_left), !after_left);
    EXPECT_EQ(left_goes_first(1, 0, after_left), !after_left);
    EXPECT_TRUE(left_goes_first(2, 1, after_left));
    EXPECT_FALSE(left_goes_first(1, 2, after_left));
  }
}

/// Cycle at which a packet of this priority begins to arrive after it has met two others.
Cycle begins_beside_two(unsigned priority) {
  TorusBench& bench = new_bench();
  const unsigned target = at(6, 2);
  const Cycle start = bench.calendar.now() + 1;
  bench.nodes[at(1, 2)]->inject(on_channel(bench, at(1, 2), target, 255, 0), start);
  bench.nodes[at(2, 2)]->inject(on_channel(bench, at(2, 2), target, 255, 3), start + 9);
  Packet& packet = on_channel(bench, at(3, 2), target, 9, 2);
  packet.header().priority = static_cast<std::uint8_t>(priority);
  bench.nodes[at(3, 2)]->inject(packet, start + 100);
  bench.calendar.run_until(start + 5000);
  return arrival_from(bench, target, at(3, 2)).head - start;
}

// A packet in transit does not compete for a channel.
TEST(RouterTurns, APriorityIsNothingToPacketsOnOtherChannels) {
  EXPECT_EQ(begins_beside_two(2), begins_beside_two(0));
}

// Two packets meet on a link. If the buffers behind it have room, each sends all arrived flits in
// its turn. If their pool is nearly full, each sends one flit per turn, as credits return.
TEST(RouterTurns, ATurnIsATrainOrAFlitWhereThePoolIsShort) {
  struct Row {
    const char* pool_flits;
    unsigned flits;
    Cycle first_tail;
    Cycle second_tail;
  };
  const Row rows[] = {{"", 40, 135, 143},   {"16", 40, 135, 143}, {"16", 100, 259, 263},
                      {"8", 55, 242, 257},  {"8", 100, 402, 417}, {"4", 55, 400, 404},
                      {"4", 100, 688, 692}, {"32", 55, 166, 173}};
  for (const Row& row : rows) {
    TorusBench& bench = new_bench();
    if (*row.pool_flits != 0) bench.config.pool_flits.set(row.pool_flits);
    const unsigned target = at(6, 2);
    const Cycle start = bench.calendar.now() + 1;
    for (unsigned i = 0; i < 2; ++i) {
      bench.nodes[at(i, 2)]->inject(on_channel(bench, at(i, 2), target, row.flits, i),
                                    start + 9 * i);
    }
    bench.calendar.run_until(start + 5000);
    const std::string which = std::string(row.pool_flits) + " " + std::to_string(row.flits);
    EXPECT_EQ(arrival_from(bench, target, at(0, 2)).tail - start, row.first_tail) << which;
    EXPECT_EQ(arrival_from(bench, target, at(1, 2)).tail - start, row.second_tail) << which;
  }
}

}  // namespace
}  // namespace tvp::noc::router_turns_test
