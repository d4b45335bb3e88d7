#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "sw/collectives/algorithms/trees/rank_tree.h"
#include "sw/collectives/findings/claim.h"
#include "sw/collectives/ideal/ideal_fabric.h"
#include "sw/collectives/schedule/step_access.h"

namespace tvp::collectives {

namespace {

std::set<std::pair<std::uint32_t, std::uint32_t>> edges_of(const Schedule& schedule) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
    for (const Lane& lane : schedule.ranks[rank].lanes)
      for (const Step& step : lane.steps)
        if (sends(step)) edges.insert(std::minmax(rank, step.to));
  return edges;
}

std::uint64_t at_the_switch(Primitive primitive) {
  IdealMachine machine;
  machine.switch_alpha = 150;
  machine.chunk = 1000;
  return IdealFabric(built("inc", primitive, 8), machine).run().time;
}

Evidence switch_evidence(Primitive primitive) {
  const std::uint64_t time = at_the_switch(primitive);
  return {.one_port = "",
          .elsewhere = "α_switch = 150, M/BW = 1000: " + std::to_string(time),
          .holds = time == 1300};
}

Evidence rooted_pipeline(const char* algorithm, Primitive primitive) {
  const Schedule schedule = built(algorithm, primitive, 8, kMany);
  return cost_evidence(schedule, 8 + kMany - 2.0, 1);
}

/// Times of a broadcast to 8 by a binomial tree and by a chain, each with its best segments.
std::pair<std::uint64_t, std::uint64_t> tree_and_chain(std::uint64_t alpha, std::uint64_t whole) {
  std::uint64_t tree = ~std::uint64_t{0};
  std::uint64_t chain = ~std::uint64_t{0};
  for (const std::uint32_t segments : {1U, 10U, 100U, 250U, 500U}) {
    tree = std::min(tree,
                    time_of(built("binomial", Primitive::kBroadcast, 8, segments), alpha, whole));
    chain =
        std::min(chain, time_of(built("ring", Primitive::kBroadcast, 8, segments), alpha, whole));
  }
  return {tree, chain};
}

}  // namespace

std::vector<Claim> rooted_claims() {
  return {
      {"3.1 ring broadcast", "Streams P segments down the ring, exactly.",
       "(N + P - 2)(α + M/(P BW)); N = 8, P = 8",
       [] {
         const Schedule schedule = built("ring", Primitive::kBroadcast, 8, 8);
         const std::uint64_t time = time_of(schedule, 1000, 8000);
         return Evidence{.one_port = "α = 1000, M/BW = 8000: " + std::to_string(time),
                         .holds = time == 14 * 2000};
       },
       "Segments follow each other; each edge carries one segment in each slot.",
       "op=broadcast,algo=ring"},
      {"3.1 ring broadcast, many segments", "Bandwidth-optimal.", "n_beta → 1; N = 8, P = 1500",
       [] { return rooted_pipeline("ring", Primitive::kBroadcast); },
       "A rank receives and sends every byte once, at the same time.", "op=broadcast,algo=ring"},
      {"3.2 binomial broadcast", "Twice the holders after every step.", "L α + L M/BW; N = 8",
       [] { return cost_evidence(built("binomial", Primitive::kBroadcast, 8), 3, 3); },
       "The root sends the whole vector L times.", "op=broadcast,algo=binomial"},
      {"C5 binomial broadcast, pipelined",
       "With segments n_beta falls to 1, since the tree satisfies the port budget (3.2, 3.3).",
       "n_beta → 1; N = 8, P = 1500",
       [] {
         const Schedule schedule = built("binomial", Primitive::kBroadcast, 8, kMany);
         return cost_evidence(schedule, alpha_count(schedule, 1), 1);
       },
       "The root has L children and one port, so L M leave through it with any number of segments. "
       "Only L ports make it 1.",
       "op=broadcast,algo=binomial"},
      {"3.2 heap broadcast, steps", "A binary tree broadcasts in as many steps as it has levels.",
       "⌊log2 N⌋ α; N = 8, 15, 16, 64, 72, 512, P = 1",
       [] {
         return steps_evidence("heap", Primitive::kBroadcast, [](std::uint32_t ranks) {
           return static_cast<std::uint32_t>(std::bit_width(ranks)) - 1;
         });
       },
       "A rank sends to its two children one after the other if it has one port. The claim is "
       "right "
       "with two ports.",
       "op=broadcast,algo=heap"},
      {"C5 ports of inner ranks",
       "An inner rank of the binomial tree has at most 2 partners (C.5).", "≤ 2 children; N = 16",
       [] {
         const RankTree tree = binomial_tree(counted(16), true);
         std::size_t most = 0;
         for (std::uint32_t rank = 1; rank < 16; ++rank)
           most = std::max(most, tree.children(rank).size());
         return Evidence{.elsewhere = "most children of an inner rank: " + std::to_string(most),
                         .holds = most <= 2};
       },
       "The first child of the root is the root of a tree of half the size, so it has L - 1 "
       "children.",
       ""},
      {"C5 what one port can have", "Right with one port: chain 1, heap 2.",
       "n_beta → 1 and 2; N = 8, P = 1500",
       [] {
         const double chain = beta_count(built("chain", Primitive::kBroadcast, 8, kMany), 1);
         const double heap = beta_count(built("heap", Primitive::kBroadcast, 8, kMany), 1);
         return Evidence{.one_port = "chain " + figure(chain) + ", heap " + figure(heap),
                         .holds = near(chain, 1) && near(heap, 2)};
       },
       "A rank sends the whole vector once to each child.", "op=broadcast,algo=chain"},
      {"3.3 switch broadcast", "Two crossings of the switch, whatever N.", "2 α_switch + M/BW",
       [] { return switch_evidence(Primitive::kBroadcast); },
       "The switch multicasts while the root still sends.", "op=broadcast,algo=inc"},
      {"3.3 tree before ring at every M",
       "The α-β model alone says that the tree wins at every M, as both reach M/BW.",
       "t_tree < t_ring; N = 8, M/BW = 10 000 α, best P",
       [] {
         const auto [tree, ring] = tree_and_chain(10, 100'000);
         return Evidence{
             .one_port = "tree " + std::to_string(tree) + ", ring " + std::to_string(ring),
             .holds = tree < ring};
       },
       "The tree stays at L M/BW with one port (C5).", "op=broadcast"},
      {"4.1 ring reduce", "The chain in reverse, just as exact.", "n_beta → 1; N = 8, P = 1500",
       [] { return rooted_pipeline("ring", Primitive::kReduce); },
       "Every rank receives, adds and sends each segment once.", "op=reduce,algo=ring"},
      {"4.2 binomial reduce", "The same cost as the broadcast.", "L α + L M/BW; N = 8",
       [] { return cost_evidence(built("binomial", Primitive::kReduce, 8), 3, 3); },
       "The root receives the whole vector L times.", "op=reduce,algo=binomial"},
      {"4.2 binomial reduce, pipelined", "n_beta falls to 1; tree dominates ring (4.1, 4.3).",
       "n_beta → 1; N = 8, P = 1500",
       [] {
         const Schedule schedule = built("binomial", Primitive::kReduce, 8, kMany);
         return cost_evidence(schedule, alpha_count(schedule, 1), 1);
       },
       "The reason is that of C5: L M arrive at the root's one port.", "op=reduce,algo=binomial"},
      {"C10 one tree, two directions",
       "Reduce uses the very edges of the broadcast, reversed (4.2).", "equal sets of edges; N = 4",
       [] {
         const bool same = edges_of(built("binomial", Primitive::kBroadcast, 4)) ==
                           edges_of(built("binomial", Primitive::kReduce, 4));
         return Evidence{.elsewhere = same ? "equal" : "0-1 0-2 1-3 and 0-1 0-2 2-3",
                         .holds = same};
       },
       "Both traces use distances 1, 2 in this order; a reversed trace would use 2, 1 (variant "
       "far_first).",
       ""},
      {"4.3 switch reduce", "Two crossings.", "2 α_switch + M/BW",
       [] { return switch_evidence(Primitive::kReduce); }, "The switch adds while all ranks send.",
       "op=reduce,algo=inc"},
      {"C11 NCCL's broadcast tree",
       "NCCL runs a tree for broadcast and reduce (3.3, 4.3), as that is faster.",
       "t_tree < t_chain; N = 8, M/BW = α/10 and 10 000 α, best P",
       [] {
         const auto [short_tree, short_chain] = tree_and_chain(10'000, 1000);
         const auto [tree, chain] = tree_and_chain(10, 100'000);
         return Evidence{.one_port = "short: tree " + std::to_string(short_tree) + ", chain " +
                                     std::to_string(short_chain) + "; long: tree " +
                                     std::to_string(tree) + ", chain " + std::to_string(chain),
                         .holds = short_tree < short_chain && tree < chain};
       },
       "NCCL's table of algorithms allows the ring only for both (src/graph/tuning.cc), which is "
       "right for long vectors; a library with one algorithm loses at one end.",
       "op=broadcast"},
  };
}

}  // namespace tvp::collectives
