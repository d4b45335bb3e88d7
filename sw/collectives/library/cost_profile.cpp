#include "sw/collectives/library/cost_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tvp::collectives {

namespace {

constexpr unsigned kTerms = 4;
using Vector = std::array<double, kTerms>;

Vector terms(const CostSample& sample) {
  return {1, sample.n_alpha, sample.n_beta * sample.bytes, sample.n_gamma * sample.bytes};
}

/// Least squares of relative deviations over the terms in `used`, by normal equations and
/// elimination; the others are 0. Nothing where these terms do not determine it.
bool solve(const std::vector<CostSample>& samples, unsigned used, Vector& found) {
  std::array<std::array<double, kTerms + 1>, kTerms> rows{};
  Vector scale{};  // terms differ by many orders of magnitude
  for (const CostSample& sample : samples) {
    const Vector term = terms(sample);
    for (unsigned i = 0; i < kTerms; ++i) scale[i] = std::max(scale[i], term[i] / sample.ns);
  }
  for (const CostSample& sample : samples) {
    const Vector term = terms(sample);
    for (unsigned i = 0; i < kTerms; ++i) {
      if ((used >> i & 1) == 0 || scale[i] <= 0) continue;
      const double own = term[i] / sample.ns / scale[i];
      for (unsigned j = 0; j < kTerms; ++j)
        if ((used >> j & 1) != 0 && scale[j] > 0)
          rows[i][j] += own * term[j] / sample.ns / scale[j];
      rows[i][kTerms] += own;
    }
  }
  for (unsigned i = 0; i < kTerms; ++i) {
    if ((used >> i & 1) == 0) {
      rows[i] = {};
      rows[i][i] = 1;
    } else if (scale[i] <= 0) {
      return false;
    }
  }
  constexpr double kSingular = 1e-9;
  for (unsigned i = 0; i < kTerms; ++i) {
    if (std::fabs(rows[i][i]) < kSingular) return false;
    for (unsigned r = 0; r < kTerms; ++r) {
      if (r == i) continue;
      const double factor = rows[r][i] / rows[i][i];
      for (unsigned c = i; c <= kTerms; ++c) rows[r][c] -= factor * rows[i][c];
    }
  }
  for (unsigned i = 0; i < kTerms; ++i)
    found[i] = (used >> i & 1) != 0 ? rows[i][kTerms] / rows[i][i] / scale[i] : 0;
  return true;
}

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
  // With four terms every set of those that are not 0 can be tried.
  Vector best{};
  double least = std::numeric_limits<double>::max();
  for (unsigned used = 1; used < 1U << kTerms; ++used) {
    Vector cost{};
    if (!solve(samples, used, cost)) continue;
    if (std::ranges::any_of(cost, [](double value) { return !(value >= 0); })) continue;
    const double sum = squares(samples, cost);
    if (sum >= least) continue;
    least = sum;
    best = cost;
  }
  CostProfile profile{
      .base_ns = best[0], .alpha_ns = best[1], .beta_ns = best[2], .gamma_ns = best[3]};
  profile.samples = samples;
  for (const CostSample& s : samples)
    profile.worst_deviation =
        std::max(profile.worst_deviation, std::fabs(profile.time(s) / s.ns - 1));
  return profile;
}

std::string CostProfile::text() const {
  char line[128];
  std::snprintf(line, sizeof line, "alpha %.3g us, beta %.3g ns/B, gamma %.3g ns/B, %.3g us once",
                alpha_ns / 1000, beta_ns, gamma_ns, base_ns / 1000);
  return line;
}

}  // namespace tvp::collectives
