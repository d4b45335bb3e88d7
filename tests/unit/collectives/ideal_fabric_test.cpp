// Schedules on the ideal alpha-beta machine: times against the formulas of the literature.
#include "sw/collectives/ideal/ideal_fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "foundation/fault.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/collectives/schedule/program_builder.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

Schedule made(const std::string& algorithm, Primitive primitive, std::uint32_t ranks,
              std::uint32_t segments = 1, const std::string& variant = "") {
  ScheduleRequest request;
  request.primitive = primitive;
  request.ranks = ranks;
  request.segments = segments;
  request.variant = variant;
  return algorithm_named(algorithm).schedule(request);
}

IdealMachine machine(std::uint64_t alpha, std::uint64_t chunk, std::uint32_t ports = 1,
                     std::uint32_t slots = 8) {
  IdealMachine wanted;
  wanted.slots = slots;
  wanted.alpha = alpha;
  wanted.chunk = chunk;
  wanted.ports = ports;
  return wanted;
}

/// Coefficient of M / BW with alpha = 0.
double n_beta(const Schedule& schedule, std::uint32_t ports, std::uint32_t slots = 8) {
  return static_cast<double>(IdealFabric(schedule, machine(0, 1, ports, slots)).run().time) /
         schedule.vector_chunks();
}

double n_alpha(const Schedule& schedule, std::uint32_t ports) {
  return static_cast<double>(IdealFabric(schedule, machine(1, 0, ports)).run().time);
}

double log2_up(std::uint32_t n) { return ceil_log2(n); }
double part(std::uint32_t n) { return (n - 1.0) / n; }

// If the number of ranks is no power of two, some ranks first send their data to a neighbor and
// receive the result last.
double folds(std::uint32_t n) { return std::has_single_bit(n) ? 0 : 2; }
double folded_log2(std::uint32_t n) { return std::floor(std::log2(n)) + folds(n); }
/// The shares of the rank at the first place, which represents two ranks: its partners have fewer
/// shares.
double folded_shares(std::uint32_t n) {
  const std::uint32_t places = std::bit_floor(n);
  const std::uint32_t folded = n - places;
  double shares = folded == 0 ? 0 : 1 + n;
  for (std::uint32_t count = 1; count < places; count *= 2)
    shares += count + std::min(count, folded);
  return shares / n;
}

/// A formula: the cost with one port. With P segments the coefficient approaches the given value.
struct Theory {
  const char* algorithm;
  Primitive primitive;
  const char* variant;
  std::uint32_t segments;
  std::uint32_t ports;
  std::function<double(std::uint32_t)> alpha;
  std::function<double(std::uint32_t)> beta;
};

constexpr std::uint32_t kMany = 1500;  ///< segments, which keep (L - 1) / P below 1 %

double pipelined(std::uint32_t depth) { return depth + kMany - 1.0; }

const Theory kTheory[] = {
    {"ring", Primitive::kAllReduce, "", 1, 1, [](auto n) { return 2.0 * (n - 1); },
     [](auto n) { return 2 * part(n); }},
    {"ring", Primitive::kAllGather, "", 1, 1, [](auto n) { return n - 1.0; }, part},
    {"ring", Primitive::kReduceScatter, "", 1, 1, [](auto n) { return n - 1.0; }, part},
    {"ring", Primitive::kBroadcast, "", 1, 1, [](auto n) { return n - 1.0; },
     [](auto n) { return n - 1.0; }},
    {"ring", Primitive::kBroadcast, "", kMany, 1, [](auto n) { return pipelined(n - 1); },
     [](auto) { return 1.0; }},
    {"ring", Primitive::kReduce, "", kMany, 1, [](auto n) { return pipelined(n - 1); },
     [](auto) { return 1.0; }},
    {"chain", Primitive::kBroadcast, "", kMany, 1, [](auto n) { return pipelined(n - 1); },
     [](auto) { return 1.0; }},
    {"chain", Primitive::kReduce, "", kMany, 1, [](auto n) { return pipelined(n - 1); },
     [](auto) { return 1.0; }},
    {"binomial", Primitive::kBroadcast, "", 1, 1, log2_up, log2_up},
    {"binomial", Primitive::kReduce, "", 1, 1, log2_up, log2_up},
    // Segments gain nothing on one port, because the root sends everything L times.
    {"binomial", Primitive::kBroadcast, "", kMany, 1, [](auto n) { return kMany * log2_up(n); },
     log2_up},
    {"binomial", Primitive::kGather, "", 1, 1, log2_up, part},
    {"binomial", Primitive::kScatter, "", 1, 1, log2_up, part},
    {"heap", Primitive::kBroadcast, "", kMany, 1, nullptr, [](auto) { return 2.0; }},
    {"heap", Primitive::kReduce, "", kMany, 1, nullptr, [](auto) { return 2.0; }},
    {"tree", Primitive::kAllReduce, "", kMany, 1, nullptr,
     [](auto n) { return n > 4 ? 3.0 : 2.0; }},
    {"double_binary_tree", Primitive::kAllReduce, "", kMany, 2, nullptr, [](auto) { return 1.0; }},
    {"recursive_doubling", Primitive::kAllReduce, "", 1, 1, folded_log2, folded_log2},
    {"recursive_doubling", Primitive::kAllGather, "", 1, 1, folded_log2, folded_shares},
    {"recursive_halving", Primitive::kReduceScatter, "", 1, 1, folded_log2, folded_shares},
    {"rabenseifner", Primitive::kAllReduce, "", 1, 1,
     [](auto n) { return 2 * std::floor(std::log2(n)) + folds(n); },
     [](auto n) { return 2 * part(std::bit_floor(n)) + folds(n); }},
    {"pat", Primitive::kAllGather, "", 1, 1, log2_up, part},
    {"pat", Primitive::kReduceScatter, "", 1, 1, log2_up, part},
    {"ring_relay", Primitive::kAllToAll, "tie_right", 1, 2,
     [](auto n) { return n % 2 ? (n * n - 1) / 8.0 : n * (n + 2) / 8.0; },
     [](auto n) { return (n % 2 ? (n * n - 1) / 8.0 : n * (n + 2) / 8.0) / n; }},
    {"ring_relay", Primitive::kAllToAll, "tie_split", 1, 2, nullptr,
     [](auto n) { return (n % 2 ? (n * n - 1) / 8.0 : n * n / 8.0) / n; }},
    {"ring_relay", Primitive::kAllToAll, "farthest_first", 1, 2, nullptr,
     [](auto n) { return (n % 2 ? (n * n - 1) / 8.0 : n * n / 8.0) / n; }},
    {"pairwise", Primitive::kAllToAll, "offset", 1, 1, [](auto n) { return n - 1.0; }, part},
    {"pairwise", Primitive::kAllToAll, "quadratic", 1, 1, [](auto n) { return n - 1.0; }, part},
    {"pairwise", Primitive::kSendRecv, "", 1, 1, [](auto) { return 1.0; },
     [](auto) { return 1.0; }},
    {"pairwise", Primitive::kGather, "", 1, 1, [](auto n) { return n - 1.0; }, part},
    {"pairwise", Primitive::kScatter, "", 1, 1, [](auto n) { return n - 1.0; }, part},
    {"inc", Primitive::kBroadcast, "", 1, 1, nullptr, [](auto) { return 1.0; }},
    {"inc", Primitive::kReduce, "", 1, 1, nullptr, [](auto) { return 1.0; }},
    {"inc", Primitive::kAllReduce, "", 1, 1, nullptr, [](auto) { return 1.0; }},
};

TEST(IdealFabric, CostsWhatTheFormulasSay) {
  for (const Theory& row : kTheory)
    for (const std::uint32_t ranks : {4U, 5U, 8U, 16U}) {
      ScheduleRequest request;
      request.primitive = row.primitive;
      request.ranks = ranks;
      request.segments = row.segments;
      request.variant = row.variant;
      if (!algorithm_named(row.algorithm).refusal(request).empty()) continue;
      const Schedule schedule = algorithm_named(row.algorithm).schedule(request);
      EXPECT_NEAR(n_beta(schedule, row.ports) / row.beta(ranks), 1, 0.0101) << schedule.name;
      if (row.alpha) {
        EXPECT_EQ(n_alpha(schedule, row.ports), row.alpha(ranks)) << schedule.name;
      }
    }
}

TEST(IdealFabric, TwoTreesInTurnsKeepOnePortBusy) {
  // In four steps of a period each half of the vector moves by one edge. Without buffers the
  // schedule fixes the order of receiving.
  for (const std::uint32_t ranks : {5U, 7U, 8U, 16U, 31U, 32U}) {
    const Schedule schedule =
        made("double_binary_tree", Primitive::kAllReduce, ranks, kMany, "in_turns");
    EXPECT_NEAR(n_beta(schedule, 1, 0) / 2, 1, 0.0101) << ranks;
  }
}

TEST(IdealFabric, ChildrenOfATreeDoNotWaitForEachOther) {
  for (std::uint32_t ranks = 2; ranks <= 80; ranks += 3) {
    // Two ports send to both children at once, and nothing else limits a broadcast.
    const Schedule heap = made("heap", Primitive::kBroadcast, ranks);
    for (const std::uint32_t ports : {0U, 2U, 3U})
      EXPECT_EQ(n_alpha(heap, ports), std::bit_width(ranks) - 1) << ranks << " " << ports;
    const Schedule trees = made("double_binary_tree", Primitive::kAllReduce, ranks);
    EXPECT_EQ(n_alpha(trees, 0), 2 * ceil_log2(ranks)) << ranks;
  }
}

TEST(IdealFabric, TheTorusUsesAllPortsOfARank) {
  const std::vector<std::vector<std::uint32_t>> shapes = {
      {5}, {4, 4}, {2, 3}, {2, 2}, {6, 4}, {2, 2, 2}, {3, 3, 3}, {2, 3, 4}, {4, 2, 2}};
  for (const std::vector<std::uint32_t>& shape : shapes) {
    ScheduleRequest request;
    request.ranks = 1;
    std::uint32_t steps = 0;
    std::string name;
    for (const std::uint32_t side : shape) {
      request.tiers.push_back({side, "ring"});
      request.ranks *= side;
      steps += side - 1;
      name += (name.empty() ? "torus:" : "x") + std::to_string(side);
    }
    const auto ports = static_cast<std::uint32_t>(2 * shape.size());
    const bool cube = std::ranges::count(shape, shape[0]) == std::ssize(shape);
    for (const Primitive primitive :
         {Primitive::kAllReduce, Primitive::kReduceScatter, Primitive::kAllGather}) {
      request.primitive = primitive;
      const Schedule schedule = algorithm_named("torus").schedule(request);
      const double passes = primitive == Primitive::kAllReduce ? 2 : 1;
      if (primitive == Primitive::kAllReduce) {
        EXPECT_EQ(n_alpha(schedule, ports), passes * steps) << schedule.name;
      } else {
        // A message for each other rank. Both phases overlap, so ports are idle only if the sides
        // of the torus differ.
        EXPECT_GE(n_alpha(schedule, ports), request.ranks - 1) << schedule.name;
        EXPECT_LE(n_alpha(schedule, ports), cube ? request.ranks - 1 : request.ranks + 1)
            << schedule.name;
      }
      EXPECT_DOUBLE_EQ(n_beta(schedule, 1), passes * part(request.ranks)) << schedule.name;
      if (!cube) continue;
      EXPECT_DOUBLE_EQ(n_beta(schedule, ports), passes * part(request.ranks) / ports)
          << schedule.name;
      if (shape.size() < 2 || shape[0] < 3) continue;
      // Links are as busy as ports.
      IdealMachine wired = machine(0, 1, 0);
      wired.topology = topology_named(name, request.ranks);
      EXPECT_EQ(
          static_cast<double>(IdealFabric(schedule, wired).run().time) / schedule.vector_chunks(),
          passes * part(request.ranks) / ports)
          << schedule.name;
    }
  }
}

TEST(IdealFabric, BruckSendsWhatHasTheBit) {
  for (const std::uint32_t ranks : {4U, 5U, 8U, 11U, 16U}) {
    double chunks = 0;
    for (std::uint32_t distance = 1; distance < ranks; ++distance)
      for (std::uint32_t bit = 1; bit < ranks; bit *= 2) chunks += distance & bit ? 1 : 0;
    const Schedule schedule = made("bruck", Primitive::kAllToAll, ranks);
    EXPECT_DOUBLE_EQ(n_beta(schedule, 1), chunks / ranks) << ranks;
    EXPECT_EQ(n_alpha(schedule, 1), ceil_log2(ranks)) << ranks;
  }
}

TEST(IdealFabric, PatTakesLogarithmicallyManyRoundsOnlyWithRoomForThem) {
  ScheduleRequest request;
  request.primitive = Primitive::kAllGather;
  request.ranks = 16;
  const double rounds[] = {15, 8, 8, 5, 5, 5, 5, 4};
  for (std::uint32_t buffer = 1; buffer <= 8; ++buffer) {
    request.buffer = buffer;
    const Schedule schedule = algorithm_named("pat").schedule(request);
    EXPECT_EQ(n_alpha(schedule, 1), rounds[buffer - 1]) << buffer;
    EXPECT_DOUBLE_EQ(n_beta(schedule, 1), 15.0 / 16) << buffer;
  }
}

/// Least squares of time over bytes.
struct Line {
  double at_zero;
  double slope;
};
Line fit(const std::vector<std::pair<double, double>>& points) {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const auto& [bytes, time] : points) {
    n += 1;
    x += bytes;
    y += time;
    xx += bytes * bytes;
    xy += bytes * time;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, slope};
}

TEST(IdealFabric, AlphaAndBetaComeBackFromAFitOverSizes) {
  for (const Theory& row : kTheory) {
    if (row.segments != 1 || !row.alpha) continue;
    const Schedule schedule = made(row.algorithm, row.primitive, 8, 1, row.variant);
    std::vector<std::pair<double, double>> points;
    for (std::uint64_t chunk = 1000; chunk <= 1'000'000; chunk *= 10)
      points.emplace_back(chunk * schedule.vector_chunks(),
                          IdealFabric(schedule, machine(50'000, chunk, row.ports)).run().time);
    const Line line = fit(points);
    EXPECT_NEAR(line.at_zero / row.alpha(8) / 50'000, 1, 0.02) << schedule.name;
    EXPECT_NEAR(line.slope / row.beta(8), 1, 0.02) << schedule.name;
  }
}

TEST(IdealFabric, RowsThenColumnsOfAMesh) {
  // reduce_scatter in rows, all_reduce in columns, all_gather in rows: 2(C-1) + 2(R-1) messages,
  // the bytes of one ring.
  ScheduleRequest request;
  request.ranks = 32;
  request.tiers = {{4, "ring"}, {8, "ring"}};
  const Schedule schedule = algorithm_named("hierarchy").schedule(request);
  EXPECT_EQ(n_alpha(schedule, 1), 2 * 7 + 2 * 3);
  EXPECT_DOUBLE_EQ(n_beta(schedule, 1), 2 * 31.0 / 32);
}

TEST(IdealFabric, TheSwitchCostsTwoCrossings) {
  IdealMachine wanted = machine(0, 1000);
  wanted.switch_alpha = 150;
  for (const Primitive primitive :
       {Primitive::kBroadcast, Primitive::kReduce, Primitive::kAllReduce})
    EXPECT_EQ(IdealFabric(made("inc", primitive, 8), wanted).run().time, 2 * 150 + 1000U);
  // A rank sends N - 1 of N chunks, which the switch sorts without waiting.
  for (const std::uint32_t ranks : {5U, 8U, 16U, 24U})
    EXPECT_EQ(IdealFabric(made("inc", Primitive::kAllToAll, ranks), wanted).run().time,
              2 * 150 + 1000U * (ranks - 1))
        << ranks;
}

TEST(IdealFabric, RefusesWhatCannotEnd) {
  ProgramBuilder builder(Primitive::kBroadcast, 2, 1);
  builder.at(1).receive(0, output(0));
  const Schedule schedule = builder.finish("half of it");
  EXPECT_TRUE(tvp::test::faults([&] { IdealFabric(schedule, machine(1, 1)).run(); }, {},
                                {"rank 1 lane 0 step 0"}));
}

TEST(IdealTopology, RoutesAreShortestAlongXThenY) {
  const auto mesh = topology_named("mesh:4x8", 32);
  EXPECT_EQ(mesh->route(7, 8).size(), 8U);
  EXPECT_EQ(mesh->route(31, 0).size(), 10U);
  EXPECT_EQ(mesh->link_name(mesh->route(0, 9)[0]), "0 -> 1");
  EXPECT_EQ(mesh->link_name(mesh->route(0, 9)[1]), "1 -> 9");
  EXPECT_EQ(topology_named("torus:4x8", 32)->route(31, 0).size(), 2U);
  EXPECT_EQ(topology_named("ring", 8)->route(0, 5).size(), 3U);
  const auto cube = topology_named("torus:2x3x4", 24);
  EXPECT_EQ(cube->links(), 24U * 6);
  EXPECT_EQ(cube->route(0, 23).size(), 3U);
  EXPECT_EQ(cube->link_name(cube->route(0, 23)[0]), "0 -> 3");
  EXPECT_EQ(cube->link_name(cube->route(0, 23)[1]), "3 -> 11");
  EXPECT_EQ(cube->link_name(cube->route(0, 23)[2]), "11 -> 23");
  EXPECT_EQ(topology_named("line", 8)->route(0, 7).size(), 7U);
  EXPECT_EQ(topology_named("crossbar", 8)->route(0, 7).size(), 0U);
  for (const char* wrong : {"mesh", "mesh:4", "mesh:0x8", "mesh:2x8", "star", "mesh:4x8x",
                            "torus:4x4x3", "torus:65536x65536", "torus:", "torus:32"})
    EXPECT_THROW(topology_named(wrong, 32), foundation::Fault) << wrong;
}

TEST(IdealTopology, HamiltonianOrdersAreClosedWaysOfNeighbors) {
  for (std::uint32_t rows = 2; rows <= 6; ++rows)
    for (std::uint32_t columns = 2; columns <= 8; ++columns) {
      const std::vector<std::uint32_t> order = hamiltonian_order(rows, columns);
      EXPECT_EQ(std::set(order.begin(), order.end()).size(), rows * columns);
      if (rows % 2 && columns % 2) continue;
      const auto mesh = topology_named(
          "mesh:" + std::to_string(rows) + "x" + std::to_string(columns), rows * columns);
      for (std::size_t at = 0; at < order.size(); ++at)
        EXPECT_EQ(mesh->route(order[at], order[(at + 1) % order.size()]).size(), 1U)
            << rows << "x" << columns << " place " << at;
    }
}

TEST(IdealTopology, LinksOfARingCarryWhatIsBetween) {
  IdealMachine wanted = machine(0, 1, 0);
  wanted.topology = topology_named("ring", 8);
  const Schedule schedule = made("ring_relay", Primitive::kAllToAll, 8, 1, "tie_right");
  const FabricResult result = IdealFabric(schedule, wanted).run();
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(result.carried[rank * 4], 10U);     // to the right: 1 + 2 + 3 + 4
    EXPECT_EQ(result.carried[rank * 4 + 1], 6U);  // to the left: 1 + 2 + 3
  }
}

/// The document's systems: 72 ranks below two levels of switches, 512 below three.
TEST(IdealFabric, SwitchesOfSeveralLevelsCombineForManyRanks) {
  IdealMachine tree{.alpha = 0, .chunk = 1000, .switch_alpha = 150};
  for (const auto& [ranks, levels] : {std::pair{72U, 2U}, {512U, 3U}}) {
    tree.switch_levels = levels;
    for (const Primitive primitive :
         {Primitive::kBroadcast, Primitive::kReduce, Primitive::kAllReduce}) {
      ScheduleRequest request;
      request.primitive = primitive;
      request.ranks = ranks;
      request.root = ranks - 1;
      const Schedule schedule = algorithm_named("inc").schedule(request);
      const Verdict verdict = Checker(schedule).run();
      EXPECT_TRUE(verdict.right()) << verdict.text();
      EXPECT_EQ(IdealFabric(schedule, tree).run().time, 2 * levels * 150 + 1000U) << schedule.name;
    }
  }
  ScheduleRequest request;
  request.primitive = Primitive::kAllToAll;
  request.ranks = 72;
  const Schedule exchange = algorithm_named("inc").schedule(request);
  EXPECT_TRUE(Checker(exchange).run().right());
  tree.switch_levels = 2;
  EXPECT_EQ(IdealFabric(exchange, tree).run().time, 4 * 150 + 71 * 1000U);
}

}  // namespace
}  // namespace tvp::collectives
