#include <algorithm>

#include "sw/collectives/findings/claim.h"
#include "sw/collectives/findings/machine_claim.h"

namespace tvp::collectives {

namespace {

std::string t3000(const std::string& keys, const std::string& bytes) {
  return collective_run("t3000", keys, bytes);
}
std::string ring_of_4(const std::string& keys, const std::string& bytes) {
  return collective_run("small_ring", keys, bytes);
}

constexpr const char* kRing = "op=all_reduce,algo=ring";
constexpr const char* kTrees = "op=all_reduce,algo=double_binary_tree";
constexpr const char* kDoubling = "op=all_reduce,algo=recursive_doubling";
constexpr const char* kHalving = "op=all_reduce,algo=rabenseifner";
constexpr const char* kPair = "op=send_recv,algo=pairwise";

MachineEvidence ring_by_formula(const std::vector<Metrics>& runs) {
  // Uses the alpha and the rate of point to point.
  const double alpha = runs[0].at("fitted_alpha");
  const double predicted = 6 * alpha + 1.5 * runs[1].at("size") / runs[0].at("fitted_rate") / 1000;
  const double found = runs[1].at("time");
  return {"formula " + figure(predicted) + " µs, found " + figure(found) + " µs",
          found < 1.1 * predicted && found > 0.9 * predicted};
}

MachineEvidence doubling_and_trees(const std::vector<Metrics>& runs) {
  const bool at_last = runs[3].at("time") < runs[2].at("time");
  return {"1K: " + times(runs, {"doubling", "trees"}) +
              "; 1M: " + times(runs, {"doubling", "trees"}, 2),
          at_last && runs[0].at("time") < runs[1].at("time")};
}

MachineEvidence trees_before_ring(const std::vector<Metrics>& runs) {
  std::string text;
  bool always = true;
  const char* const sizes[] = {"1K", "64K", "1M"};
  for (std::size_t i = 0; i < 3; ++i) {
    text +=
        std::string(i == 0 ? "" : "; ") + sizes[i] + ": " + times(runs, {"ring", "trees"}, 2 * i);
    always = always && runs[2 * i + 1].at("time") < runs[2 * i].at("time");
  }
  return {text, always};
}

}  // namespace

std::vector<MachineClaim> chip_claims() {
  return {
      {"5.1 ring all_reduce, ring of 4 chips",
       "Exact, no fill and no drain.",
       "2(N-1) α + 2(N-1)/N M/BW within 10 %, α and BW of send_recv; N = 4, 4M",
       {ring_of_4(kPair, "64K:4M:*4"), ring_of_4(kRing, "4M")},
       ring_by_formula,
       "Slices of a chunk follow each other through DRAM, L1 and links. Most of the six times α of "
       "a whole call is paid once only."},
      {"C7 ring at N = 4, ring of 4 chips",
       "The ring has 2 M/BW there (5.2).",
       "2 M sent by a rank",
       {ring_of_4(kRing, "256K")},
       [](const std::vector<Metrics>& runs) {
         const double sent = runs[0].at("most_sent");
         return MachineEvidence{figure(sent) + " M", near(sent, 2)};
       },
       "The ranks count 1.5 M."},
      {"C4 lower bound at N = 4, ring of 4 chips",
       "No all_to_all on a ring is below (N-1)/N (7.1).",
       "busiest link ≥ 0.75 M; 256K",
       {ring_of_4("op=all_to_all,algo=ring_relay", "256K"),
        ring_of_4("op=all_to_all,algo=ring_relay,variant=tie_split", "256K")},
       [](const std::vector<Metrics>& runs) {
         const double split = runs[1].at("busiest_link");
         return MachineEvidence{"tie right " + figure(runs[0].at("busiest_link")) +
                                    " M, tie split " + figure(split) + " M; " +
                                    times(runs, {"right", "split"}),
                                split >= 0.75};
       },
       "The links carry the schedule's bytes. The time does not fall with them: halves are "
       "separate messages, and links are not the limit at this size."},
      {"C3 ring all_to_all, t3000",
       "Its busiest link carries N - 1 chunks (7.1).",
       "0.875 M; N = 8",
       {t3000("op=all_to_all,algo=ring_relay", "64K")},
       [](const std::vector<Metrics>& runs) {
         const double busiest = runs[0].at("busiest_link");
         return MachineEvidence{figure(busiest) + " M", near(busiest, 0.875)};
       },
       "A link of the ring around the mesh carries 10 chunks instead of 7: N(N+2)/8."},
      {"7.3 pairwise on a ring of 4 chips",
       "Equivalent to the relay.",
       "times within 10 %; 1M",
       {ring_of_4("op=all_to_all,algo=ring_relay", "1M"),
        ring_of_4("op=all_to_all,algo=pairwise", "1M")},
       [](const std::vector<Metrics>& runs) {
         const double other = ratio(runs, 1);
         return MachineEvidence{times(runs, {"relay", "pairwise"}), other > 0.9 && other < 1.1};
       },
       "A router forwards a packet in about the time that it delivers one. A hop therefore costs "
       "pairwise as much as the relay."},
      {"C2 double tree, pipelined, t3000",
       "n_beta → 1, half of the ring's (5.2, 5.3).",
       "less than the ring, in times of send_recv; 1M, P = 16",
       {t3000(kPair, "1M"), t3000(kRing, "1M"), t3000(kTrees, "1M"),
        t3000(std::string(kTrees) + ",segments=16", "1M")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{ratios(runs, {"ring", "trees with P = 1", "with P = 16"}),
                                std::min(ratio(runs, 2), ratio(runs, 3)) < ratio(runs, 1)};
       },
       "Each port carries 2 M (C2), over several links of the mesh, while neighbors of the ring "
       "are neighbors on the mesh. Messages are already cut into slices, so segments only add "
       "messages."},
      {"C2 double tree before ring at every M, t3000",
       "The α-β model alone says that it dominates (5.3).",
       "t_tree < t_ring at 1K, 64K, 1M",
       {t3000(kRing, "1K"), t3000(kTrees, "1K"), t3000(kRing, "64K"), t3000(kTrees, "64K"),
        t3000(kRing, "1M"), t3000(kTrees, "1M")},
       trees_before_ring,
       "The tree is slower at every size. A step of the ring costs a fraction of a call's α, "
       "because a rank waits only for one slice of the step before."},
      {"5.2 double tree halves the single tree, t3000",
       "L M/BW instead of 2 L M/BW.",
       "t_double < 0.6 t_single; 64K, P = 1",
       {t3000("op=all_reduce,algo=tree", "64K"), t3000(kTrees, "64K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"single", "double"}), ratio(runs, 1) < 0.6};
       },
       "Both trees use the same ports (C6). Messages are already cut into slices, which have the "
       "effect of the halves."},
      {"C5 binomial broadcast, pipelined, t3000",
       "With segments n_beta falls to 1 (3.2, 3.3).",
       "≤ 1.5 of send_recv; 1M, P = 16",
       {t3000(kPair, "1M"), t3000("op=broadcast,algo=binomial,segments=16", "1M"),
        t3000("op=broadcast,algo=chain,segments=16", "1M")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{ratios(runs, {"binomial", "chain"}), ratio(runs, 1) <= 1.5};
       },
       "The root sends the whole vector L times, partly over the same links."},
      {"B.1 recursive doubling, t3000",
       "L α + L M/BW.",
       "2.7 to 3.3 times send_recv; 1M, N = 8",
       {t3000(kPair, "1M"), t3000(kDoubling, "1M")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{ratios(runs, {"doubling"}),
                                ratio(runs, 1) > 2.7 && ratio(runs, 1) < 3.3};
       },
       "Each step sends and combines the whole vector, and messages share links of the mesh."},
      {"C18 the port budget rules Rabenseifner out, t3000",
       "It sends more than the ring (B.2, B.3).",
       "M sent by a rank; 1M",
       {t3000(kRing, "1M"), t3000(kHalving, "1M")},
       [](const std::vector<Metrics>& runs) {
         const double ring = runs[0].at("most_sent");
         const double halving = runs[1].at("most_sent");
         return MachineEvidence{"ring " + figure(ring) + ", halving " + figure(halving) + "; " +
                                    times(runs, {"ring", "halving"}),
                                halving > 1.01 * ring};
       },
       "Both send the same bytes. Rabenseifner is slower, because partners are several links apart "
       "and steps wait for each other."},
      {"C13 recursive doubling before the double tree, t3000",
       "Up to a size, the trees from there on (B.3).",
       "doubling first at 1K, trees at 1M",
       {t3000(kDoubling, "1K"), t3000(kTrees, "1K"), t3000(kDoubling, "1M"), t3000(kTrees, "1M")},
       doubling_and_trees,
       "There is a crossover between 1K and 1M. From 64K on the ring is faster than both (C2), so "
       "the trees are never the best choice."},
      {"C14 Bruck before pairwise, t3000",
       "Up to M ~ α BW, so at small M (B.5).",
       "t_bruck < t_pairwise; 1K",
       {t3000("op=all_to_all,algo=pairwise", "1K"), t3000("op=all_to_all,algo=bruck", "1K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"pairwise", "Bruck"}), ratio(runs, 1) < 1};
       },
       "N - 1 messages to different ranks do not wait for each other. Bruck's L rounds do, and it "
       "copies the whole vector before, between and after them."},
      {"C11 order of partners, t3000",
       "+1, +2, +3 is the order to run (7.2).",
       "not slower than NCCL's quadratic one; 16K",
       {t3000("op=all_to_all,algo=pairwise", "16K"),
        t3000("op=all_to_all,algo=pairwise,variant=quadratic", "16K")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{times(runs, {"+1, +2, +3", "quadratic"}), ratio(runs, 1) >= 1};
       },
       "Bytes and steps are equal; the links that messages use at the same time differ."},
      {"C19 α of the ring vanishes, t3000",
       "It amortizes across the pipeline at large M (6).",
       "α of all_gather < α of one send_recv, both fitted over 4K to 1M",
       {t3000(kPair, "4K:1M:*4"), t3000("op=all_gather,algo=ring", "4K:1M:*4")},
       [](const std::vector<Metrics>& runs) {
         const double one = runs[0].at("fitted_alpha");
         const double all = runs[1].at("fitted_alpha");
         return MachineEvidence{
             "send_recv " + figure(one) + " µs, all_gather " + figure(all) + " µs", all < one};
       },
       "α remains, but is less than N - 1 times that of a call, because both contain the cost that "
       "a call has once."},
      {"hierarchy, t3000",
       "Rings over tiers have the ring's bytes and a fraction of its α.",
       "t_tiers < t_ring at 1K; 4 x 2 of 8",
       {t3000(kRing, "1K"), t3000("op=all_reduce,algo=hierarchy,tiers=4x2", "1K"),
        t3000(kRing, "1M"), t3000("op=all_reduce,algo=hierarchy,tiers=4x2", "1M")},
       [](const std::vector<Metrics>& runs) {
         return MachineEvidence{"1K: " + times(runs, {"ring", "tiers"}) + ", 1M: " +
                                    times(runs, {"ring", "tiers"}, 2) + "; messages of a rank " +
                                    figure(runs[0].at("most_messages_sent")) + ", " +
                                    figure(runs[1].at("most_messages_sent")),
                                ratio(runs, 1) < 1};
       },
       "There are 8 messages instead of 14. But rows of four chips are lines: the way back in "
       "their rings crosses three links, and a tier begins after the end of the tier before. Tiers "
       "are faster if the machine itself has tiers (the row on pim_dimm)."},
  };
}

}  // namespace tvp::collectives
