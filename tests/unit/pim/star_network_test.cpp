// Switches that join participants: output, waiting, and errors.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/fault_of.h"
#include "tests/unit/pim/star_bench.h"

namespace tvp::pim::star_network_test {
namespace {

using test::StarBench;
namespace stop = regs::pim::stop;

constexpr const char* kTrees8[] = {"", "4 2", "2 4", "2 2 2", "8 1"};

std::vector<std::uint8_t> pattern(unsigned bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> data(bytes);
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
  return data;
}

TEST(StarNetwork, BringsAMessageWholeToWhomItIsFor) {
  for (const char* const tree : kTrees8) {
    StarBench bench(8, {{"tree", tree}});
    for (unsigned from = 0; from < 8; ++from)
      for (unsigned to = 0; to < 8; ++to)
        if (from != to) bench.pass(from, to, pattern(700, from * 8 + to));
    bench.run();
    bench.network->check_at_end();
    for (unsigned to = 0; to < 8; ++to) {
      std::vector<std::vector<std::uint8_t>> from(8);
      for (const Packet& packet : bench.units[to].packets) {
        EXPECT_EQ(packet.destination, to);
        auto& got = from[packet.source];
        got.insert(got.end(), packet.payload.begin(), packet.payload.end());
      }
      for (unsigned s = 0; s < 8; ++s)
        EXPECT_EQ(from[s], s == to ? std::vector<std::uint8_t>{} : pattern(700, s * 8 + to));
    }
  }
}

TEST(StarNetwork, MulticastsToThoseOfAMask) {
  for (const char* const tree : kTrees8) {
    StarBench bench(8, {{"tree", tree}});
    bench.multicast(5, 0b1000'0110, pattern(1500, 1));
    bench.run();
    bench.network->check_at_end();
    for (unsigned unit = 0; unit < 8; ++unit) {
      const bool gets = (0b1000'0110 >> unit & 1) != 0;
      ASSERT_EQ(bench.units[unit].packets.size(), gets ? 3U : 0U) << tree << ", " << unit;
      for (const Packet& packet : bench.units[unit].packets) EXPECT_EQ(packet.tag, 1000 + unit);
    }
  }
}

/// A sender forgets a multicast when its first copy arrives.
TEST(StarNetwork, AsksForTagsOfCopiesBeforeAnyArrives) {
  StarBench bench(8);
  bench.multicast(5, 0b1000'0110, pattern(100, 1));
  bench.network->inject(bench.units[5].to_send.front(), 0);
  EXPECT_EQ(bench.units[5].tags, 3U);
  bench.calendar.run_until(10000);
  bench.network->check_at_end();
  EXPECT_EQ(bench.units[5].tags, 3U);
}

/// Trees of two and three levels, with switches of different sizes, and numbers of participants
/// that are no powers.
TEST(StarNetwork, CombinesAndMulticastsForMoreThanAMaskHasBits) {
  struct Shape {
    unsigned count;
    const char* tree;
    unsigned levels;
    unsigned switches;
  };
  for (const Shape& shape :
       {Shape{40, "16+16+8 3", 2, 4}, Shape{40, "", 1, 1}, Shape{100, "7+33+60 3", 2, 4},
        Shape{200, "8 5+20 2", 3, 28}, Shape{72, "9 8", 2, 9}, Shape{512, "8 8 8", 3, 73}}) {
    StarBench bench(shape.count, {{"tree", shape.tree}});
    EXPECT_EQ(bench.network->tree().levels(), shape.levels);
    EXPECT_EQ(bench.network->tree().switches(), shape.switches);
    // Even and odd participants have reductions of their own, with the same numbers.
    std::vector<std::uint32_t> sums[2] = {std::vector<std::uint32_t>(200),
                                          std::vector<std::uint32_t>(200)};
    for (unsigned unit = 0; unit < shape.count; ++unit) {
      std::vector<std::uint32_t> operand(200);
      std::mt19937 random(unit);
      for (std::size_t i = 0; i < operand.size(); ++i)
        sums[unit % 2][i] += operand[i] = static_cast<std::uint32_t>(random());
      const std::uint32_t half = stop::chip_range(unit % 2, shape.count / 2, 2);
      bench.reduce(unit, half, unit % 2 == 0 ? half : stop::chip_range(1, 1),
                   StarBench::bytes_of(operand), stop::kOpSum, stop::kTypeInt32, true);
    }
    const std::vector<std::uint8_t> data = pattern(1500, 1);
    bench.multicast(shape.count - 2, stop::chip_range(0, shape.count), data, true);
    bench.run();
    bench.network->check_at_end();
    for (unsigned unit = 0; unit < shape.count; ++unit) {
      const bool gets = unit % 2 == 0 || unit == 1;
      EXPECT_EQ(bench.result_of<std::uint32_t>(unit),
                gets ? sums[unit % 2] : std::vector<std::uint32_t>{})
          << shape.tree << ", " << unit;
      const auto copies = std::ranges::count_if(
          bench.units[unit].packets,
          [](const Packet& packet) { return packet.order.kind == SwitchOrder::Kind::kMulticast; });
      EXPECT_EQ(copies, unit == shape.count - 2 ? 0 : 3) << unit;
    }
  }
}

/// Operands of a group have slots of their own, however its orders name it.
TEST(StarNetwork, AGroupOfAMaskIsThatOfTheSameRange) {
  StarBench bench(8, {{"reduction_packets", "1"}});
  for (unsigned unit = 0; unit < 4; ++unit) {
    bench.reduce(unit, 0xF, 0xF, pattern(400, unit));
    bench.reduce(unit, stop::chip_range(0, 4), stop::chip_range(0, 4), pattern(400, unit),
                 stop::kOpSum, stop::kTypeInt32, true);
  }
  bench.run();
  bench.network->check_at_end();
  EXPECT_EQ(bench.network->stats().most_to_combine, 4U);
  EXPECT_EQ(bench.units[3].results.size(), 2U);
}

template <typename T, typename Fold>
void expect_exact(const char* tree, std::uint32_t op, std::uint32_t type, const Fold& fold) {
  StarBench bench(8, {{"tree", tree}});
  std::mt19937 random(op * 16 + type);
  std::vector<std::vector<T>> operands(8, std::vector<T>(300));
  for (auto& operand : operands)
    for (T& value : operand) value = static_cast<T>(static_cast<std::int32_t>(random()));
  for (unsigned unit = 0; unit < 8; ++unit)
    bench.reduce(unit, 0xFF, 0b0101'1010, StarBench::bytes_of(operands[unit]), op, type);
  bench.run();
  bench.network->check_at_end();
  std::vector<T> golden = operands[0];
  for (unsigned unit = 1; unit < 8; ++unit)
    for (std::size_t i = 0; i < golden.size(); ++i) golden[i] = fold(golden[i], operands[unit][i]);
  for (unsigned unit = 0; unit < 8; ++unit) {
    const bool gets = (0b0101'1010 >> unit & 1) != 0;
    EXPECT_EQ(bench.result_of<T>(unit), gets ? golden : std::vector<T>{}) << tree << ", " << unit;
    EXPECT_EQ(bench.units[unit].absorbed_packets == 0, gets);
  }
}

TEST(StarNetwork, CombinesIntegersExactly) {
  for (const char* const tree : kTrees8) {
    expect_exact<std::uint32_t>(tree, stop::kOpSum, stop::kTypeInt32, std::plus<>());
    expect_exact<std::uint32_t>(tree, stop::kOpProd, stop::kTypeInt32, std::multiplies<>());
    const auto larger = [](auto a, auto b) { return std::max(a, b); };
    const auto smaller = [](auto a, auto b) { return std::min(a, b); };
    expect_exact<std::int32_t>(tree, stop::kOpMax, stop::kTypeInt32, larger);
    expect_exact<std::int32_t>(tree, stop::kOpMin, stop::kTypeInt32, smaller);
    expect_exact<std::uint64_t>(tree, stop::kOpSum, stop::kTypeInt64, std::plus<>());
  }
}

/// Seven roundings in any order of the tree; sums of absolute values bound them.
TEST(StarNetwork, CombinesFloatsWithinTheirRoundings) {
  const double gamma = 7 * std::ldexp(1, -24) / (1 - 7 * std::ldexp(1, -24));
  for (const char* const tree : kTrees8) {
    StarBench bench(8, {{"tree", tree}});
    std::mt19937 random(3);
    std::uniform_real_distribution<float> draw(-1, 1);
    std::vector<double> sum(300);
    std::vector<double> scale(300);
    for (unsigned unit = 0; unit < 8; ++unit) {
      std::vector<float> operand(300);
      for (std::size_t i = 0; i < operand.size(); ++i) {
        operand[i] = draw(random);
        sum[i] += static_cast<double>(operand[i]);
        scale[i] += std::abs(static_cast<double>(operand[i]));
      }
      bench.reduce(unit, 0xFF, 0xFF, StarBench::bytes_of(operand), stop::kOpSum, stop::kTypeFp32);
    }
    bench.run();
    const std::vector<float> first = bench.result_of<float>(0);
    ASSERT_EQ(first.size(), 300U);
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_NEAR(static_cast<double>(first[i]), sum[i], gamma * scale[i]);
    for (unsigned unit = 1; unit < 8; ++unit) EXPECT_EQ(bench.result_of<float>(unit), first);
  }
}

/// The result does not depend on arrival: operands combine in the order of ports.
TEST(StarNetwork, CombinesInTheOrderOfPorts) {
  const auto result = [](bool reversed) {
    StarBench bench(3);
    const float values[] = {1e8F, -1e8F, 1.0F};
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned unit = reversed ? 2 - i : i;
      bench.reduce(unit, 7, 7, StarBench::bytes_of(std::vector<float>(4, values[unit])),
                   stop::kOpSum, stop::kTypeFp32);
      bench.run();
    }
    return bench.result_of<float>(0).at(0);
  };
  EXPECT_EQ(result(false), 1.0F);
  EXPECT_EQ(result(true), 1.0F);
}

TEST(StarNetwork, GroupsThatShareNobodyGoSideBySide) {
  for (const char* const tree : kTrees8) {
    StarBench bench(8, {{"tree", tree}, {"reduction_packets", "1"}});
    // Each group has members on both sides of the tree, which begin with different groups.
    const auto send = [&](unsigned unit) {
      for (unsigned message = 0; message < 4; ++message) {
        const std::uint32_t group = unit % 2 == 0 ? 0b0101'0101 : 0b1010'1010;
        bench.reduce(unit, group, group,
                     StarBench::bytes_of(std::vector<std::uint32_t>(100, unit + message)));
      }
    };
    for (const unsigned unit : {1U, 3U, 4U, 6U}) send(unit);
    bench.run();
    for (const unsigned unit : {0U, 2U, 5U, 7U}) send(unit);
    bench.run();
    bench.network->check_at_end();
    for (unsigned unit = 0; unit < 8; ++unit) {
      const std::vector<std::uint32_t> got = bench.result_of<std::uint32_t>(unit);
      ASSERT_EQ(got.size(), 400U);
      for (unsigned i = 0; i < 400; ++i)
        EXPECT_EQ(got[i], (unit % 2 == 0 ? 0 + 2 + 4 + 6 : 1 + 3 + 5 + 7) + 4 * (i / 100));
    }
  }
}

/// A port of the switch has a limited rate: four senders to one receiver take four times as long
/// and wait for slots of the switch.
TEST(StarNetwork, SendersToOneReceiverShareItsPort) {
  StarBench bench(5, {{"buffer_packets", "2"}});
  for (unsigned from = 1; from < 5; ++from) bench.pass(from, 0, pattern(8192, from));
  const double ns = bench.run();
  EXPECT_NEAR(ns, 200 + 4 * 16 * 520 / 0.5, 200);
  EXPECT_EQ(bench.units[0].packets.size(), 64U);
}

TEST(StarNetwork, AnUplinkOfTwiceTheRateIsBusyForHalfTheTime) {
  for (const char* const rate : {"0.25", "0.5", "1"}) {
    StarBench bench(8, {{"tree", "4 2"}, {"uplink_gb_s", rate}});
    for (unsigned unit = 0; unit < 8; ++unit)
      bench.reduce(unit, 0xFF, 0xFF, std::vector<std::uint8_t>(65536, 1));
    const double ns = bench.run();
    const double wire = 65536 + 128 * 8;
    const double slower = std::min(0.5, std::stod(rate));
    // A packet leaves on a faster link as early as its last byte allows.
    EXPECT_NEAR(ns, 4 * 100 + 2 * 20 + wire / slower, 0.02 * ns) << rate;
    EXPECT_NEAR(static_cast<double>(bench.network->up(8).stats.busy), 1000 * wire / std::stod(rate),
                wire)
        << rate;
  }
}

/// A packet of 520 B is complete in its first switch after 1040 ns, plus 100 for the hop. A link of
/// twice the rate begins 520 ns earlier, so that it never runs empty.
TEST(StarNetwork, AFasterLinkWaitsUntilItCannotRunDry) {
  StarBench bench(8, {{"tree", "4 2"}, {"uplink_gb_s", "1"}});
  bench.pass(0, 7, pattern(512, 1));
  EXPECT_NEAR(bench.run(), 1140 - 520 + 3 * 100 + 1040, 1);
}

TEST(StarNetwork, NamesTheLinkThatLosesSomething) {
  StarBench bench(8, {{"tree", "4 2"}, {"faults", "unit3@2000 switch1@50000"}});
  for (unsigned unit = 0; unit < 8; ++unit)
    bench.reduce(unit, 0xFF, 0xFF, std::vector<std::uint8_t>(16384, 1));
  bench.run();
  ASSERT_FALSE(bench.units[3].lost_why.empty());
  EXPECT_EQ(bench.units[3].lost_why.front(),
            "the link between unit3 and switch0 is broken since 2000 ns");
  EXPECT_TRUE(bench.units[2].lost_why.empty());
  // One packet of 520 B is through at 1040 ns, so the second one lacks an operand.
  EXPECT_EQ(bench.units[0].packets.size(), 1U);
  ASSERT_FALSE(bench.network->waiting().empty());
  EXPECT_EQ(bench.network->waiting().front(),
            "switch0: reduction 0, packet 1, has the operands of unit 0, unit 1, unit 2 and waits "
            "for unit 3");
  EXPECT_THROW(bench.network->check_at_end(), foundation::Fault);

  StarBench later(8, {{"tree", "4 2"}, {"faults", "switch1@0"}});
  later.pass(6, 1, pattern(100, 1));
  later.pass(6, 7, pattern(100, 1));
  later.multicast(0, 0b1100'0010, pattern(100, 1));
  later.run();
  later.network->check_at_end();
  EXPECT_EQ(later.units[6].lost_why.size(), 1U);
  EXPECT_EQ(later.units[0].lost_why.size(), 2U);  // copies for 6 and 7
  EXPECT_EQ(later.units[1].packets.size(), 1U);
  EXPECT_EQ(later.units[7].packets.size(), 1U);
}

TEST(StarNetwork, NamesTheParticipantThatIsMissing) {
  StarBench bench(4);
  for (const unsigned unit : {0U, 1U, 3U})
    bench.reduce(unit, 0xF, 0xF, std::vector<std::uint8_t>(64, 1));
  bench.run();
  ASSERT_EQ(bench.network->waiting().size(), 1U);
  EXPECT_EQ(bench.network->waiting().front(),
            "switch0: reduction 0, packet 0, has the operands of unit 0, unit 1, unit 3 and waits "
            "for unit 2");
}

TEST(StarNetwork, ReductionsThatDisagreeAreAFault) {
  for (const char* const tree : {"", "2 2"}) {
    StarBench bench(4, {{"tree", tree}});
    for (const unsigned unit : {0U, 1U, 2U, 3U})
      bench.reduce(unit, 0xF, 0xF, std::vector<std::uint8_t>(64, 1),
                   unit < 2 ? stop::kOpSum : stop::kOpMax);
    EXPECT_TRUE(tvp::test::faults([&] { bench.run(); }, foundation::FaultKind::kFirmware,
                                  {"another op, type, length or set of participants"}));
  }
}

std::string refusal_of(const std::vector<std::pair<std::string, std::string>>& settings,
                       unsigned count = 8) {
  return tvp::test::fault_of([&] { const StarBench bench(count, settings); },
                             foundation::FaultKind::kDescription, "");
}

void expect_refusal(const std::string& what, const std::string& key, const std::string& part) {
  EXPECT_NE(what.find(key), std::string::npos) << what;
  EXPECT_NE(what.find(part), std::string::npos) << what;
}

TEST(StarNetwork, RefusesTreesAndFaultsThatCannotBe) {
  expect_refusal(refusal_of({{"tree", "4 3"}}), "switch.tree", "expected a product of 8");
  expect_refusal(refusal_of({{"tree", "4"}}), "switch.tree", "ends with 2 switches");
  expect_refusal(refusal_of({{"tree", "3+4 2"}}), "switch.tree", "'3+4' of '3+4 2' has 7 ports");
  expect_refusal(refusal_of({{"tree", "3+5 3"}}), "switch.tree", "3 ports for 2 nodes");
  expect_refusal(refusal_of({{"tree", "3+ 2"}}), "switch.tree", "'3+': expected counts");
  expect_refusal(refusal_of({{"tree", "8 1 1 1 1 1 1 1 1 1"}}), "switch.tree",
                 "10 levels: expected at most 9");
  expect_refusal(refusal_of({}, 513), "switch.tree", "513 participants: expected 2 to 512");
  expect_refusal(refusal_of({{"tree", "4 x"}}), "switch.tree", "'x': expected counts");
  expect_refusal(refusal_of({{"tree", "0 8"}}), "switch.tree", "'0': expected counts");
  expect_refusal(refusal_of({}, 1), "switch.tree", "expected 2 to 512");
  expect_refusal(refusal_of({{"faults", "unit8@0"}}), "switch.faults", "unit0 to unit7");
  expect_refusal(refusal_of({{"faults", "unit1"}}), "switch.faults", "'unit1': expected NAME@NS");
  expect_refusal(refusal_of({{"faults", "switch0@1"}}), "switch.faults", "'switch0@1'");
  expect_refusal(refusal_of({{"tree", "4 2"}, {"faults", "switch2@1"}}), "switch.faults",
                 "switch0 to switch1");
}

TEST(StarNetwork, SaysWhatTheSwitchDoesNotDo) {
  StarBench bench(8);
  const auto has = [&](const SwitchOrder& order, const char* text) {
    const std::string refusal = bench.network->refusal(2, order);
    EXPECT_NE(refusal.find(text), std::string::npos) << refusal;
  };
  using Kind = SwitchOrder::Kind;
  has({.kind = Kind::kMulticast, .to_chips = 0}, "receivers among participants 0 to 7");
  has({.kind = Kind::kMulticast, .to_chips = 0x100}, "receivers among participants 0 to 7");
  has({.kind = Kind::kMulticast, .to_chips = 4}, "other than the own");
  has({.kind = Kind::kReduce, .from_chips = 3, .to_chips = 1}, "the own chip and others");
  has({.kind = Kind::kReduce, .from_chips = 5, .to_chips = 2}, "that send something");
  EXPECT_EQ(bench.network->refusal(2, {.kind = Kind::kReduce, .from_chips = 5, .to_chips = 1}), "");
  const StarBench large(48);
  const auto multicast = [&](std::uint32_t range) {
    return large.network->refusal(47,
                                  {.kind = Kind::kMulticast, .ranges = true, .to_chips = range});
  };
  EXPECT_EQ(multicast(stop::chip_range(0, 1)), "");
  EXPECT_EQ(multicast(stop::chip_range(1, 24, 2)), "");
  for (const std::uint32_t nobody : {0U, stop::chip_range(0, 49), stop::chip_range(48, 1),
                                     stop::chip_range(0, 25, 2), stop::chip_range(0, 1, 0), ~0U})
    EXPECT_EQ(multicast(nobody), "expected receivers among participants 0 to 47") << nobody;
  EXPECT_EQ(multicast(stop::chip_range(47, 1)), "expected receivers other than the own chip");
  EXPECT_EQ(large.network->refusal(47, {.kind = Kind::kReduce,
                                        .ranges = true,
                                        .from_chips = stop::chip_range(0, 24, 2),
                                        .to_chips = stop::chip_range(0, 1)}),
            "expected the own chip and others among participants 0 to 47");
  EXPECT_EQ(large.network->refusal(47, {.kind = Kind::kMulticast, .to_chips = 1}), "");
  const auto others = large.network->receivers(
      47, {.kind = Kind::kMulticast, .ranges = true, .to_chips = stop::chip_range(1, 24, 2)});
  ASSERT_EQ(others.size(), 23U);
  EXPECT_EQ(others.front(), 1U);
  EXPECT_EQ(others.back(), 45U);
  const StarBench dumb(8, {{"alu", "false"}});
  EXPECT_NE(dumb.network->refusal(2, {.kind = Kind::kReduce, .from_chips = 5, .to_chips = 1})
                .find("switch.alu=true"),
            std::string::npos);
  EXPECT_EQ(dumb.network->refusal(2, {.kind = Kind::kMulticast, .to_chips = 1}), "");
}

}  // namespace
}  // namespace tvp::pim::star_network_test
