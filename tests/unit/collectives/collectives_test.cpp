// Tests the host side of the collectives of PIM units: rings over meshes, costs, bytes on the DDR
// bus, expected results.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "foundation/fault.h"
#include "sw/collectives/ideal/ideal_topology.h"
#include "sw/collectives/pim/host_path.h"
#include "sw/collectives/pim/port_cost.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

unsigned hop(unsigned a, unsigned b, unsigned width) {
  const auto apart = [](unsigned x, unsigned y) { return x > y ? x - y : y - x; };
  return apart(a % width, b % width) + apart(a / width, b / width);
}

TEST(HamiltonianOrder, HasHopsOfOneWhereverOneSideIsEven) {
  for (unsigned width = 2; width <= 9; ++width) {
    for (unsigned height = 2; height <= 9; ++height) {
      if (width % 2 == 1 && height % 2 == 1) continue;
      const std::vector<unsigned> ring = hamiltonian_order(height, width);
      const std::set<unsigned> all(ring.begin(), ring.end());
      ASSERT_EQ(ring.size(), width * height);
      EXPECT_EQ(all.size(), ring.size());
      EXPECT_EQ(*all.rbegin(), width * height - 1);
      for (std::size_t i = 0; i < ring.size(); ++i)
        EXPECT_EQ(hop(ring[i], ring[(i + 1) % ring.size()], width), 1U)
            << width << " x " << height << " at " << i;
    }
  }
}

PimPlan flat(unsigned ranks) {
  PimPlan plan;
  plan.ranks = ranks;
  plan.levels = {ranks};
  plan.rings = {std::vector<unsigned>(ranks)};
  std::iota(plan.rings[0].begin(), plan.rings[0].end(), 0U);
  return plan;
}

TEST(PortCost, RowMajorRingOnEightByFour) {
  // Hops of 1 within rows of 8, 8 from row to row, 10 from the last unit to the first.
  const RingHops hops = ring_hops(flat(32), 8);
  EXPECT_EQ(hops.longest, 10U);
  EXPECT_EQ(hops.sum, 28U + 3 * 8 + 10);
  EXPECT_EQ(ring_hops(flat(4), 8).longest, 3U);
}

TEST(PortCost, MessagesAndVectorsOfAllReduces) {
  PimRequest request(pim_collective("allreduce"));
  EXPECT_EQ(port_cost(request, flat(32)).alpha, 62);
  EXPECT_EQ(port_cost(request, flat(32)).beta, 1.9375);
  request.as_written = true;
  EXPECT_EQ(port_cost(request, flat(32)).beta, 62);
  request.as_written = false;
  request.hierarchical = true;
  PimPlan chips = flat(32);
  chips.levels = {8, 4};
  EXPECT_EQ(port_cost(request, chips).alpha, 2 * 7 + 2 * 3);
  EXPECT_EQ(port_cost(request, chips).beta, 1.9375);  // no more bytes than the flat ring
  request = PimRequest(pim_collective("reduce_scatter"));
  EXPECT_EQ(port_cost(request, chips).alpha, 7 * 4 + 3);  // four chunks a step inside chips
  request = PimRequest(pim_collective("all_to_all"));
  EXPECT_EQ(port_cost(request, chips).alpha, 7 * 4 + 3 * 8);
}

// Units in a row; link n leads from n to n + 1, link 100 + n back.
std::vector<std::uint32_t> way_in_a_row(const Transfer& t) {
  std::vector<std::uint32_t> links;
  for (unsigned n = t.source; n < t.destination; ++n) links.push_back(n);
  for (unsigned n = t.destination; n < t.source; ++n) links.push_back(100 + n);
  return links;
}

TEST(PhaseTable, SharesNothingWithinAPhase) {
  constexpr unsigned kUnits = 12;
  std::vector<Transfer> all;
  for (unsigned a = 0; a < kUnits; ++a)
    for (unsigned b = 0; b < kUnits; ++b)
      if (a != b) all.push_back({a, b});
  PhaseTable table(way_in_a_row);
  table.add_independent(all);
  const Phases phases = table.take();
  // 6 x 6 transfers have to pass the middle in each direction.
  EXPECT_GE(phases.size(), 36U);
  EXPECT_LE(phases.size(), 36U * 5 / 4);  // first fit
  std::size_t placed = 0;
  for (const auto& phase : phases) {
    std::set<std::uint32_t> used;
    for (const Transfer& t : phase) {
      ++placed;
      EXPECT_TRUE(used.insert(1000 + t.source).second);
      EXPECT_TRUE(used.insert(2000 + t.destination).second);
      for (const std::uint32_t link : way_in_a_row(t)) EXPECT_TRUE(used.insert(link).second);
    }
  }
  EXPECT_EQ(placed, all.size());
}

TEST(PhaseTable, PlacesATransferNotBeforeItsTime) {
  PhaseTable table(way_in_a_row);
  EXPECT_EQ(table.add({0, 3}), 0U);
  EXPECT_EQ(table.add({1, 2}), 1U);  // link 1 is taken
  EXPECT_EQ(table.add({3, 2}, 0), 0U);
  EXPECT_EQ(table.add({3, 4}, 70), 70U);
  EXPECT_EQ(table.add({3, 4}, 70), 71U);
  EXPECT_EQ(table.take().size(), 72U);
  EXPECT_TRUE(table.take().empty());
}

// A switch combines in one phase, so its transfers wait for the last of their links.
TEST(PhaseTable, KeepsTransfersTogether) {
  PhaseTable table(way_in_a_row);
  EXPECT_EQ(table.add({2, 3}), 0U);
  EXPECT_EQ(table.add_together({{0, 1}, {1, 4}}), 1U);  // link 2 is taken
  EXPECT_EQ(table.add({0, 1}), 0U);                     // but not this one
  EXPECT_EQ(table.add_together({{6, 5}, {5, 4}}), 0U);
  const Phases phases = table.take();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].size(), 4U);
  EXPECT_EQ(phases[1].size(), 2U);
}

TEST(PortCost, TreesWithOnePort) {
  PimRequest request(pim_collective("broadcast"));
  PimPlan plan = flat(32);
  plan.tree_flow = TreeFlow::kWhole;
  request.form = "heap";
  EXPECT_EQ(port_cost(request, plan).beta, 8);
  request.form = "binomial";
  EXPECT_EQ(port_cost(request, plan).beta, 5);
  plan.tree_flow = TreeFlow::kByLevel;
  EXPECT_EQ(port_cost(request, plan).alpha,
            5 + 4 + 3 + 2 + 1);  // each level waits for its busiest rank
  plan.tree_flow = TreeFlow::kPipelined;
  EXPECT_EQ(port_cost(request, plan).beta, 5);  // the root sends to five
  request.form = "heap";
  EXPECT_EQ(port_cost(request, plan).beta, 2);
}

TEST(PimCollectives, HaveNamesAndDefaultForms) {
  std::set<std::string> names;
  for (const PimCollective& collective : pim_collectives()) {
    EXPECT_TRUE(names.insert(collective.name).second) << collective.name;
    EXPECT_EQ(&pim_collective(collective.name), &collective);
    EXPECT_EQ(PimRequest(collective).form, collective.forms.front());
  }
  EXPECT_GE(names.size(), 5U);
  EXPECT_TRUE(tvp::test::faults([&] { pim_collective("gather"); }, {},
                                {"expected one of allreduce, broadcast"}));
}

// The host form computes results by the same rule that checks a run.
TEST(BankContents, AcceptTheResultsThatTheyEvaluate) {
  for (const PimCollective& collective : pim_collectives()) {
    PimRequest request(collective);
    request.root = 2;
    const BankVectors vectors("w", "int32", "sum", 5, 300, 3);
    const BankContents contents(request, vectors);
    std::vector<Bytes> operands;
    for (unsigned rank = 0; rank < 5; ++rank) operands.push_back(contents.operand(rank));
    std::vector<Bytes> results = contents.evaluate(operands);
    ASSERT_EQ(results.size(), 5U) << collective.name;
    for (unsigned rank = 0; rank < 5; ++rank) {
      EXPECT_EQ(results[rank].size(), contents.result_bytes(rank));
      EXPECT_EQ(contents.judge(rank, results[rank]).wrong, 0U)
          << collective.name << " rank " << rank;
      results[rank][8] ^= 1;
      EXPECT_EQ(contents.judge(rank, results[rank]).wrong, 1U)
          << collective.name << " rank " << rank;
    }
  }
}

TEST(HostBus, CarriesAByteOfEachChipInABeat) {
  const std::vector<std::vector<std::uint8_t>> banks{{1, 2, 3}, {4, 5, 6}};
  const std::vector<std::uint8_t> beats = interleave(banks, 4);
  EXPECT_EQ(beats, (std::vector<std::uint8_t>{1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0}));
  EXPECT_EQ(deinterleave(beats, 4, 2), banks);
}

TEST(BankVectors, ChunksDealOutWords) {
  const BankVectors v("w", "int32", "sum", 3, 44, 1);  // padding to 48 bytes gives 2 words per rank
  EXPECT_EQ(v.padded_bytes(), 48U);
  EXPECT_EQ(v.chunk(1).begin, 16U);
  const BankVectors uneven("w", "int32", "sum", 4, 48, 1);  // 6 words: 2, 2, 1, 1
  EXPECT_EQ(uneven.chunk(1).end, 32U);
  EXPECT_EQ(uneven.chunk(3).begin, 40U);
  EXPECT_EQ(uneven.chunk(3).end, 48U);
}

TEST(BankVectors, OneWrongBitOfAnIntegerIsFound) {
  for (const char* op : {"sum", "max", "min", "prod", "band", "bor", "bxor"}) {
    const BankVectors v("w", "int32", op, 5, 400, 7);
    std::vector<std::vector<std::uint8_t>> all;
    for (unsigned rank = 0; rank < 5; ++rank) all.push_back(v.input(rank));
    std::vector<std::uint8_t> result = v.reduce(all);
    EXPECT_EQ(v.judge_reduced(result, 0).wrong, 0U) << op;
    result[4 * 33] ^= 1;
    EXPECT_EQ(v.judge_reduced(result, 0).wrong, 1U) << op;
    EXPECT_EQ(v.judge_reduced(result, 0).first_wrong, 33U) << op;
  }
}

TEST(BankVectors, FloatsMayRoundButNotMore) {
  const BankVectors v("w", "fp32", "sum", 32, 4096, 7);
  std::vector<std::vector<std::uint8_t>> all;
  for (unsigned rank = 0; rank < 32; ++rank) all.push_back(v.input(rank));
  std::vector<std::uint8_t> result = v.reduce(all);
  EXPECT_EQ(v.judge_reduced(result, 0).wrong, 0U);
  EXPECT_NEAR(v.bound(), 31 * std::ldexp(1.0, -24), 1e-11);
  // A missing contribution exceeds the error bound by far.
  all.pop_back();
  EXPECT_GT(v.judge_reduced(v.reduce(all), 0).wrong, 1000U);
  const float nan = std::nanf("");
  std::memcpy(result.data(), &nan, sizeof nan);
  EXPECT_EQ(v.judge_reduced(result, 0).wrong, 1U);
}

TEST(BankVectors, ProductsStayFinite) {
  const BankVectors v("w", "fp32", "prod", 256, 4096, 3);
  std::vector<std::vector<std::uint8_t>> all;
  for (unsigned rank = 0; rank < 256; ++rank) all.push_back(v.input(rank));
  const std::vector<std::uint8_t> result = v.reduce(all);
  EXPECT_EQ(v.judge_reduced(result, 0).wrong, 0U);
  for (std::size_t i = 0; i < result.size() / 4; ++i) {
    float value = 0;
    std::memcpy(&value, result.data() + i * 4, 4);
    EXPECT_TRUE(std::isnormal(value));
  }
}

TEST(BankVectors, OperationsThatATypeLacksAreNamed) {
  EXPECT_TRUE(tvp::test::faults(
      [&] { [[maybe_unused]] const BankVectors refused("pim_allreduce", "fp32", "band", 2, 8, 1); },
      {}, {"fp32 has no operation 'band'"}));
}

// Golden values by hand: three ranks have weights 1, 2, 1; rank r ends with the accumulator of rank
// r + 1.
TEST(BankVectors, AsWrittenInClosedForm) {
  const BankVectors v("w", "int64", "sum", 3, 8, 9);
  const auto x = [&](unsigned rank) {
    return static_cast<std::uint64_t>(v.integer(v.input(rank % 3), 0));
  };
  for (unsigned rank = 0; rank < 3; ++rank)
    EXPECT_EQ(static_cast<std::uint64_t>(v.as_written(rank, 0)),
              x(rank + 1) + 2 * x(rank) + x(rank + 2));
}

}  // namespace
}  // namespace tvp::collectives
