// The cost model, fitted to samples.
#include "sw/collectives/library/cost_profile.h"

#include <gtest/gtest.h>

namespace tvp::collectives {
namespace {

constexpr CostProfile kMachine{.base_ns = 4000,
                               .alpha_ns = 800,
                               .poll_ns = 250,
                               .slice_ns = 300,
                               .beta_ns = 0.1,
                               .gamma_ns = 0.05};

std::vector<CostSample> samples(const CostProfile& machine) {
  std::vector<CostSample> made;
  for (const double messages : {1.0, 6.0, 14.0})
    for (const double lanes : {1.0, 2.0, 6.0})
      for (const double slices : {1.0, 16.0}) {
        const double moved = slices * (lanes > 1 ? 16'384 : 4096);
        const double combined = messages > 6 ? moved / 2 : 0;
        const CostWork work{messages, lanes, messages * slices, moved, combined};
        made.push_back({"one", work, machine.time(work)});
      }
  return made;
}

TEST(CostProfile, FindsTheCostsOfAMachine) {
  const CostProfile found = fit_cost(samples(kMachine));
  EXPECT_NEAR(found.base_ns, kMachine.base_ns, 1e-3);
  EXPECT_NEAR(found.alpha_ns, kMachine.alpha_ns, 1e-3);
  EXPECT_NEAR(found.poll_ns, kMachine.poll_ns, 1e-3);
  EXPECT_NEAR(found.slice_ns, kMachine.slice_ns, 1e-3);
  EXPECT_NEAR(found.beta_ns, kMachine.beta_ns, 1e-6);
  EXPECT_NEAR(found.gamma_ns, kMachine.gamma_ns, 1e-6);
  EXPECT_NEAR(found.worst_factor, 1, 1e-6);
}

TEST(CostProfile, NamesItsWorstSampleAndHasNoNegativeCost) {
  std::vector<CostSample> all = samples(kMachine);
  all.front().ns *= 3;
  const CostProfile found = fit_cost(all);
  double worst = 1;
  for (const CostSample& each : all)
    worst = std::max({worst, found.time(each.work) / each.ns, each.ns / found.time(each.work)});
  EXPECT_DOUBLE_EQ(found.worst_factor, worst);
  EXPECT_GT(worst, 1.5);
  for (const double cost : {found.base_ns, found.alpha_ns, found.poll_ns, found.slice_ns,
                            found.beta_ns, found.gamma_ns})
    EXPECT_GE(cost, 0);
}

TEST(CostProfile, SaysItsCosts) {
  EXPECT_EQ(kMachine.text(),
            "alpha 0.8 us, 0.25 us a lane, 0.3 us a slice, beta 0.1 ns/B, gamma 0.05 ns/B, 4 us "
            "once");
}

}  // namespace
}  // namespace tvp::collectives
