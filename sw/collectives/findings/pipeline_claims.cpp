#include <cmath>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/findings/claim.h"

namespace tvp::collectives {

namespace {

/// Time of a chain of 8 by segments, with alpha 100 and M / BW 840 000, which many numbers divide.
std::uint64_t chain_time(std::uint32_t segments) {
  return time_of(built("chain", Primitive::kBroadcast, 8, segments), 100, 840'000);
}

Evidence best_by_trial() {
  // All divisors near the formula's, so that chunks are whole.
  std::uint32_t best = 1;
  for (const std::uint32_t segments :
       {1U, 60U, 120U, 168U, 200U, 210U, 240U, 250U, 280U, 300U, 420U})
    if (chain_time(segments) < chain_time(best)) best = segments;
  const std::uint32_t formula = best_segments(7, 100, 840'000, 4096);
  const double least = 7 * 100 + 840'000 + 2 * std::sqrt(6.0 * 100 * 840'000);
  return {.one_port = "best of 11: P = " + std::to_string(best) + " with " +
                      std::to_string(chain_time(best)) +
                      "; formula P = " + std::to_string(formula) + " with " + figure(least),
          .holds = std::abs(static_cast<double>(chain_time(best)) - least) < 0.01 * least};
}

/// The size M, in units of alpha BW, from which the second algorithm is faster.
double crossover(const Schedule& first, const Schedule& second) {
  return (alpha_count(second, 1) - alpha_count(first, 1)) /
         (beta_count(first, 1) - beta_count(second, 1));
}

/// The size in KB at which L alpha + L M/BW equals the time of the trees for N = 512, alpha 0.5 us,
/// 900 GB/s. That time is 2 L alpha + beta M/BW + 2 sqrt((2 L - 1) alpha beta M/BW).
double doubling_against_trees(double beta, bool with_root) {
  constexpr double kSteps = 9;
  double low = 0;
  double high = 1e9;
  for (int turn = 0; turn < 200; ++turn) {
    const double m = (low + high) / 2;
    const double fall = with_root ? 2 * std::sqrt((2 * kSteps - 1) * beta * m) : 0;
    (kSteps + kSteps * m < 2 * kSteps + beta * m + fall ? low : high) = m;
  }
  return low * 0.5e-6 * 900e9 / 1e3;
}

}  // namespace

std::vector<Claim> pipeline_claims() {
  return {
      {"C.3 master formula", "Exact for a chain.", "(L+P-1)(α + M/(P BW)); L = 7, P = 60",
       [] {
         const std::uint64_t time = chain_time(60);
         return Evidence{.one_port = std::to_string(time), .holds = time == 66 * (100 + 14'000)};
       },
       "Each slot carries one segment.", "op=broadcast,algo=chain"},
      {"C.3 best number of segments", "The time at P* is the floor plus a root.",
       "P* = √((L-1)M/(α BW)), t = Lα + M/BW + 2√((L-1)αM/BW)", best_by_trial,
       "The derivative is right; P* is rounded to the better neighbor.", "op=broadcast,algo=chain"},
      {"C13 recursive doubling before the double tree", "Up to 506 KB at N = 512, robustly (B.3).",
       "α = 0.5 µs, 900 GB/s",
       [] {
         return Evidence{
             .elsewhere = "computed: " + figure(doubling_against_trees(1, false)) +
                          " KB; with the root of C.3 " + figure(doubling_against_trees(1, true)) +
                          " KB; with n_beta = 2 " + figure(doubling_against_trees(2, false)) +
                          " and " + figure(doubling_against_trees(2, true)) + " KB",
             .holds = near(doubling_against_trees(2, true), 506)};
       },
       "The figure omits the document's own root term, and assumes n_beta = 1, which one port "
       "cannot reach (C2).",
       "op=all_reduce"},
      {"D headline", "algbw 450 GB/s of all_reduce at N = 100 is busbw 891 GB/s.", "450 · 2(N-1)/N",
       [] {
         const double found = 450 * beta_count(built("ring", Primitive::kAllReduce, 100), 1);
         return Evidence{.one_port = figure(found) + " GB/s", .holds = near(found, 891)};
       },
       "The factor is the n_beta of the ring.", "op=all_reduce,algo=ring"},
      {"C14 Bruck before pairwise", "Up to M ~ α BW, computed in 7.3 (B.5).",
       "(N-1-L)/(L/2-(N-1)/N) α BW",
       [] {
         std::string made;
         double last = 0;
         for (const std::uint32_t ranks : {4U, 8U, 16U, 32U, 64U}) {
           last = crossover(built("bruck", Primitive::kAllToAll, ranks),
                            built("pairwise", Primitive::kAllToAll, ranks));
           made += (made.empty() ? "N = 4, 8, 16, 32, 64: " : ", ") + figure(last);
         }
         return Evidence{.one_port = made + " α BW", .holds = near(last, 1)};
       },
       "7.3 has no such computation; the crossover grows with N.", "op=all_to_all"},
      {"C12 busbw factor is n_beta", "C(N) is the algorithm's n_beta (D).",
       "equal for broadcast; N = 8",
       [] {
         const double tree = beta_count(built("binomial", Primitive::kBroadcast, 8), 1);
         const double chain = beta_count(built("chain", Primitive::kBroadcast, 8, 1500), 1);
         return Evidence{.one_port = "binomial " + figure(tree) + ", chain " + figure(chain),
                         .holds = near(tree, 0.875) && near(chain, 0.875)};
       },
       "The factor is fixed for each primitive, whatever the algorithm. nccl-tests uses 1 for "
       "broadcast, not (N-1)/N. With a switch the busbw of all_reduce is 2(N-1)/N times the link's "
       "rate.",
       "op=broadcast"},
  };
}

}  // namespace tvp::collectives
