#include <algorithm>
#include <numeric>
#include <set>

#include "sw/collectives/algorithms/pat.h"
#include "sw/collectives/findings/claim.h"
#include "sw/collectives/ideal/figures.h"
#include "sw/collectives/ideal/ideal_fabric.h"

namespace tvp::collectives {

namespace {

/// Chunks on the links to the right and to the left of a rank of a ring.
std::pair<std::uint64_t, std::uint64_t> relay_load(std::uint32_t ranks,
                                                   const std::string& variant) {
  IdealMachine machine;
  machine.ports = 0;
  machine.topology = topology_named("ring", ranks);
  const Schedule schedule = built("ring_relay", Primitive::kAllToAll, ranks, 1, variant);
  const FabricResult result = IdealFabric(schedule, machine).run();
  return {result.carried[0], result.carried[1]};
}

Evidence relay_loads() {
  std::string made;
  bool all = true;
  for (const std::uint32_t ranks : {5U, 6U, 7U, 8U, 16U, 32U}) {
    const std::uint64_t right = relay_load(ranks, "tie_right").first;
    made += (made.empty() ? "chunks on a link, N-1: " : ", ") + std::to_string(right) + "/" +
            std::to_string(ranks - 1);
    all = all && right == ranks - 1;
  }
  const Schedule eight = built("ring_relay", Primitive::kAllToAll, 8);
  return {cost_text(eight, 1), cost_text(eight, 2), cost_text(eight, 3), made, all};
}

std::uint64_t bytes_in_all(const Schedule& schedule) {
  IdealMachine machine;
  const FabricResult result = IdealFabric(schedule, machine).run();
  return std::accumulate(result.sent.begin(), result.sent.end(), std::uint64_t{0});
}

Evidence pat_rounds() {
  std::string made = "N = 16, rounds by chunks a message:";
  for (const std::uint32_t buffer : {1U, 2U, 4U, 8U})
    made += " " + std::to_string(buffer) + ": " + std::to_string(Pat::rounds(16, buffer).size());
  std::string sizes;
  for (const Pat::Round& round : Pat::rounds(8, 4))
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(round.nodes.size());
  const std::size_t rounds = Pat::rounds(8, 1).size();
  return {
      .one_port = "one chunk: " + cost_text(built("pat", Primitive::kAllGather, 8, 1, "", 1), 1),
      .elsewhere = made + "; N = 8 in 3 rounds carries " + sizes + " chunks",
      .holds = rounds == 3};
}

/// Edges of the tree of a source, partner by addition and by exclusive or.
Evidence pat_partners() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> added;
  std::set<std::pair<std::uint32_t, std::uint32_t>> exclusive;
  constexpr std::uint32_t kSource = 1;
  for (const Pat::Round& round : Pat::rounds(8, 4))
    for (const std::uint32_t node : round.nodes) {
      added.emplace((kSource + node) % 8, (kSource + node + round.offset) % 8);
      exclusive.emplace(kSource ^ node, kSource ^ node ^ round.offset);
    }
  return {.elsewhere = added == exclusive ? "the same" : "the trees of R1 differ",
          .holds = added == exclusive};
}

}  // namespace

std::vector<Claim> exchange_claims() {
  return {
      {"6 ring all_gather", "Half of ring all_reduce.", "(N-1) α + (N-1)/N M/BW; N = 8",
       [] { return cost_evidence(built("ring", Primitive::kAllGather, 8), 7, 0.875); },
       "Every edge is busy in every step.", "op=all_gather,algo=ring"},
      {"6 ring reduce_scatter", "The same.", "(N-1) α + (N-1)/N M/BW; N = 8",
       [] { return cost_evidence(built("ring", Primitive::kReduceScatter, 8), 7, 0.875); },
       "The ring is that of all_gather, with sums.", "op=reduce_scatter,algo=ring"},
      {"C19 α of the ring vanishes", "It amortizes across the pipeline at large M (6).",
       "n_alpha → 0; N = 8, P = 1 and 16",
       [] {
         const double one = alpha_count(built("ring", Primitive::kAllGather, 8), 1);
         const double many = alpha_count(built("ring", Primitive::kAllGather, 8, 16), 1);
         return Evidence{.one_port = "n_alpha " + figure(one) + ", " + figure(many),
                         .holds = many < one};
       },
       "(N-1) α remains, as in the closed form; only its share of the time falls. Section 9 also "
       "quotes the double tree with P = 1.",
       "op=all_gather,algo=ring"},
      {"C11 nothing in the network for all_gather",
       "No switch accelerates all_gather or reduce_scatter (6).",
       "no gain; N = 8, α_switch = 150, α = 500, M/BW = 1000",
       [] {
         IdealMachine machine;
         machine.alpha = 500;
         machine.switch_alpha = 150;
         machine.chunk = 125;
         const std::uint64_t with =
             IdealFabric(built("inc", Primitive::kAllGather, 8), machine).run().time;
         const std::uint64_t without =
             IdealFabric(built("ring", Primitive::kAllGather, 8), machine).run().time;
         return Evidence{
             .elsewhere = "switch " + std::to_string(with) + ", ring " + std::to_string(without),
             .holds = with >= without};
       },
       "Multicast does not change the bytes of a port, but replaces N - 1 steps by one. NCCL has "
       "NVLS and CollNet for both. Section 7.3 of the document states this, too.",
       "op=all_gather,algo=inc"},
      {"C3 ring all_to_all",
       "Its busiest link carries N - 1 chunks, a true lower bound (7.1, 7.3, 9).",
       "(N-1) α + (N-1)/N M/BW", relay_loads,
       "The length of each chunk's way counts: N(N+2)/8 for even N, (N²-1)/8 for odd N. That is "
       "less than N - 1 for N < 6, and approaches N/8 M/BW: the bisection, as 7.3 states.",
       "op=all_to_all,algo=ring_relay"},
      {"C4 lower bound at N = 4", "No all_to_all on a ring is below (N-1)/N (7.1).",
       "n_beta ≥ 0.75; N = 4",
       [] {
         const double split =
             beta_count(built("ring_relay", Primitive::kAllToAll, 4, 1, "tie_split"), 2);
         const double far =
             beta_count(built("ring_relay", Primitive::kAllToAll, 4, 1, "farthest_first"), 2);
         return Evidence{
             .two_ports = "tie split " + figure(split) + ", farthest first " + figure(far),
             .holds = std::min(split, far) >= 0.75};
       },
       "The bound is that of one port, and a rank of a ring has two: it sends half of the farthest "
       "chunk each way. The order makes no difference, because all edges are busy in each step.",
       "op=all_to_all,algo=ring_relay"},
      {"C4 both edges busy throughout", "No fill, no drain, both edges busy in all steps (7.1).",
       "equal loads; N = 4, tie right",
       [] {
         const auto [right, left] = relay_load(4, "tie_right");
         return Evidence{.elsewhere = "right " + std::to_string(right) + ", left " +
                                      std::to_string(left) + " chunks",
                         .holds = right == left};
       },
       "The left edge is idle in steps 2 and 3 of the document's trace.",
       "op=all_to_all,algo=ring_relay"},
      {"7.2 pairwise", "One partner in each step.", "(N-1) α + (N-1)/N M/BW; N = 8",
       [] { return cost_evidence(built("pairwise", Primitive::kAllToAll, 8), 7, 0.875); },
       "Each step is a permutation.", "op=all_to_all,algo=pairwise"},
      {"7.3 pairwise on a ring", "Equivalent to the relay; the fabric's bisection decides.",
       "N = 8, ring of links",
       [] {
         const double relay =
             static_cast<double>(time_on(
                 built("ring_relay", Primitive::kAllToAll, 8, 1, "tie_split"), "ring", 1, 0)) /
             16;
         const double direct = static_cast<double>(time_on(
                                   built("pairwise", Primitive::kAllToAll, 8), "ring", 1, 0)) /
                               8;
         return Evidence{
             .elsewhere = "n_beta relay " + figure(relay) + ", pairwise " + figure(direct),
             .holds = relay < direct};
       },
       "All messages of a step load the same direction.", "op=all_to_all"},
      {"C17 the most bandwidth-hungry", "No primitive moves more bytes than all_to_all (7).",
       "(N-1) M against 2(N-1) M; N = 8",
       [] {
         const std::uint64_t exchange = bytes_in_all(built("pairwise", Primitive::kAllToAll, 8));
         const std::uint64_t ring = bytes_in_all(built("ring", Primitive::kAllReduce, 8));
         return Evidence{.elsewhere = figure(static_cast<double>(exchange) / 8) + " M against " +
                                      figure(static_cast<double>(ring) / 8) +
                                      " M of ring all_reduce",
                         .holds = exchange >= ring};
       },
       "The claim is true of the bisection, not of the volume.", "op=all_to_all"},
      {"8 point to point", "One message.", "α + M/BW",
       [] { return cost_evidence(built("pairwise", Primitive::kSendRecv, 2), 1, 1); },
       "This is the definition of the model.", "op=send_recv,algo=pairwise"},
      {"A PAT with room", "Logarithmic, bandwidth-optimal.",
       "L α + (N-1)/N M/BW; N = 8, N/2 chunks",
       [] { return cost_evidence(built("pat", Primitive::kAllGather, 8), 3, 0.875); },
       "The rounds are Bruck's in reverse.", "op=all_gather,algo=pat"},
      {"C1 PAT with one chunk", "L rounds with one chunk a link and round (A, B.4, 6).",
       "rounds = 3, payload M/N; N = 8", pat_rounds,
       "N - 1 chunks must arrive at each rank, and 3 rounds of one chunk bring 3. Either rounds "
       "carry 1, 2, 4 chunks, or there are N - 1 rounds of one.",
       "op=all_gather,algo=pat"},
      {"C16 PAT's partners", "Tree (i + offset) and schedule (i xor offset) are the same (A).",
       "equal trees for all sources; N = 8", pat_partners, "They are equal for source 0 only.", ""},
      {"B.4 recursive doubling all_gather", "Bandwidth-optimal in L steps.",
       "L α + (N-1)/N M/BW; N = 8",
       [] {
         return cost_evidence(built("recursive_doubling", Primitive::kAllGather, 8), 3, 0.875);
       },
       "The steps carry 1, 2, 4 chunks.", "op=all_gather,algo=recursive_doubling"},
      {"B.4 recursive halving reduce_scatter", "The same backwards.", "L α + (N-1)/N M/BW; N = 8",
       [] {
         return cost_evidence(built("recursive_halving", Primitive::kReduceScatter, 8), 3, 0.875);
       },
       "The steps carry 4, 2, 1 chunks, the farthest partner first (C8).",
       "op=reduce_scatter,algo=recursive_halving"},
      {"B.5 Bruck", "Logarithmic, with more bytes.", "L α + L/2 M/BW; N = 8",
       [] { return cost_evidence(built("bruck", Primitive::kAllToAll, 8), 3, 1.5); },
       "Half of all chunks have a given bit for N = 2^L.", "op=all_to_all,algo=bruck"},
      {"C15 Bruck's last rotation", "Right by i, a reversal being optional (B.5).",
       "out[(d + i) mod N] = buf[d]; N = 4",
       [] {
         Schedule schedule = built("bruck", Primitive::kAllToAll, 4);
         for (std::uint32_t rank = 0; rank < 4; ++rank)
           for (Lane& lane : schedule.ranks[rank].lanes)
             for (Step& step : lane.steps)
               if (step.kind == StepKind::kCopy && step.destination.memory == Memory::kOutput) {
                 const bool own = step.source.memory == Memory::kInput;
                 step.destination.index = ((own ? 0 : step.source.index) + rank) % 4;
               }
         const std::string found = judged(schedule);
         return Evidence{.elsewhere = found, .holds = found == "right"};
       },
       "The chunk in slot d came from the rank d behind: out[(i - d) mod N] = buf[d]. So the "
       "result needs a reversal and then a rotation to the right by i + 1; neither is optional.",
       ""},
  };
}

}  // namespace tvp::collectives
