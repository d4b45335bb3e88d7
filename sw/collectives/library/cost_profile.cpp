#include "sw/collectives/library/cost_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tvp::collectives {

namespace {

constexpr unsigned kTerms = 6;
using Vector = std::array<double, kTerms>;

Vector terms(const CostSample& sample) {
  const CostWork& work = sample.work;
  return {1, work.messages, work.messages * work.lanes, work.slices, work.moved, work.combined};
}

/// Normal equations of least squares of relative deviations, over the terms in `used`. Terms
/// differ by many orders of magnitude, so the equations are in scaled terms.
class NormalEquations {
 public:
  NormalEquations(const std::vector<CostSample>& samples, unsigned used) : used_(used) {
    for (const CostSample& sample : samples) {
      const Vector term = relative(sample);
      for (unsigned i = 0; i < kTerms; ++i) scale_[i] = std::max(scale_[i], term[i]);
    }
    for (const CostSample& sample : samples) add(relative(sample));
    for (unsigned i = 0; i < kTerms; ++i)
      if (!is_used(i)) rows_[i][i] = 1;
  }

  /// Finds the cost of each term; terms that are not used cost 0. Returns false if the samples do
  /// not determine the costs.
  bool solve(Vector& found) {
    constexpr double kSingular = 1e-9;
    for (unsigned i = 0; i < kTerms; ++i) {
      if ((is_used(i) && scale_[i] <= 0) || std::fabs(rows_[i][i]) < kSingular) return false;
      eliminate(i);
    }
    for (unsigned i = 0; i < kTerms; ++i)
      found[i] = is_used(i) ? rows_[i][kTerms] / rows_[i][i] / scale_[i] : 0;
    return true;
  }

 private:
  static Vector relative(const CostSample& sample) {
    Vector term = terms(sample);
    for (double& each : term) each /= sample.ns;
    return term;
  }
  bool is_used(unsigned term) const { return (used_ >> term & 1) != 0; }
  bool counts(unsigned term) const { return is_used(term) && scale_[term] > 0; }

  void add(const Vector& term) {
    for (unsigned i = 0; i < kTerms; ++i) {
      if (!counts(i)) continue;
      const double own = term[i] / scale_[i];
      for (unsigned j = 0; j < kTerms; ++j)
        if (counts(j)) rows_[i][j] += own * term[j] / scale_[j];
      rows_[i][kTerms] += own;
    }
  }

  void eliminate(unsigned i) {
    for (unsigned r = 0; r < kTerms; ++r) {
      if (r == i) continue;
      const double factor = rows_[r][i] / rows_[i][i];
      for (unsigned c = i; c <= kTerms; ++c) rows_[r][c] -= factor * rows_[i][c];
    }
  }

  const unsigned used_;  ///< a bit a term
  Vector scale_{};
  std::array<std::array<double, kTerms + 1>, kTerms> rows_{};
};

double squares(const std::vector<CostSample>& samples, const Vector& cost) {
  double sum = 0;
  for (const CostSample& sample : samples) {
    const Vector term = terms(sample);
    double time = 0;
    for (unsigned i = 0; i < kTerms; ++i) time += cost[i] * term[i];
    sum += (time / sample.ns - 1) * (time / sample.ns - 1);
  }
  return sum;
}

}  // namespace

CostProfile fit_cost(const std::vector<CostSample>& samples) {
  // Six terms are few enough to try every set of terms that are not 0.
  Vector best{};
  double least = std::numeric_limits<double>::max();
  for (unsigned used = 1; used < 1U << kTerms; ++used) {
    Vector cost{};
    if (!NormalEquations(samples, used).solve(cost)) continue;
    if (std::ranges::any_of(cost, [](double value) { return !(value >= 0); })) continue;
    const double sum = squares(samples, cost);
    if (sum >= least) continue;
    least = sum;
    best = cost;
  }
  CostProfile profile{.base_ns = best[0],
                      .alpha_ns = best[1],
                      .poll_ns = best[2],
                      .slice_ns = best[3],
                      .beta_ns = best[4],
                      .gamma_ns = best[5]};
  profile.samples = samples;
  for (const CostSample& sample : samples) {
    const double factor = profile.time(sample.work) / sample.ns;
    profile.worst_factor = std::max({profile.worst_factor, factor, 1 / factor});
  }
  return profile;
}

std::string CostProfile::text() const {
  char line[128];
  std::snprintf(line, sizeof line,
                "alpha %.3g us, %.3g us a lane, %.3g us a slice, beta %.3g ns/B, gamma %.3g ns/B, "
                "%.3g us once",
                alpha_ns / 1000, poll_ns / 1000, slice_ns / 1000, beta_ns, gamma_ns,
                base_ns / 1000);
  return line;
}

}  // namespace tvp::collectives
