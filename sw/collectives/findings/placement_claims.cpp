#include <algorithm>
#include <functional>
#include <map>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/trees/rank_tree.h"
#include "sw/collectives/findings/claim.h"
#include "sw/collectives/ideal/ideal_topology.h"
#include "sw/collectives/schedule/program_builder.h"

namespace tvp::collectives {

namespace {

constexpr std::uint32_t kFlits = 512;  ///< size of a vector; a link takes one a cycle
constexpr std::uint32_t kRows = 4;
constexpr std::uint32_t kColumns = 8;
constexpr std::uint32_t kRanks = kRows * kColumns;

/// The whole value goes round N - 1 times. Each rank forwards either the received value, which it
/// also adds, or the sum so far.
Schedule whole_values(std::uint32_t n, bool hand_on_the_sum) {
  ProgramBuilder builder(Primitive::kAllReduce, n, 1);
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    const std::uint32_t before = (rank + n - 1) % n;
    const std::uint32_t next = (rank + 1) % n;
    auto lane = builder.at(rank);
    lane.copy(input(0), output(0)).send(next, input(0));
    for (std::uint32_t step = 1; step < n; ++step) {
      const std::uint32_t to = step + 1 < n ? next : kNobody;
      if (hand_on_the_sum) {
        lane.reduce_relay(before, to, output(0), output(0));
      } else {
        lane.relay(before, to, scratch(0));
        lane.reduce(scratch(0), output(0));
      }
    }
  }
  return builder.finish("whole values round a ring");
}

Schedule ring_on_mesh(bool hamiltonian) {
  ScheduleRequest request;
  request.ranks = kRanks;
  if (hamiltonian) request.order = hamiltonian_order(kRows, kColumns);
  return algorithm_named("ring").schedule(request);
}

/// Sum over rounds of the longest path in links. `round_of` takes a parent, a child and its level.
template <typename Round>
std::size_t hops_by_round(const RankTree& tree, const Round& round_of) {
  const auto mesh = topology_named("mesh:4x8", kRanks);
  std::map<std::uint32_t, std::size_t> longest;
  const std::function<void(std::uint32_t, std::uint32_t)> visit = [&](std::uint32_t rank,
                                                                      std::uint32_t level) {
    for (const std::uint32_t child : tree.children(rank)) {
      std::size_t& found = longest[round_of(rank, child, level)];
      found = std::max(found, mesh->route(rank, child).size());
      visit(child, level + 1);
    }
  };
  visit(tree.root(), 0);
  std::size_t sum = 0;
  for (const auto& [round, hops] : longest) sum += hops;
  return sum;
}

}  // namespace

std::vector<Claim> placement_claims() {
  return {
      {"C20 rings on a mesh", "The ring's closed form is exact, its conditions being met.",
       "rank order row by row makes neighbors; 4x8 mesh",
       [] {
         const auto mesh = topology_named("mesh:4x8", kRanks);
         std::size_t longest = 0;
         for (std::uint32_t rank = 0; rank < kRanks; ++rank)
           longest = std::max(longest, mesh->route(rank, (rank + 1) % kRanks).size());
         const std::uint64_t rows = time_on(ring_on_mesh(false), "mesh:4x8", kFlits / kRanks, 1);
         const std::uint64_t way = time_on(ring_on_mesh(true), "mesh:4x8", kFlits / kRanks, 1);
         return Evidence{.elsewhere = "longest step " + std::to_string(longest) +
                                      " links; 512 flits: row by row " + std::to_string(rows) +
                                      " cycles, Hamiltonian " + std::to_string(way),
                         .holds = longest == 1};
       },
       "The way to the next row takes 8 links, the way back to the first rank 10; a Hamiltonian "
       "way has hops of 1. Steps do not wait for each other, so the sum of the ways counts. With a "
       "barrier after each step, 62 times the longest way would count.",
       "op=all_reduce,algo=ring"},
      {"M1 whole value a step", "Sending the whole value in each step is fine.",
       "n_beta of chunks 1.94; N = 32",
       [] {
         const double whole = beta_count(whole_values(32, false), 1);
         const double chunks = beta_count(built("ring", Primitive::kAllReduce, 32), 1);
         return Evidence{.one_port = "whole " + figure(whole) + ", chunks " + figure(chunks),
                         .holds = whole <= chunks};
       },
       "It sends N - 1 times M instead of 2(N-1)/N times. One round is enough; the second phase "
       "has no effect.",
       "op=all_reduce,algo=ring"},
      {"M2 forwarding the sum", "Each rank adds what comes and hands on its sum.",
       "right for SUM; N = 4",
       [] {
         const std::string found = judged(whole_values(4, true));
         return Evidence{.elsewhere = found + "; forwarding: " + judged(whole_values(4, false)),
                         .holds = found == "right"};
       },
       "Contributions count more than once. MAX and MIN are right, because they are idempotent.",
       ""},
      {"M3 heap or binomial, short", "A heap tree is good for broadcasts.",
       "n_beta ≤ binomial's; N = 32, P = 1",
       [] {
         const double heap = beta_count(built("heap", Primitive::kBroadcast, 32), 1);
         const double binomial = beta_count(built("binomial", Primitive::kBroadcast, 32), 1);
         return Evidence{.one_port = "heap " + figure(heap) + ", binomial " + figure(binomial),
                         .holds = heap <= binomial};
       },
       "A rank sends twice for each level through one port; in a binomial tree it sends in every "
       "step.",
       "op=broadcast,algo=heap"},
      {"M4 heap or binomial, bulk", "With segments the heap is the better tree.",
       "n_beta; N = 32, P = 64",
       [] {
         const double heap = beta_count(built("heap", Primitive::kBroadcast, 32, 64), 1);
         const double binomial = beta_count(built("binomial", Primitive::kBroadcast, 32, 64), 1);
         const double chain = beta_count(built("chain", Primitive::kBroadcast, 32, 64), 1);
         return Evidence{.one_port = "heap " + figure(heap) + ", binomial " + figure(binomial) +
                                     ", chain " + figure(chain),
                         .holds = heap < binomial};
       },
       "A rank of a heap has at most two children (C5). A chain is better still.",
       "op=broadcast,algo=heap"},
      {"M5 hops of the heap", "A broadcast takes about 5 hops.",
       "longest way of each round, summed; 4x8 mesh",
       [] {
         const std::size_t heap =
             hops_by_round(heap_tree(counted(kRanks)),
                           [](std::uint32_t, std::uint32_t, std::uint32_t level) { return level; });
         const std::size_t binomial = hops_by_round(
             binomial_tree(counted(kRanks), false),
             [](std::uint32_t rank, std::uint32_t child, std::uint32_t) { return child - rank; });
         return Evidence{
             .elsewhere = "heap " + std::to_string(heap) + ", binomial " + std::to_string(binomial),
             .holds = heap <= 5};
       },
       "The heap has 5 levels, but neighbors in the tree are far apart on the mesh.",
       "op=broadcast,algo=heap"},
  };
}

}  // namespace tvp::collectives
